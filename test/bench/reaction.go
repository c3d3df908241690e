package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The claims for a reaction job: the number of personas, the maximum time, and the maximum time
// without progress.
const (
	reactionPersonas = 100
	reactionClaim    = 15 * time.Second
	silenceClaim     = time.Second
)

// reactionResult is the time of a reaction job and its longest time without progress.
type reactionResult struct {
	database      string
	took, silence time.Duration
}

// measureReactions measures a reaction job of many personas with the built-in engine on a long
// document.
func measureReactions(ctx context.Context, g *gateway, database string) (out reactionResult, err error) {
	out.database = database
	p, err := g.createWorkspace(ctx, "Reactions")
	if err != nil {
		return out, err
	}
	c := restClient{base: g.base, key: p.key}
	logProgress("reactions on %s", database)
	for n := range reactionPersonas {
		if _, err := g.createPersona(ctx, p, n); err != nil {
			return out, err
		}
	}
	v := newGenerator(99)
	var text strings.Builder
	for range 200 {
		text.WriteString(v.words(18) + ". ")
	}
	var made struct{ Document struct{ ID string } }
	body := map[string]any{"title": v.words(6), "content": text.String()}
	if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/documents", body, http.StatusOK, &made); err != nil {
		return out, err
	}
	var begun struct {
		JobID string `json:"job_id"`
	}
	began := time.Now()
	ask := map[string]any{"document_id": made.Document.ID}
	if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/personas/reactions/async", ask, http.StatusAccepted,
		&begun); err != nil {
		return out, err
	}
	return out, c.awaitReactions(ctx, begun.JobID, began, &out)
}

// awaitReactions waits for the end of the job and records the longest time without progress.
func (c restClient) awaitReactions(ctx context.Context, jobID string, began time.Time, out *reactionResult) error {
	var job struct {
		Status   string
		Progress int
	}
	heard, last := began, 0
	for job.Status != "completed" {
		if job.Status == "failed" || time.Since(began) > time.Minute+reactionClaim {
			return fmt.Errorf("a reaction job on %s is %s", out.database, job.Status)
		}
		time.Sleep(10 * time.Millisecond)
		if err := c.sendJSON(ctx, http.MethodGet, "/api/v1/jobs/"+jobID, nil, http.StatusOK, &job); err != nil {
			return err
		}
		if job.Progress != last {
			out.silence = max(out.silence, time.Since(heard))
			heard, last = time.Now(), job.Progress
		}
	}
	out.took = time.Since(began)
	return nil
}

// measureReactions measures reactions on one database.
func (r *report) measureReactions(ctx context.Context, g *gateway, database string) error {
	found, err := measureReactions(ctx, g, database)
	r.reactions = append(r.reactions, found)
	return err
}

// reactionText writes the report on reactions.
func (r *report) reactionText(b *strings.Builder) {
	for _, one := range r.reactions {
		fmt.Fprintf(b, "Reactions of %d personas with the built-in engine on %s: %.1f s, claim under %.0f s: %s; at most %.0f ms without progress, claim under %d: %s\n",
			reactionPersonas, one.database, one.took.Seconds(), reactionClaim.Seconds(),
			formatVerdict(one.took < reactionClaim),
			float64(one.silence.Milliseconds()), silenceClaim.Milliseconds(), formatVerdict(one.silence < silenceClaim))
	}
}
