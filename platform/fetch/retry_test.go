package fetch_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"rostrum/platform/fetch"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "x": 0, "-5": 0, "30": 30 * time.Second, "Thu, 01 Jan 2026 00:01:00 GMT": time.Minute,
		"Wed, 31 Dec 2025 00:00:00 GMT": 0, "Wed, 31 Dec 2031 00:00:00 GMT": 24 * time.Hour,
		"9223372036854775807": 24 * time.Hour, strconv.Itoa(1 << 40): 24 * time.Hour,
	} {
		if got := fetch.RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
