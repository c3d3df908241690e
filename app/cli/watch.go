package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/tmaxmax/go-sse"
	"golang.org/x/term"
)

type watchCommand struct {
	access
	Job string `arg:"" help:"The job's id."`
}

func (c watchCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	ended, err := watchJob(ctx, connection, streams, c.Job, c.Job, c.JSON)
	if err != nil {
		return err
	}
	if !c.JSON {
		if err := printText(streams.Out, "%s\t%s\t%s\n", ended.ID, ended.JobType, ended.Status); err != nil {
			return err
		}
	}
	return ended.failure()
}

// job is a job as its events have it.
type job struct {
	ID           string
	JobType      string `json:"job_type"`
	Status       string
	Progress     int
	Note         string
	DocumentID   string `json:"document_id"`
	Result       string
	ErrorMessage string `json:"error_message"`
	CancelReason string `json:"cancel_reason"`
}

// failure returns the reason why an ended job has no result.
func (j job) failure() error {
	switch j.Status {
	case "completed":
		return nil
	case "cancelled":
		return refused("the job was cancelled: %s", cmp.Or(j.CancelReason, "no reason is given"))
	}
	return refused("the job failed: %s", cmp.Or(j.ErrorMessage, "no reason is given"))
}

// watchJob shows the progress of a job under a name, and returns the job when it has ended. With
// answers it prints the events instead.
func watchJob(ctx context.Context, connection *Connection, streams Streams, id, name string, answers bool) (job, error) {
	var last job
	shown := newProgress(streams.Err, name)
	err := connection.follow(ctx, "/api/v1/jobs/"+url.PathEscape(id)+"/events", "", func(event sse.Event) (bool, error) {
		var now job
		if err := json.Unmarshal([]byte(event.Data), &now); err != nil {
			return false, refused("an event is not Rostrum's: %v", err)
		}
		last = now
		if answers {
			return event.Type != "end", printAnswer(streams.Out, []byte(event.Data))
		}
		if event.Type == "end" {
			return false, shown.end()
		}
		return true, shown.set(now)
	})
	return last, err
}

// progress shows how far a job is: by a bar on a terminal, and else by lines.
type progress struct {
	to   io.Writer
	name string
	bar  *progressbar.ProgressBar // nil for lines
	line string
}

// A bar with its name and state fits into a line of 100 columns.
const (
	barWidth     = 24
	longestName  = 30
	longestState = 36
)

func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func newProgress(to io.Writer, name string) *progress {
	shown := &progress{to: to, name: oneLine(cleanText(name))}
	if file, ok := to.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		shown.bar = progressbar.NewOptions(100, progressbar.OptionSetWriter(to), progressbar.OptionSetWidth(barWidth),
			progressbar.OptionSetDescription(shown.name), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	}
	return shown
}

func (p *progress) set(now job) error {
	state := cmp.Or(now.Note, now.Status)
	if p.bar != nil {
		p.bar.Describe(shorten(p.name, longestName) + ": " + shorten(oneLine(cleanText(state)), longestState))
		return p.bar.Set(min(now.Progress, 99)) // the end clears the bar
	}
	line := fmt.Sprintf("%s: %d %%, %s\n", p.name, now.Progress, oneLine(state))
	if line == p.line {
		return nil
	}
	p.line = line
	return printText(p.to, "%s", line)
}

func (p *progress) end() error {
	if p.bar == nil {
		return nil
	}
	return p.bar.Finish()
}
