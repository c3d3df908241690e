package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

func describeMachine() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", processorName(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version())
}

// processorName returns the CPU's name where the system reports it.
func processorName() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unnamed processor"
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unnamed processor"
}

// reportedModules are the modules whose versions affect the figures.
var reportedModules = []string{
	"github.com/99designs/gqlgen", "github.com/uptrace/bun", "github.com/jackc/pgx/v5", "github.com/riverqueue/river",
	"modernc.org/sqlite",
}

func moduleVersions(server string) string {
	list := []string{"Postgres " + server}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return list[0]
	}
	for _, path := range reportedModules {
		for _, module := range info.Deps {
			if module.Path == path {
				list = append(list, path+" "+module.Version)
			}
		}
	}
	return strings.Join(list, ", ")
}
