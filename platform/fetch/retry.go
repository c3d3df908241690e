package fetch

import (
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter limits the delay that a server may request with Retry-After.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns the delay of a Retry-After header (RFC 9110, section 10.2.3), in seconds or as
// a date, and at most a day. It returns 0 if the header is absent or invalid.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(maxRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
