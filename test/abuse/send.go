package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"rostrum/test/kit/harness"
)

const (
	senders       = 8
	answerTimeout = time.Minute     // after which a request without a complete response is a problem
	streamTimeout = time.Second     // after which an open stream is left
	restingMemory = 160 << 20       // more than at rest that the gateway may occupy in the end
	pollInterval  = 2 * time.Second // between two measurements of the memory
)

// input is a request with its kind in the report.
type input struct {
	kind         string
	method, path string
	header       http.Header
	body         []byte
	stream       bool // whether the response may be a stream without end
	anonymous    bool // whether it is sent without a key
}

func (in input) String() string {
	return fmt.Sprintf("%s: %s %.300s %v %.600q", in.kind, in.method, in.path, in.header, in.body)
}

// send sends a request with the attacker's key, unless it has another one or is anonymous.
func (t *target) send(ctx context.Context, in input) harness.Response {
	limit := answerTimeout
	if in.stream {
		limit = streamTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	header := http.Header{}
	if in.header != nil {
		header = in.header.Clone()
	}
	if header.Get("X-Api-Key") == "" && !in.anonymous {
		header.Set("X-Api-Key", t.key)
	}
	return harness.Send(ctx, t.client, in.method, "http://"+t.Address+in.path, header, in.body)
}

// sendInputs sends the inputs concurrently until the time is up or the gateway has ended, and
// checks each response.
func (t *target) sendInputs(ctx context.Context, inputs []input, p plan, r *report) {
	deadline := time.Now().Add(p.requests)
	next := make(chan input)
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for in := range next {
				t.check(in, t.send(ctx, in), r)
			}
		})
	}
	sent := 0
	for _, in := range inputs {
		if time.Now().After(deadline) || ctx.Err() != nil || t.HasEnded() {
			break
		}
		next <- in
		sent++
	}
	close(next)
	all.Wait()
	r.addSent("generated requests", sent, len(inputs), p.full &&
		(r.database == "Postgres" || time.Now().Before(deadline)))
}

// check counts a response, and adds a problem unless it is a success, a rejection, or a documented
// 503.
func (t *target) check(in input, out harness.Response, r *report) {
	switch {
	case in.stream && errors.Is(out.Err, context.DeadlineExceeded):
		r.addOutcome(in.kind, "open stream")
	case out.Err != nil:
		r.addOutcome(in.kind, "no response")
		r.AddProblem("no response: %v: %s", out.Err, in)
	case out.Status == http.StatusServiceUnavailable && out.Header.Get("Retry-After") != "":
		r.addOutcome(in.kind, "503")
		r.addUnavailable(in.kind, out.Body)
	case out.Status >= http.StatusInternalServerError, bytes.Contains(out.Body, []byte(`"code":"internal"`)):
		r.addOutcome(in.kind, "failed")
		r.AddProblem("%d %.500s: %s", out.Status, out.Body, in)
	default:
		r.addOutcome(in.kind, strconv.Itoa(out.Status/100)+"xx")
	}
	if bytes.Contains(out.Body, []byte(t.marker)) {
		r.AddProblem("data of the other workspace: %.500s: %s", out.Body, in)
	}
}

// checkEnd checks that the gateway responds, that its log has no panic, and that its memory is
// freed.
func (t *target) checkEnd(ctx context.Context, p plan, rest int, r *report) {
	peak := t.peakMemory()
	deadline := time.Now().Add(p.settle)
	for t.memory() > rest+restingMemory && time.Now().Before(deadline) && ctx.Err() == nil {
		time.Sleep(pollInterval)
		// not with the content, which may have 10 MB
		t.send(ctx, input{method: http.MethodGet, path: "/api/v1/documents?per_page=1&light=true"})
	}
	end := t.memory()
	r.AddNote("memory: %d MB at rest, %d MB at most, %d MB in the end; %d child processes were limited", rest>>20,
		peak>>20, end>>20, t.workers.Load())
	if t.workers.Load() == 0 {
		r.AddProblem("no child process of the gateway has read a file")
	}
	if p.settle > 0 && end > rest+restingMemory {
		r.AddProblem("the memory was not freed within %s: %d MB", p.settle, end>>20)
	}
	if out := t.send(ctx, input{method: http.MethodGet, path: "/readyz"}); t.HasEnded() || out.Status != http.StatusOK {
		r.AddProblem("the gateway does not respond in the end: %d %v", out.Status, out.Err)
	}
	r.AddLogs(t.folder)
}
