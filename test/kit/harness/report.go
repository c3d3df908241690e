package harness

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// maxListed is the number of problems and of errors that a report prints.
const maxListed = 40

// Report has the problems and notes of a run. It may be used by several goroutines.
type Report struct {
	mu       sync.Mutex
	problems []string
	notes    []string
	errors   map[string]int // without times and ids
}

// AddProblem adds a promise that does not hold.
func (r *Report) AddProblem(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// AddNote adds a line about the run.
func (r *Report) AddNote(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// AddError counts an error that is not a problem.
func (r *Report) AddError(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.errors == nil {
		r.errors = map[string]int{}
	}
	r.errors[fmt.Sprintf(format, args...)]++
}

// Problems returns the problems so far.
func (r *Report) Problems() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.problems)
}

// tracedLines is the number of lines after a panic that name the functions in which it happened.
const tracedLines = 24

// AddLogs adds the panics in the gateways' logs of a folder as problems, with the start of their
// traces, and counts the errors without times and ids.
func (r *Report) AddLogs(folder string) {
	for _, lines := range readLogs(folder) {
		for i, line := range lines {
			if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
				r.AddProblem("in the log: %s", strings.Join(lines[i:min(len(lines), i+tracedLines)], "\n"))
			} else if strings.Contains(line, "panic") || strings.Contains(line, "fatal error") {
				r.AddProblem("in the log: %.600s", line)
			} else if _, message, ok := strings.Cut(line, "level=ERROR "); ok {
				message, _, _ = strings.Cut(strings.TrimSpace(message), " request_id=")
				r.AddError("in the log: %.300s", message)
			}
		}
	}
}

// LastLines returns the last lines of each log of a folder, which tell why a gateway exited.
func LastLines(folder string) string {
	const count = 5
	var out strings.Builder
	for _, lines := range readLogs(folder) {
		fmt.Fprintln(&out, strings.Join(lines[max(0, len(lines)-count):], "\n"))
	}
	return out.String()
}

func readLogs(folder string) (logs [][]string) {
	files, _ := filepath.Glob(filepath.Join(folder, "log-*")) // the pattern is valid
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil {
			logs = append(logs, strings.Split(strings.TrimSpace(string(text)), "\n"))
		}
	}
	return logs
}

// Text returns the notes, errors and problems.
func (r *Report) Text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out strings.Builder
	for _, note := range r.notes {
		fmt.Fprintln(&out, note)
	}
	for _, message := range slices.Sorted(maps.Keys(r.errors))[:min(len(r.errors), maxListed)] {
		fmt.Fprintf(&out, "%d times: %s\n", r.errors[message], message)
	}
	for _, problem := range r.problems[:min(len(r.problems), maxListed)] {
		fmt.Fprintln(&out, "PROBLEM", problem)
	}
	fmt.Fprintf(&out, "%d problems\n", len(r.problems))
	return out.String()
}
