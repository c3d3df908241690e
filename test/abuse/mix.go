package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"rostrum/test/kit/hostile"
)

// A mix is work of one tenant at the same time that takes as much memory as its requests let it.
const (
	mixSockets   = 5
	mixStreams   = 100 // subscriptions of a socket
	mixCreates   = 60
	mixUploads   = 30
	mixTexts     = 8 // texts that are stored, one after another
	mixReads     = 40
	largeText    = 9_500_000
	largeFile    = 44_000_000
	mixSettle    = 20 * time.Second // in which the subscribers get what they are sent
	otherTenant  = 20 * time.Second // in which a read of another tenant must be answered, also on a busy machine
	betweenReads = 100 * time.Millisecond
)

// sendMixes sends each mix while another tenant reads, and checks that the gateway survives and
// answers the other tenant.
func (t *target) sendMixes(ctx context.Context, r *report) {
	for _, mix := range []struct {
		name string
		run  func(ctx context.Context, r *report)
	}{
		{"500 subscriptions that select content, and a document of 9.5 MB", t.mixStreams},
		{"60 creates of 9.5 MB", t.mixCreates},
		{"40 pages of texts of 9.5 MB", t.mixReads},
		{"30 uploads of 44 MB", t.mixUploads},
		{"PDFs and exports", t.mixFiles},
	} {
		if ctx.Err() != nil || t.HasEnded() {
			r.AddProblem("the mix %q was not sent: the gateway has ended", mix.name)
			continue
		}
		reading, stop := context.WithCancel(ctx)
		var reader sync.WaitGroup
		reader.Go(func() { t.readBeside(reading, mix.name, r) })
		mix.run(ctx, r)
		stop()
		reader.Wait()
		if t.HasEnded() {
			r.AddProblem("the gateway ended during the mix %q", mix.name)
		}
	}
}

// readBeside reads the documents of the other tenant until the context ends.
func (t *target) readBeside(ctx context.Context, mix string, r *report) {
	reads, late, slowest := 0, 0, time.Duration(0)
	for ctx.Err() == nil && !t.HasEnded() {
		start := time.Now()
		out := t.send(context.WithoutCancel(ctx), input{method: http.MethodGet, path: "/api/v1/documents?light=true",
			header: http.Header{"X-Api-Key": {t.other}}})
		took := time.Since(start)
		slowest, reads = max(slowest, took), reads+1
		switch {
		case out.Status == http.StatusServiceUnavailable && out.Header.Get("Retry-After") != "":
			late++ // over the time of a query, which a busy machine takes too
		case out.Err != nil || out.Status != http.StatusOK || took > otherTenant:
			r.AddProblem("another tenant's read beside %q: %d %v after %s", mix, out.Status, out.Err, took)
		}
		time.Sleep(betweenReads)
	}
	if late*10 > reads {
		r.AddProblem("%d of %d reads of another tenant beside %q took too long", late, reads, mix)
	}
	r.AddNote("%s: %d reads of another tenant, %d over the time of a query, the slowest took %s; %d MB", mix, reads, late,
		slowest.Round(time.Millisecond), t.memory()>>20)
}

// subscribers counts what the subscribers of a mix receive.
type subscribers struct {
	t               *target
	ready           chan error // an entry for each socket that has subscribed
	frames, refused atomic.Int64
}

// mixStreams opens sockets with many subscriptions, of which one does not read, and creates
// documents that all of them select.
func (t *target) mixStreams(ctx context.Context, r *report) {
	watching, cancel := context.WithCancel(ctx)
	s := &subscribers{t: t, ready: make(chan error, mixSockets)}
	var open sync.WaitGroup
	defer open.Wait()
	defer cancel()
	for socket := range mixSockets {
		open.Go(func() { s.watch(watching, socket) })
	}
	for range mixSockets {
		if err := <-s.ready; err != nil {
			r.AddProblem("no socket: %v", err)
		}
	}
	time.Sleep(time.Second) // the subscriptions start
	for range 3 {
		t.check(createInput(largeText), t.send(ctx, createInput(largeText)), r)
	}
	time.Sleep(mixSettle)
	frames, refused := s.frames.Load(), s.refused.Load()
	r.AddNote("of %d subscriptions %d were refused; %d frames arrived", mixSockets*mixStreams, refused, frames)
	if frames == 0 || refused == 0 {
		r.AddProblem("of %d subscriptions of one key %d were refused, and %d frames arrived", mixSockets*mixStreams, refused,
			frames)
	}
}

