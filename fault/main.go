// Command fault runs three gateways under load, injects faults into them and their servers, and checks that every accepted request was
// stored once, every job ended, every watcher received every event in order, and every event was delivered. It needs the programs of
// Postgres and Redis and starts servers of its own. FAULTS_SHORT=1 limits it to one minute instead of 15.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"rostrum/testkit/process"
)

// plan is how long the command injects faults, and how long it waits for an end of the work after them.
type plan struct {
	faults, settle, pause time.Duration
	watchers              int
}

func newPlan() plan {
	if os.Getenv("FAULTS_SHORT") != "" {
		return plan{faults: 15 * time.Second, settle: time.Minute, pause: 5 * time.Second, watchers: 50}
	}
	return plan{faults: 11 * time.Minute, settle: 3 * time.Minute, pause: 40 * time.Second, watchers: 200}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runCommand(ctx, newPlan())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		os.Exit(1)
	}
}

// runCommand runs the faults of the servers, then those of a full disk. It returns an error if a promise does not hold.
func runCommand(ctx context.Context, p plan) (err error) {
	folder, err := os.MkdirTemp("", "rostrum-fault-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // the database server runs as another user
		return err
	}
	program, err := process.BuildProgram(ctx, folder)
	if err != nil {
		return err
	}
	report := &report{}
	if err := runCluster(ctx, p, program, folder, report); err != nil {
		return err
	}
	if err := runFullDisk(ctx, p, program, folder, report); err != nil {
		return err
	}
	fmt.Print(report.text())
	return report.verdict()
}

// runCluster loads three gateways on one Postgres and one Redis while faults are injected, and checks the promises.
func runCluster(ctx context.Context, p plan, program, folder string, r *report) error {
	c, err := startCluster(ctx, program, folder)
	if err != nil {
		return err
	}
	defer c.stop()
	rest, err := c.measureRest(ctx)
	if err != nil {
		return err
	}
	l, err := startLoad(ctx, c, p)
	if err != nil {
		return err
	}
	defer l.stop()
	if err := l.injectFaults(ctx, p, r); err != nil {
		return err
	}
	l.stopWriting()
	defer func() { r.logs = c.logNotes() }()
	return l.verify(ctx, p, rest, r)
}
