package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// What is asked of a reaction job: of how many personas, how long it may take, and how long it may say nothing.
const (
	reacting      = 100
	reactionClaim = 15 * time.Second
	silenceClaim  = time.Second
)

// reactions is how long a reaction job took, and the longest time without a word of it.
type reactions struct {
	database      string
	took, silence time.Duration
}

// react measures a reaction job of many personas with the built-in engine on a long document.
func react(ctx context.Context, g *gateway, database string) (out reactions, err error) {
	out.database = database
	p, err := g.place(ctx, "Reactions")
	if err != nil {
		return out, err
	}
	c := caller{base: g.base, key: p.key}
	progress("reactions on %s", database)
	for n := range reacting {
		if _, err := g.persona(ctx, p, n); err != nil {
			return out, err
		}
	}
	v := newInventor(99)
	var text strings.Builder
	for range 200 {
		text.WriteString(v.words(18) + ". ")
	}
	var made struct{ Document struct{ ID string } }
	body := map[string]any{"title": v.words(6), "content": text.String()}
	if err := c.call(ctx, http.MethodPost, "/api/v1/documents", body, http.StatusOK, &made); err != nil {
		return out, err
	}
	var begun struct {
		JobID string `json:"job_id"`
	}
	began := time.Now()
	ask := map[string]any{"document_id": made.Document.ID}
	if err := c.call(ctx, http.MethodPost, "/api/v1/personas/reactions/async", ask, http.StatusAccepted, &begun); err != nil {
		return out, err
	}
	return out, c.follow(ctx, begun.JobID, began, &out)
}

// follow waits for the end of the job and notes the longest time without progress.
func (c caller) follow(ctx context.Context, jobID string, began time.Time, out *reactions) error {
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
		if err := c.call(ctx, http.MethodGet, "/api/v1/jobs/"+jobID, nil, http.StatusOK, &job); err != nil {
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

// onReactions measures reactions on one database.
func (r *report) onReactions(ctx context.Context, g *gateway, database string) error {
	found, err := react(ctx, g, database)
	r.reactions = append(r.reactions, found)
	return err
}

// reactionText is the report's part about reactions.
func (r *report) reactionText(b *strings.Builder) {
	for _, one := range r.reactions {
		fmt.Fprintf(b, "Reactions of %d personas with the built-in engine on %s: %.1f s, asked under %.0f s: %s; at most %.0f ms without progress, asked under %d: %s\n",
			reacting, one.database, one.took.Seconds(), reactionClaim.Seconds(), verdict(one.took < reactionClaim),
			float64(one.silence.Milliseconds()), silenceClaim.Milliseconds(), verdict(one.silence < silenceClaim))
	}
}
