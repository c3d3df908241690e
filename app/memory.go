package app

import (
	"log/slog"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is the share of a container's memory that Go may use. SQLite's pages, child processes
// and the system need the rest.
const memoryShare = 0.8

// limitMemory sets GOMEMLIMIT from the limit of the process's cgroup, unless it is set. Near the
// limit Go then collects garbage more often, so the container is not ended. Without a limit it does
// nothing.
func limitMemory() {
	limit, err := memlimit.SetGoMemLimitWithOpts(memlimit.WithRatio(memoryShare),
		memlimit.WithProvider(memlimit.FromCgroup))
	if err == nil && limit > 0 {
		slog.Info("the memory limit of Go is derived from the container's", "bytes", limit)
	}
}

const (
	// unlimitedMemory is what the budgets are derived from without a limit and where the system does
	// not tell its memory.
	unlimitedMemory = 4 << 30
	// frameMemory, queryMemory and bodyMemory are the parts of the memory that all responses of streams
	// that are not yet written, all texts that queries have read, and all bodies of requests may hold:
	// a part in so many.
	frameMemory, queryMemory, bodyMemory = 16, 8, 4
)

// memoryBytes returns how much memory Go may use: its limit, or that share of the machine's.
func memoryBytes() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	if all, err := memlimit.FromSystem(); err == nil && all > 0 && all < math.MaxInt64 {
		return int64(float64(all) * memoryShare)
	}
	return unlimitedMemory
}

// frameBytes returns how many bytes all responses of streams that are not yet written may hold.
func frameBytes() int { return int(memoryBytes() / frameMemory) }

// textBytes returns how many bytes the texts may hold that queries have read and not yet answered.
// They are in memory as rows, as JSON and as what is written.
func textBytes() int { return int(memoryBytes() / queryMemory) }

// bodyBytes returns how many bytes the bodies of all requests may hold that are not answered yet.
func bodyBytes() int64 { return memoryBytes() / bodyMemory }
