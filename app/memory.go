package app

import (
	"log/slog"

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
