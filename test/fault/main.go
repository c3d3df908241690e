// Command fault runs three gateways under load, injects faults into them and their servers, and
// checks that every accepted request was stored once, every job ended, every watcher received every
// event in order, and every event was delivered. It needs the programs of Postgres and Redis and
// starts servers of its own. A run has at least 300 faults, at least one of each kind, in at most
// 15 minutes. FAULTS_SHORT=1 limits it to one minute, with the faults that happen in it. With -from
// REVISION the only faults are upgrades: gateways of an earlier revision of this repository are
// replaced one after another.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"rostrum/test/kit/harness"
)

// plan is how long the command injects faults, waits for an end of the work after them and for the
// deliveries, pauses a process and takes the receiver down. A webhook that was paused for failures
// is probed every five minutes, so its deliveries may follow later than other work.
type plan struct {
	faults, settle, deliveries, pause, outage time.Duration
	longest                                   time.Duration // limit of the whole run
	watchers                                  int
	minFaults                                 int  // the least number of faults
	every                                     bool // whether every fault is injected at least once
}

// The limits of a run after the program was built. A short run takes a minute, and longer on a busy
// machine.
const (
	shortLimit = 10 * time.Minute
	fullLimit  = 15 * time.Minute
)

func newPlan() plan {
	if os.Getenv("FAULTS_SHORT") != "" {
		return plan{faults: 15 * time.Second, settle: time.Minute, deliveries: time.Minute, pause: 5 * time.Second,
			outage: 2 * time.Second, watchers: 50, longest: shortLimit}
	}
	return plan{faults: 9 * time.Minute, settle: 3 * time.Minute, deliveries: 6 * time.Minute, pause: 40 * time.Second,
		outage: 2 * time.Minute, watchers: 200,
		longest: fullLimit, minFaults: 300, every: true}
}

func main() {
	from := flag.String("from", "", "the `revision` of the gateways that are replaced by this one")
	flag.Parse()
	harness.Run("fault", func(ctx context.Context, program, folder string) error {
		return runFaults(ctx, newPlan(), *from, program, folder)
	})
}

// runFaults runs the faults of the servers, then those of a full disk, or the upgrade from a
// revision. It returns an error if a promise does not hold.
func runFaults(ctx context.Context, p plan, from, program, folder string) (err error) {
	start := time.Now()
	report := &report{longest: p.longest}
	if from != "" {
		err = runUpgrade(ctx, p, from, program, folder, report)
	} else if err = runCluster(ctx, p, program, folder, (*load).injectFaults, report); err == nil {
		err = runFullDisk(ctx, p, program, folder, report)
	}
	if err != nil {
		return err
	}
	report.duration = time.Since(start)
	fmt.Print(report.text())
	return report.verdict()
}

// runCluster loads three gateways on one Postgres and one Redis while inject injects faults, and
// checks the promises.
func runCluster(ctx context.Context, p plan, program, folder string,
	inject func(*load, context.Context, plan, *report) error, r *report) error {
	c, err := startCluster(ctx, program, folder)
	if err != nil {
		return err
	}
	defer c.stop()
	if c.clock == nil {
		r.AddNote("the clock of Postgres was not moved: libfaketime (the Debian package faketime) is not installed")
	}
	rest, err := c.measureRest(ctx)
	if err != nil {
		return err
	}
	l, err := startLoad(ctx, c, p)
	if err != nil {
		return err
	}
	defer l.stop()
	if err := inject(l, ctx, p, r); err != nil {
		return fmt.Errorf("%w; the last lines of the logs:\n%s", err, harness.LastLines(c.folder))
	}
	l.stopWriting()
	defer r.AddLogs(c.folder)
	return l.verify(ctx, p, rest, r)
}
