package graph

import (
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/test/kit/poll"
)

// TestStream_limits opens more subscriptions than a key or a workspace may have, on several sockets
// and over server-sent events, and opens one again after another has ended.
func TestStream_limits(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Config){
		"key":       func(c *Config) { c.Policy.Limits.KeyStreams = 2 },
		"workspace": func(c *Config) { c.Policy.Limits.WorkspaceStreams = 2 },
		"server":    func(c *Config) { c.Policy.Limits.AllStreams = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t, change)
			first, second, third := b.dial(t, readKey), b.dial(t, readKey), b.dial(t, readKey)
			for _, c := range []*socketClient{first, second, third} {
				c.init(`{}`)
			}
			b.eventsOf = map[string]chan *model.JobEvent{"job_2": bufferedEvent(), "job_3": bufferedEvent()}
			first.subscribe("1", watchQuery)
			b.events <- jobEvent(1)
			second.subscribe("1", strings.Replace(watchQuery, "job_1", "job_2", 1))
			for _, c := range []*socketClient{first, second} {
				c.want(`{"id":"1","type":"next","payload":` + firstEvent + `}`)
			}
			code := map[bool]string{true: `"code":"unavailable"`, false: `"code":"rate_limited"`}[name == "server"]
			third.subscribe("1", watchQuery)
			if got, _ := third.read(); !strings.Contains(got, code) || !strings.Contains(got, name+" has the most streams") &&
				!strings.Contains(got, "key or user has the most streams") {
				t.Errorf("over the limit: %s", got)
			}
			third.want(`{"id":"1","type":"complete"}`)
			if got := b.post(t, readKey, watchQuery, "Accept", "text/event-stream"); !strings.Contains(got.body, code) {
				t.Errorf("over the limit, as events: %d %s", got.status, got.body)
			}
			b.post(t, readKey, `{ __typename }`).want(t, 200)
			first.send(`{"id":"1","type":"complete"}`)
			poll.Until(t, func() bool {
				third.subscribe("2", strings.Replace(watchQuery, "job_1", "job_3", 1))
				got, _ := third.read()
				if !strings.Contains(got, code) {
					return true
				}
				third.want(`{"id":"2","type":"complete"}`)
				return false
			}, "no subscription is accepted after one has ended")
		})
	}
}

// bufferedEvent returns a channel with the first event.
func bufferedEvent() chan *model.JobEvent {
	events := make(chan *model.JobEvent, 1)
	events <- jobEvent(1)
	return events
}

// TestStream_text sends events with a text that is too long for a stream, and then one with a short
// text. gqlgen and compiled selections answer the same, and a query has the text.
func TestStream_text(t *testing.T) {
	t.Parallel()
	const query = `subscription { jobProgress(jobId: "job_1") { position job { id note } } }`
	var answers []string
	for _, interpret := range []bool{false, true} {
		b := newTestBundle(t, func(c *Config) { c.Interpret, c.Policy.Limits.StreamText = interpret, 100 })
		c, beside := b.dial(t, readKey), b.dial(t, readKey)
		b.eventsOf = map[string]chan *model.JobEvent{"job_2": make(chan *model.JobEvent)}
		answer := ""
		for socket, job := range map[*socketClient]string{c: "job_1", beside: "job_2"} {
			socket.init(`{}`)
			socket.subscribe("1", strings.Replace(query, "job_1", job, 1))
		}
		for position, length := range []int{101, 100} {
			event := jobEvent(position)
			event.State.Note = new(strings.Repeat("n", length))
			b.events <- event
			b.eventsOf["job_2"] <- event
			for _, socket := range []*socketClient{c, beside} {
				got, err := socket.read()
				if err != nil {
					t.Fatal(err)
				}
				failed := strings.Contains(got, "read the text by a query") && strings.Contains(got, `"note":null`)
				if failed != (length > 100) || strings.Contains(got, strings.Repeat("n", 101)) {
					t.Errorf("a text of %d bytes: %s", length, got)
				}
				answer += got
			}
		}
		answers = append(answers, answer)
	}
	if answers[0] != answers[1] {
		t.Errorf("compiled %s\ngqlgen   %s", answers[0], answers[1])
	}
}
