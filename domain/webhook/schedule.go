package webhook

import (
	"net/http"
	"strconv"
	"time"
)

// pauses are the times between two attempts; a delivery whose last attempt fails is dead.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

// jitterShare is by how much of itself a pause may grow, so that the events of an outage do not all come back at once.
const jitterShare = 0.2

// longestWait bounds what a receiver may ask for in Retry-After.
const longestWait = 24 * time.Hour

// pauseAfter is how long to wait after the tries-th failure, counted from 1; ok is false when no attempt follows. A receiver that
// asks for more time than the schedule gives gets it.
func pauseAfter(tries int, jitter float64, asked time.Duration) (pause time.Duration, ok bool) {
	if tries > len(pauses) {
		return 0, false
	}
	pause = pauses[tries-1]
	pause += time.Duration(jitter * jitterShare * float64(pause))
	return max(pause, min(asked, longestWait)), true
}

// retryAfter reads how long an answer asks to be left alone (RFC 9110, section 10.2.3): seconds or a date.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestWait/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// probePauses are the times between two tries of a webhook that was paused by its failures; the last one repeats.
var probePauses = []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour}

func probeAfter(probes int) time.Duration { return probePauses[min(probes, len(probePauses)-1)] }
