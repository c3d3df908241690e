package compare

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Usage is the CPU time of processes and their resident memory in bytes. Memory that processes
// share counts once.
type Usage struct {
	CPU    time.Duration
	Memory int64
}

// GroupUsage returns the usage of the processes of a process group; it is zero where the system has
// no /proc.
func GroupUsage(group int) Usage {
	var all Usage
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the process has ended
		}
		if found, ok := parseStat(string(text)); ok && found.group == group {
			all.CPU += found.cpu
			all.Memory += readMemory(filepath.Join(filepath.Dir(file), "smaps_rollup"))
		}
	}
	return all
}

// ServerCPU returns the CPU time of the processes with the ids, which are backends of a Postgres
// server. Processes of another name are left out, as the server may run on another machine.
func ServerCPU(ids []int32) map[int32]time.Duration {
	all := make(map[int32]time.Duration, len(ids))
	for _, id := range ids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
		if err != nil {
			continue // the backend has ended
		}
		if found, ok := parseStat(string(text)); ok && strings.HasPrefix(found.name, "postgres") {
			all[id] = found.cpu
		}
	}
	return all
}

// AddedCPU returns the CPU time that the processes used after the first of two observations. Those
// that ended in between do not count.
func AddedCPU(before, after map[int32]time.Duration) time.Duration {
	var all time.Duration
	for id, cpu := range after {
		all += cpu - before[id]
	}
	return all
}

// clockTick is the unit of CPU times in /proc, which Linux fixes for programs.
const clockTick = 10 * time.Millisecond

// processStat is the part of /proc/PID/stat that is measured.
type processStat struct {
	name  string
	group int
	cpu   time.Duration
}

// parseStat parses the text of /proc/PID/stat. The name of the program is in parentheses and may
// contain some.
func parseStat(text string) (processStat, bool) {
	begin, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if begin < 0 || end < begin {
		return processStat{}, false
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 13 {
		return processStat{}, false
	}
	group, err := strconv.Atoi(fields[2])
	user, err2 := strconv.ParseInt(fields[11], 10, 64)
	system, err3 := strconv.ParseInt(fields[12], 10, 64)
	if err != nil || err2 != nil || err3 != nil {
		return processStat{}, false
	}
	return processStat{text[begin+1 : end], group, time.Duration(user+system) * clockTick}, true
}

// readMemory returns the process's share of resident memory in bytes; 0 where the system does not
// report it.
func readMemory(file string) int64 {
	text, _ := os.ReadFile(file) // the process may have ended
	return parseMemory(text)
}

// parseMemory parses the proportional set size in the text of smaps_rollup.
func parseMemory(text []byte) int64 {
	for line := range bytes.Lines(text) {
		var kilobytes int64
		if _, err := fmt.Sscanf(string(line), "Pss: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}
