package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// report collects the outcomes of a run on one database.
type report struct {
	database string
	mu       sync.Mutex
	counts   map[string]map[string]int // by kind of input and outcome
	problems []string
	notes    []string
	errors   map[string]int // errors in the log and reasons of 503 responses, without times and ids
}

func newReport(database string) *report {
	return &report{database: database, counts: map[string]map[string]int{}, errors: map[string]int{}}
}

func (r *report) addOutcome(kind, outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts[kind] == nil {
		r.counts[kind] = map[string]int{}
	}
	r.counts[kind][outcome]++
}

func (r *report) addProblem(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func (r *report) addNote(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// addSent notes how many requests were sent in the order of the seed. If all of them are required,
// others are a problem.
func (r *report) addSent(kind string, sent, all int, required bool) {
	r.addNote("%d of %d %s were sent", sent, all, kind)
	if required && sent < all {
		r.addProblem("only %d of %d %s were sent", sent, all, kind)
	}
}

// tracedLines is the number of lines after a panic that name the functions in which it happened.
const tracedLines = 24

// addLog adds the panics of the gateway's log, with the start of their traces, and counts its
// errors.
func (r *report) addLog(log string) {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "fatal error:"):
			r.addProblem("in the log: %s", strings.Join(lines[i:min(len(lines), i+tracedLines)], "\n"))
		case strings.Contains(line, "panic"), strings.Contains(line, "fatal error"):
			r.addProblem("in the log: %.600s", line)
		case strings.Contains(line, "level=ERROR"):
			r.addError(line)
		}
	}
}

// addError counts an error of the log by its text without the request's id.
func (r *report) addError(line string) {
	_, message, _ := strings.Cut(strings.TrimSpace(line), "level=ERROR ")
	message, _, _ = strings.Cut(message, " request_id=")
	r.errors[fmt.Sprintf("in the log: %.300s", message)]++
}

// addUnavailable counts a response with status 503 by its reason.
func (r *report) addUnavailable(kind string, body []byte) {
	var problem struct{ Detail string }
	_ = json.Unmarshal(body, &problem) // the reason is empty for other bodies
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors[fmt.Sprintf("503 for %s: %.200s", kind, problem.Detail)]++
}

// outcomes are the columns of the table.
var outcomes = []string{"2xx", "3xx", "4xx", "503", "open stream", "failed", "no response"}

// maxListed is the number of problems and of errors that are printed.
const maxListed = 25

func (r *report) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n%s:\n%-40s", r.database, "")
	for _, outcome := range outcomes {
		fmt.Fprintf(&out, "%12s", outcome)
	}
	fmt.Fprintln(&out)
	for _, kind := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&out, "%-40s", kind)
		for _, outcome := range outcomes {
			fmt.Fprintf(&out, "%12d", r.counts[kind][outcome])
		}
		fmt.Fprintln(&out)
	}
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
