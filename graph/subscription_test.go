package graph

import (
	"strings"
	"testing"

	"rostrum/model"
)

func TestSubscription_compiled(t *testing.T) {
	t.Parallel()
	t.Run("an event is encoded once for equal selections", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		event := jobEvent(1)
		for id, query := range map[string]string{"1": watchQuery, "another": watchQuery, "3": strings.Replace(watchQuery, "position", "at: position", 1)} {
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
			c.subscribe("1", `subscription { jobProgress(jobId: "job_1") { position job { id } } }`)
			b.events <- &model.JobEvent{Position: 1, Kind: model.JobEventKindProgress} // without its job
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
