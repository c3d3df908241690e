package webhook

import "time"

// retryDelays are the delays between attempts. When the attempt after the last delay fails, the
// delivery fails.
var retryDelays = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour,
	16 * time.Hour, 24 * time.Hour,
}

// maxRetryAge is the age at which a delivery has made all its attempts.
var maxRetryAge = func() (sum time.Duration) {
	for _, delay := range retryDelays {
		sum += delay
	}
	return sum
}()

// jitterRatio is the largest share by which a delay grows at random. Without it, the events of an
// outage would all be retried at once.
const jitterRatio = 0.2

// retryDelay returns the delay after the failed attempt with this number, counted from 1; ok is
// false if no attempt follows. A longer delay that the receiver asks for is used instead.
func retryDelay(tries int, jitter float64, asked time.Duration) (pause time.Duration, ok bool) {
	if tries > len(retryDelays) {
		return 0, false
	}
	pause = retryDelays[tries-1]
	pause += time.Duration(jitter * jitterRatio * float64(pause))
	return max(pause, asked), true
}

// probeDelays are the delays between probes of a webhook paused for failures. The last one repeats.
var probeDelays = []time.Duration{10 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute}

func probeDelay(probes int) time.Duration { return probeDelays[min(probes, len(probeDelays)-1)] }
