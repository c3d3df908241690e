package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	senders       = 8
	answerTimeout = time.Minute     // after which a request without a complete response is a problem
	streamTimeout = time.Second     // after which an open stream is left
	answerBytes   = 32 << 20        // of a response that are read
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

// outcome is the response to an input.
type outcome struct {
	status int
	header http.Header
	body   []byte
	err    error
}

func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 2 * senders, IdleConnTimeout: 5 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send sends a request with the attacker's key, unless it has another one or is anonymous.
func (t *target) send(ctx context.Context, in input) (out outcome) {
	limit := answerTimeout
	if in.stream {
		limit = streamTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, in.method, "http://"+t.Address+in.path, bytes.NewReader(in.body))
	if err != nil {
		return outcome{err: fmt.Errorf("a request that cannot be sent: %w", err)}
	}
	if in.header != nil {
		request.Header = in.header.Clone()
	}
	if request.Header.Get("X-Api-Key") == "" && !in.anonymous {
		request.Header.Set("X-Api-Key", t.key)
	}
	response, err := t.client.Do(request)
	if err != nil {
		return outcome{err: err}
	}
	defer response.Body.Close()
	out = outcome{status: response.StatusCode, header: response.Header}
	out.body, out.err = io.ReadAll(io.LimitReader(response.Body, answerBytes))
	return out
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
func (t *target) check(in input, out outcome, r *report) {
	switch {
	case in.stream && errors.Is(out.err, context.DeadlineExceeded):
		r.addOutcome(in.kind, "open stream")
	case out.err != nil:
		r.addOutcome(in.kind, "no response")
		r.addProblem("no response: %v: %s", out.err, in)
	case out.status == http.StatusServiceUnavailable && out.header.Get("Retry-After") != "":
		r.addOutcome(in.kind, "503")
		r.addUnavailable(in.kind, out.body)
	case out.status >= http.StatusInternalServerError, bytes.Contains(out.body, []byte(`"code":"internal"`)):
		r.addOutcome(in.kind, "failed")
		r.addProblem("%d %.500s: %s", out.status, out.body, in)
	default:
		r.addOutcome(in.kind, strconv.Itoa(out.status/100)+"xx")
	}
	if bytes.Contains(out.body, []byte(t.marker)) {
		r.addProblem("data of the other workspace: %.500s: %s", out.body, in)
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
	r.addNote("memory: %d MB at rest, %d MB at most, %d MB in the end; %d child processes were limited", rest>>20,
		peak>>20, end>>20, t.workers.Load())
	if t.workers.Load() == 0 {
		r.addProblem("no child process of the gateway has read a file")
	}
	if p.settle > 0 && end > rest+restingMemory {
		r.addProblem("the memory was not freed within %s: %d MB", p.settle, end>>20)
	}
	if out := t.send(ctx, input{method: http.MethodGet, path: "/readyz"}); t.HasEnded() || out.status != http.StatusOK {
		r.addProblem("the gateway does not respond in the end: %d %v", out.status, out.err)
	}
	log, err := os.ReadFile(t.logPath())
	if err != nil {
		r.addProblem("the log cannot be read: %v", err)
	}
	r.addLog(string(log))
}
