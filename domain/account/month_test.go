package account

import (
	"testing"
	"time"
)

// TestMonthAfter checks that a month is never skipped, for example February.
func TestMonthAfter(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"2026-01-15": "2026-02-15", "2026-01-31": "2026-02-28", "2028-01-30": "2028-02-29", "2026-12-31": "2027-01-31",
		"2026-02-28": "2026-03-28",
	} {
		start, err := time.Parse(time.DateOnly, from)
		if err != nil {
			t.Fatal(err)
		}
		if got := monthAfter(start).Format(time.DateOnly); got != want {
			t.Errorf("a month after %s is %s, want %s", from, got, want)
		}
	}
}
