package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"rostrum/test/kit/process"
)

// sideBySide is how long gateways of both versions serve the load between two upgrades.
const sideBySide = 5 * time.Second

// runUpgrade loads three gateways of an earlier revision, replaces one after another by the
// program, and checks the promises.
func runUpgrade(ctx context.Context, p plan, revision, program, folder string, r *report) error {
	earlier, err := buildRevision(ctx, revision, folder)
	if err != nil {
		return err
	}
	return runCluster(ctx, p, earlier, folder, func(l *load, ctx context.Context, _ plan, r *report) error {
		return l.upgradeGateways(ctx, program, r)
	}, r)
}

// buildRevision builds the program of a revision of this repository and returns its path.
func buildRevision(ctx context.Context, revision, folder string) (string, error) {
	source := filepath.Join(folder, "earlier")
	if err := os.Mkdir(source, 0o755); err != nil {
		return "", err
	}
	archive, err := exec.CommandContext(ctx, "git", "archive", revision).Output()
	if err != nil {
		return "", fmt.Errorf("read revision %s: %w", revision, err)
	}
	extract := exec.CommandContext(ctx, "tar", "-x", "-C", source)
	extract.Stdin = bytes.NewReader(archive)
	if out, err := extract.CombinedOutput(); err != nil {
		return "", fmt.Errorf("extract revision %s: %w: %s", revision, err, out)
	}
	return process.BuildProgram(ctx, source, source)
}

// upgradeGateways terminates one gateway after another and starts the program in its place; the
// first one migrates the database.
func (l *load) upgradeGateways(ctx context.Context, program string, r *report) error {
	l.program = program
	for _, g := range l.gateways {
		time.Sleep(sideBySide)
		if err := restart(ctx, g.Server, syscall.SIGTERM); err != nil {
			return err
		}
		r.addFault("gateway upgraded", l.awaitRecovery([]*gateway{g}))
	}
	time.Sleep(sideBySide)
	return nil
}
