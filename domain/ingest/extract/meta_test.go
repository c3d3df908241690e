package extract

import "testing"

// TestParseDate_implausible refuses times of publication that RFC 3339 cannot write in UTC, or that
// no text can have.
func TestParseDate_implausible(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "1899-12-31",
		"3000-01-01"} {
		if got := parseDate(text); got != nil {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := parseDate("1900-01-01"); got == nil {
		t.Error("the first plausible time is refused")
	}
	for _, value := range []string{"D:99991231235959-1400", "D:00010101"} {
		if got := pdfDate(value); got != nil {
			t.Errorf("%s is %s", value, got)
		}
	}
}
