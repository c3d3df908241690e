package deploy_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"rostrum/test/kit/harness"
	"rostrum/test/kit/poll"
)

// load is clients of a topology. They never repeat a request.
type load struct {
	*topology
	ctx      context.Context // ends the followers
	stopping context.Context // ends the clients, after their last request
	stop     context.CancelFunc
	running  sync.WaitGroup
	clients  []*client
	follower []*follower
	mu       sync.Mutex
	failures []string
	created  []string // ids of documents
}

// client sends one request after another.
type client struct{ sent atomic.Int64 }

var caller = harness.NewClient(30 * time.Second)

// startLoad starts clients and followers. The first document's event is where followers begin.
func startLoad(t *testing.T, top *topology) *load {
	t.Helper()
	l := &load{topology: top}
	l.ctx = t.Context()
	l.stopping, l.stop = context.WithCancel(t.Context())
	t.Cleanup(func() { l.stop(); l.running.Wait() })
	l.createDocument()
	var first []string
	if !poll.Holds(func() bool { first = l.readEvents(); return len(first) > 0 }) {
		t.Fatalf("the first document has no event: %v", l.failures)
	}
	for range 4 {
		l.follower = append(l.follower, &follower{load: l, stream: (*load).followSSE, ids: first[:1:1]},
			&follower{load: l, stream: (*load).followSocket, ids: first[:1:1]})
	}
	for _, f := range l.follower {
		go f.run()
	}
	for _, send := range []func(){l.createDocument, l.listDocuments, l.listDocuments,
		l.queryGraph, l.queryGraph, l.mutateGraph} {
		c := &client{}
		l.clients = append(l.clients, c)
		l.running.Go(func() {
			for l.stopping.Err() == nil {
				send()
				c.sent.Add(1)
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	return l
}

// requests returns how many requests the clients have sent.
func (l *load) requests() (sum int64) {
	for _, c := range l.clients {
		sum += c.sent.Load()
	}
	return sum
}

// finish ends the clients and checks the promises.
func (l *load) finish(t *testing.T) {
	t.Helper()
	l.stop()
	l.running.Wait()
	for _, id := range l.created {
		l.send(http.MethodGet, "/api/v1/documents/"+id, nil)
	}
	var all []string
	poll.Until(t, func() bool { all = l.readEvents(); return len(all) >= len(l.created) },
		"each of %d documents has an event", len(l.created))
	for i, f := range l.follower {
		poll.Until(t, func() bool { return f.last() == all[len(all)-1] }, "follower %d has the last event", i)
		if got := f.all(); strings.Join(got, " ") != strings.Join(all, " ") {
			t.Errorf("follower %d has %d events of %d, or others, or another order", i, len(got), len(all))
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, failure := range l.failures {
		t.Error(failure)
	}
	opened := 0
	for _, f := range l.follower {
		opened += int(f.opened.Load())
	}
	t.Logf("%d requests, %d failed; %d events, which %d followers received by %d streams", l.requests(), len(l.failures),
		len(all), len(l.follower), opened)
}

// send sends a request through HAProxy and returns the response's body. Another response than a
// success is a failure.
func (l *load) send(method, path string, body any) []byte {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	got := harness.Send(l.ctx, caller, method, l.url+path,
		http.Header{"X-Api-Key": {l.key}, "Content-Type": {"application/json"}}, text)
	if got.Err != nil || got.Status >= 300 || path == "/graphql" && bytes.Contains(got.Body, []byte(`"errors"`)) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failures = append(l.failures, fmt.Sprintf("%s %s: %d, %v: %.300s", method, path, got.Status, got.Err, got.Body))
	}
	return got.Body
}

func (l *load) createDocument() {
	var made struct{ Document struct{ ID string } }
	_ = json.Unmarshal(l.send(http.MethodPost, "/api/v1/documents", map[string]any{"title": "Load", "content": "Text."}), &made)
	l.addCreated(made.Document.ID)
}

func (l *load) listDocuments() { l.send(http.MethodGet, "/api/v1/documents?per_page=5", nil) }

func (l *load) queryGraph() {
	l.send(http.MethodPost, "/graphql", map[string]any{"query": "{ documents(first: 5) { nodes { id title } } }"})
}

func (l *load) mutateGraph() {
	var made struct {
		Data struct {
			CreateDocument struct{ Document struct{ ID string } }
		}
	}
	_ = json.Unmarshal(l.send(http.MethodPost, "/graphql", map[string]any{
		"query": `mutation { createDocument(input: {title: "Load", content: "Text."}) { document { id } } }`}), &made)
	l.addCreated(made.Data.CreateDocument.Document.ID)
}

func (l *load) addCreated(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id != "" {
		l.created = append(l.created, id)
	}
}

// readEvents returns the ids of all events of the workspace.
func (l *load) readEvents() (ids []string) {
	for after := ""; ; {
		var page struct{ Events []struct{ ID string } }
		path := "/api/v1/events?first=100"
		if after != "" {
			path += "&after=" + after
		}
		_ = json.Unmarshal(l.send(http.MethodGet, path, nil), &page)
		for _, e := range page.Events {
			ids = append(ids, e.ID)
		}
		if len(page.Events) == 0 || ids[len(ids)-1] == after {
			return ids
		}
		after = ids[len(ids)-1]
	}
}

// follower follows the events and resumes after the last one when its stream ends.
type follower struct {
	load   *load
	stream func(l *load, after string, add func(id string))
	opened atomic.Int64 // streams
	mu     sync.Mutex
	ids    []string
}

func (f *follower) run() {
	for f.load.ctx.Err() == nil {
		f.opened.Add(1)
		f.stream(f.load, f.last(), func(id string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.ids = append(f.ids, id)
		})
		time.Sleep(50 * time.Millisecond)
	}
}

func (f *follower) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ids[len(f.ids)-1]
}

func (f *follower) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.ids...)
}

// followSSE reads the event stream of REST.
func (l *load) followSSE(after string, add func(id string)) {
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, l.url+"/api/v1/events", nil)
	if err != nil {
		return
	}
	request.Header = http.Header{"Accept": {"text/event-stream"}, "X-Api-Key": {l.key}, "Last-Event-Id": {after}}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id:"); ok {
			add(strings.TrimSpace(id))
		}
	}
}

// followSocket reads the subscription to events over graphql-ws.
func (l *load) followSocket(after string, add func(id string)) {
	conn, _, err := websocket.Dial(l.ctx, l.url+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	query := fmt.Sprintf(`subscription { events(after: %q) { id } }`, after)
	for _, message := range []map[string]any{
		{"type": "connection_init", "payload": map[string]string{"X-API-Key": l.key}},
		{"type": "subscribe", "id": "1", "payload": map[string]string{"query": query}},
	} {
		var ack json.RawMessage
		if wsjson.Write(l.ctx, conn, message) != nil || message["id"] == nil && wsjson.Read(l.ctx, conn, &ack) != nil {
			return
		}
	}
	for {
		var got struct {
			Type    string
			Payload struct {
				Data struct{ Events struct{ ID string } }
			}
		}
		if wsjson.Read(l.ctx, conn, &got) != nil || got.Type == "complete" || got.Type == "error" {
			return
		}
		if got.Type == "ping" && wsjson.Write(l.ctx, conn, map[string]string{"type": "pong"}) != nil {
			return
		}
		if id := got.Payload.Data.Events.ID; id != "" {
			add(id)
		}
	}
}
