// Command abuse sends inputs that are wrong, at their limits or expensive to a gateway with little
// memory, on SQLite and on Postgres. It generates them from the GraphQL schema and the OpenAPI
// document, and checks that the gateway survives, that no response is an internal error or has data
// of another workspace, and that the memory is freed. It needs the programs of Postgres and starts
// a server of its own. ABUSE_SHORT=1 limits it to two minutes, ABUSE_MIXES=1 to the mixes of large requests, and ABUSE_SEED=N repeats the order of a
// run.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"rostrum/test/kit/harness"
)

// plan bounds a run.
type plan struct {
	requests time.Duration // how long generated requests are sent to each gateway
	files    time.Duration // how long hostile files are sent to each gateway
	// how long the memory may take to be freed: two of the runtime's periodic collections free pooled buffers
	settle   time.Duration
	fileSize int // number of parts of a hostile file
	// whether all requests must be sent: on Postgres in any case, and on SQLite, which is slower, unless the time is up
	full bool
	// whether only the mixes of large requests are sent
	mixesOnly bool
	seed      uint64
}

func newPlan() (plan, error) {
	p := plan{requests: 10 * time.Minute, files: 3 * time.Minute, settle: 5 * time.Minute, fileSize: 100_000, full: true, seed: rand.Uint64()}
	if os.Getenv("ABUSE_SHORT") != "" {
		p.requests, p.files, p.settle, p.fileSize, p.full = 5*time.Second, 3*time.Second, 0, 5000, false
	}
	p.mixesOnly = os.Getenv("ABUSE_MIXES") != ""
	if text := os.Getenv("ABUSE_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return p, fmt.Errorf("ABUSE_SEED: %w", err)
		}
		p.seed = seed
	}
	return p, nil
}

func main() { harness.Run("abuse", runAbuse) }

// runAbuse attacks a gateway on each database. It returns an error if a promise does not hold.
func runAbuse(ctx context.Context, program, folder string) error {
	p, err := newPlan()
	if err != nil {
		return err
	}
	fmt.Printf("seed %d\n", p.seed)
	failed := 0
	for _, database := range []string{"SQLite", "Postgres"} {
		r := newReport(database)
		if err := attackDatabase(ctx, p, program, filepath.Join(folder, database), database, r); err != nil {
			return fmt.Errorf("%s: %w", database, err)
		}
		fmt.Print(r.text())
		failed += len(r.Problems())
	}
	if failed > 0 {
		return fmt.Errorf("%d promises do not hold; repeat with ABUSE_SEED=%d", failed, p.seed)
	}
	return nil
}

// attackDatabase starts a gateway on a database, sends all inputs and checks the promises.
func attackDatabase(ctx context.Context, p plan, program, folder, database string, r *report) error {
	t, err := startTarget(ctx, program, folder, database)
	if err != nil {
		return err
	}
	defer t.stop()
	if err := t.createWorkspaces(ctx); err != nil {
		return err
	}
	before, err := t.readOther(ctx)
	if err != nil {
		return err
	}
	rest := t.memory()
	inputs, err := t.generateInputs(ctx)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(p.seed, 0))
	random.Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
	t.sendMixes(ctx, r)
	if !p.mixesOnly {
		t.sendInputs(ctx, inputs, p, r)
		t.sendFiles(ctx, p, random, r)
	}
	after, err := t.readOther(ctx)
	if err != nil {
		r.AddProblem("the other workspace cannot be read after the requests: %v", err)
	}
	compareOther(before, after, r)
	t.checkEnd(ctx, p, rest, r)
	return nil
}
