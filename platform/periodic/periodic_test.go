package periodic_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"rostrum/platform/periodic"
)

// TestNow runs work at once and after each interval, also after an error and a panic, until the
// context ends.
func TestNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Second)
		defer cancel()
		began, runs := time.Now(), []time.Duration{}
		periodic.Now(ctx, time.Minute, "try", func(context.Context) error {
			if runs = append(runs, time.Since(began)); len(runs) == 1 {
				panic("the first run")
			}
			return errors.New("all others")
		})
		if len(runs) != 3 || runs[0] != 0 || runs[1] != time.Minute || runs[2] != 2*time.Minute {
			t.Errorf("it ran after %v", runs)
		}
	})
}