// watch subscribes on one socket and counts what arrives until the context ends. The first socket
// reads nothing.
func (s *subscribers) watch(ctx context.Context, socket int) {
	conn, _, err := websocket.Dial(ctx, "http://"+s.t.Address+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err == nil {
		defer func() { _ = conn.CloseNow() }()
		conn.SetReadLimit(64 << 20)
		err = s.t.subscribe(ctx, conn, socket)
	}
	s.ready <- err
	if err != nil || socket == 0 {
		<-ctx.Done()
		return
	}
	for {
		_, text, err := conn.Read(ctx)
		switch {
		case err != nil:
			return
		case bytes.Contains(text, []byte(`"rate_limited"`)):
			s.refused.Add(1)
		case bytes.Contains(text[:min(len(text), 100)], []byte(`"type":"next"`)):
			s.frames.Add(1)
		}
	}
}

// subscribe sends subscriptions with different selections and filters.
func (t *target) subscribe(ctx context.Context, conn *websocket.Conn, socket int) error {
	err := wsjson.Write(ctx, conn, map[string]any{"type": "connection_init", "payload": map[string]string{"X-API-Key": t.key}})
	for i := range mixStreams {
		query := fmt.Sprintf(`subscription { documentChanges { kind a%d: document { id content } } }`, socket*mixStreams+i)
		switch i % 3 {
		case 1:
			query = `subscription { workspaceEvents { ... on DocumentChanged { document { id content } } } }`
		case 2:
			query = fmt.Sprintf(`subscription { documentChanges(filter: {q: "large%d"}) { document { content } } }`, i)
		}
		if err != nil {
			return err
		}
		err = wsjson.Write(ctx, conn, map[string]any{"id": fmt.Sprint(i), "type": "subscribe",
			"payload": map[string]string{"query": query}})
	}
	return err
}

func createInput(size int) input {
	body, _ := json.Marshal(map[string]string{"title": "large", "content": strings.Repeat("large text ", size/11)})
	return input{kind: "mix, creation", method: http.MethodPost, path: "/api/v1/documents",
		header: http.Header{"Content-Type": {"application/json"}}, body: body}
}

func (t *target) mixCreates(ctx context.Context, r *report) {
	in := createInput(largeText)
	t.sendAtOnce(ctx, r, mixCreates, func(int) input { return in })
}

func (t *target) mixUploads(ctx context.Context, r *report) {
	in := textInput(file{"large.txt", bytes.Repeat([]byte("large text\n"), largeFile/11)})
	in.kind = "mix, upload"
	t.sendAtOnce(ctx, r, mixUploads, func(int) input { return in })
}

// mixReads stores texts of 9.5 MB and reads pages of them over both APIs.
func (t *target) mixReads(ctx context.Context, r *report) {
	for range mixTexts {
		in := createInput(largeText)
		t.check(in, t.send(ctx, in), r)
	}
	t.sendAtOnce(ctx, r, mixReads, func(i int) input {
		if i%2 == 0 {
			return input{kind: "mix, read", method: http.MethodGet, path: "/api/v1/documents?per_page=100"}
		}
		return input{kind: "mix, read", method: http.MethodPost, path: "/graphql",
			header: http.Header{"Content-Type": {"application/json"}},
			body:   encode(map[string]string{"query": fmt.Sprintf("{ documents(first: %d) { nodes { title content } } }", i+1)})}
	})
}

// mixFiles reads small PDFs that become large while long tables are exported.
func (t *target) mixFiles(ctx context.Context, r *report) {
	body, _ := json.Marshal(map[string]string{"format": "pdf", "content_html": string(hostile.Contents[0].Make(longTable))})
	export := input{kind: "mix, export", method: http.MethodPost, path: "/api/v1/content-creation/export",
		header: http.Header{"Content-Type": {"application/json"}}, body: body}
	t.sendAtOnce(ctx, r, 10, func(i int) input {
		if i < 4 {
			return textInput(file{"small.pdf", hostile.NestedForms(12, 10)})
		}
		return export
	})
}

// sendAtOnce sends n inputs at the same time and checks the responses.
func (t *target) sendAtOnce(ctx context.Context, r *report, n int, in func(i int) input) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			next := in(i)
			out := t.send(ctx, next)
			if out.Err != nil && len(next.body) > largeText/2 && !t.HasEnded() {
				r.addOutcome(next.kind, "no response") // the connection was closed while the refused body was sent
				return
			}
			t.check(next, out, r)
		})
	}
	all.Wait()
}
