package graph

import (
	"context"
	"strings"
	"testing"

	"rostrum/graph/generated"
	"rostrum/model"
	"rostrum/test/kit/poll"
)

func TestSubscription_compiled(t *testing.T) {
	t.Parallel()
	t.Run("an event is encoded once for equal selections", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		event := jobEvent(1)
		for id, query := range map[string]string{"1": watchQuery, "another": watchQuery,
			"3": strings.Replace(watchQuery, "position", "at: position", 1)} {
			c := b.dial(t, readKey)
			c.init(`{}`)
			c.subscribe(id, query)
			b.events <- event
			want := firstEvent
			if query != watchQuery {
				want = strings.Replace(firstEvent, `"position"`, `"at"`, 1)
			}
			c.want(`{"id":"` + id + `","type":"next","payload":` + want + `}`)
			c.send(`{"id":"` + id + `","type":"complete"}`)
			c.send(`{"type":"ping"}`)
			c.want(`{"type":"pong"}`)
		}
		if n := b.server.compiled.CountEvents(); n != 2 {
			t.Errorf("%d encodings of one event in two selections", n)
		}
	})
	t.Run("rows that cannot be compiled are resolved by gqlgen", func(t *testing.T) {
		t.Parallel()
		var answers []string
		for _, interpret := range []bool{true, false} {
			b := newTestBundle(t, func(c *Config) { c.Interpret = interpret })
			c := b.dial(t, readKey)
			c.init(`{}`)
			c.subscribe("1", `subscription { jobProgress(jobId: "job_1") { position state { status } } }`)
			b.events <- &model.JobEvent{Position: 1, Kind: model.JobEventKindProgress} // without its state
			broken, err := c.read()
			if err != nil {
				t.Fatal(err)
			}
			b.events <- jobEvent(2)
			next, err := c.read()
			if err != nil || !strings.Contains(next, `"position":2`) {
				t.Errorf("the next event is %s (%v)", next, err)
			}
			answers = append(answers, broken+next)
		}
		if answers[0] != answers[1] || !strings.Contains(answers[0], `"errors"`) {
			t.Errorf("gqlgen   %s\ncompiled %s", answers[0], answers[1])
		}
	})
}

// cannedJob counts the calls that load the documents of jobs.
type cannedJob struct {
	generated.JobResolver
	c *cannedData
}

// cannedJobEvent has the jobs of events as they were then.
type cannedJobEvent struct{ generated.JobEventResolver }

func (*cannedData) JobEvent() generated.JobEventResolver { return cannedJobEvent{} }

func (cannedJobEvent) Job(_ context.Context, events []*model.JobEvent) ([]*model.Job, error) {
	jobs := make([]*model.Job, len(events))
	for i, event := range events {
		jobs[i] = event.State
	}
	return jobs, nil
}

func (c *cannedData) Job() generated.JobResolver { return cannedJob{c: c} }

func (r cannedJob) Document(_ context.Context, jobs []*model.Job) ([]*model.Document, error) {
	r.c.loads.Add(1)
	return r.c.documents[:len(jobs)], nil
}

// TestSubscription_edges sends one event to subscribers with different keys and variables. Its
// edges are loaded once for equal scopes and variables.
func TestSubscription_edges(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	event := jobEvent(1)
	query := `subscription ($skip: Boolean = false) { jobProgress(jobId: \"job_1\") { position job { document { title language @skip(if: $skip) } } } }`
	for i, c := range []struct {
		key, variables string
		loads          int64
	}{
		{readKey, `{}`, 1}, {readKey, `{}`, 1}, {writeKey, `{}`, 2}, {readKey, `{"skip": true}`, 3},
		{writeKey, `{}`, 3},
	} {
		client := b.dial(t, c.key)
		client.init(`{}`)
		client.send(`{"id":"1","type":"subscribe","payload":{"query":"` + query + `","variables":` + c.variables + `}}`)
		b.events <- event
		if got, err := client.read(); err != nil || !strings.Contains(got, `"title":"Title of doc_a"`) ||
			strings.Contains(got, "language") == (c.variables != `{}`) {
			t.Errorf("subscriber %d received %s (%v)", i, got, err)
		}
		if n := b.loads.Load(); n != c.loads {
			t.Errorf("the edges are loaded %d times for %d subscribers, want %d", n, i+1, c.loads)
		}
		client.conn.CloseNow()
		poll.Until(t, func() bool { return b.streams.Load() == 0 }, "the subscription does not end")
	}
}
