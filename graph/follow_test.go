package graph

import (
	"bytes"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/model"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	t.Run("an event is written once for all who select the same of it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		event := jobEvent(1)
		for id, query := range map[string]string{"1": watch, "another": watch, "3": strings.Replace(watch, "position", "at: position", 1)} {
			c := b.dial(t, readKey)
			c.init(`{}`)
			c.subscribe(id, query)
			b.events <- event
			want := firstEvent
			if query != watch {
				want = strings.Replace(firstEvent, `"position"`, `"at"`, 1)
			}
			c.want(`{"id":"` + id + `","type":"next","payload":` + want + `}`)
			c.send(`{"id":"` + id + `","type":"complete"}`)
			c.send(`{"type":"ping"}`)
			c.want(`{"type":"pong"}`)
		}
		if n := b.server.texts.Len(); n != 2 {
			t.Errorf("%d texts of one event in two selections", n)
		}
	})
	t.Run("what cannot be written from its row is answered as gqlgen does", func(t *testing.T) {
		t.Parallel()
		var answers []string
		for _, interpret := range []bool{true, false} {
			b := setup(t, func(c *Config) { c.Interpret = interpret })
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
				t.Errorf("behind it comes %s (%v)", next, err)
			}
			answers = append(answers, broken+next)
		}
		if answers[0] != answers[1] || !strings.Contains(answers[0], `"errors"`) {
			t.Errorf("gqlgen   %s\ncompiled %s", answers[0], answers[1])
		}
	})
}

// recorded keeps what each write to a connection brings.
type recorded struct {
	net.Conn
	writes [][]byte
}

func (r *recorded) Write(p []byte) (int, error) {
	r.writes = append(r.writes, bytes.Clone(p))
	return len(p), nil
}

func (*recorded) SetWriteDeadline(time.Time) error { return nil }

func TestWire(t *testing.T) {
	t.Parallel()
	r := &recorded{}
	w := &wire{Conn: r, early: []byte("early")}
	write := func(text string) {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	write("alone")
	w.gather()
	write("one ")
	w.gather()
	write("two")
	if len(r.writes) != 1 {
		t.Errorf("%d writes before the flush", len(r.writes))
	}
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	w.gather()
	long := strings.Repeat("x", wireHold+1)
	write("before ")
	write(long)
	write("behind")
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	var got []string
	for _, p := range r.writes {
		got = append(got, string(p))
	}
	if want := []string{"alone", "one two", "before ", long, "behind"}; !slices.Equal(got, want) {
		t.Errorf("%.100q", got)
	}
	into := make([]byte, 3)
	for _, want := range []string{"ear", "ly"} {
		if n, err := w.Read(into); string(into[:n]) != want || err != nil {
			t.Errorf("%q, %v", into[:n], err)
		}
	}
}
