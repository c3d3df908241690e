package integration

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rostrum/model"
)

// jobPattern matches the type, the parameters and the result of a job in the responses of the
// scenarios.
var jobPattern = regexp.MustCompile(`"job_type": ?"(\w+)"[^{}]*?"parameters": ?("(?:[^"\\]|\\.)*"|null),\s*"result": ?("(?:[^"\\]|\\.)*"|null)`)

// TestJobShapes decodes the parameters and results of all jobs in the scenarios, which the jobs
// themselves have written. Every type of job must occur with both, and none may have an unknown
// shape.
func TestJobShapes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	withResult, withParameters := map[model.JobType]bool{}, map[model.JobType]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range jobPattern.FindAllStringSubmatch(string(text), -1) {
			job := &model.Job{JobTypeText: match[1], ParametersText: storedText(t, match[2]),
				ResultText: storedText(t, match[3])}
			if unknown, ok := job.Parameters().(*model.UnknownJobParameters); ok {
				t.Errorf("%s: the parameters of %s have an unknown shape: %s", file, match[1], unknown.Text)
			}
			if unknown, ok := job.Result().(*model.UnknownJobResult); ok {
				t.Errorf("%s: the result of %s has an unknown shape: %s", file, match[1], unknown.Text)
			}
			withResult[job.JobType()] = withResult[job.JobType()] || job.Result() != nil
			withParameters[job.JobType()] = withParameters[job.JobType()] || job.Parameters() != nil
		}
	}
	for _, jobType := range model.KnownJobTypes() {
		if !withResult[jobType] || !withParameters[jobType] {
			t.Errorf("no scenario has a job of type %s with its result (%t) and parameters (%t)", jobType,
				withResult[jobType], withParameters[jobType])
		}
	}
}

// storedText returns the text of a JSON string or null, with a time in place of the scenarios'
// placeholder.
func storedText(t *testing.T, encoded string) *string {
	t.Helper()
	var text *string
	if err := json.Unmarshal([]byte(encoded), &text); err != nil {
		t.Fatal(err)
	}
	if text != nil {
		*text = strings.ReplaceAll(*text, "<time>", "2026-01-02T03:04:05Z")
	}
	return text
}
