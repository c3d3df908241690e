package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// followTime is how long a job of these tests may be followed.
const followTime = 60 * time.Second

// event is one step of a job as any of the clients reports it.
type event struct {
	Position int    `json:"position"`
	Kind     string `json:"kind"`
	Job      struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		Progress int    `json:"progress"`
	} `json:"job"`
}

// client follows a job and emits its events until they end or emit says no more, which it does by dropping the connection.
type client func(ctx context.Context, emit func(event) bool) error

// sse follows a job on the REST route as curl -N does; with a last id it resumes behind it.
func (g *process) sse(jobID, lastID string) client {
	return func(ctx context.Context, emit func(event) bool) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url+"/api/v1/jobs/"+jobID+"/events", nil)
		if err != nil {
			return err
		}
		request.Header.Set("Accept", "*/*")
		request.Header.Set("X-API-Key", g.key)
		if lastID != "" {
			request.Header.Set("Last-Event-ID", lastID)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
			text, _ := io.ReadAll(response.Body)
			return fmt.Errorf("the stream answers %s, %s: %s", response.Status, kind, text)
		}
		return readFrames(response.Body, emit)
	}
}

// readFrames reads server-sent events; comments and frames without a name are signs of life.
func readFrames(body io.Reader, emit func(event) bool) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	fields := map[string]string{}
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if lines.Text() != "" {
			fields[name] = strings.TrimPrefix(value, " ")
			continue
		}
		if fields["event"] != "" {
			e, err := fromFrame(fields)
			if err != nil {
				return err
			}
			if !emit(e) {
				return nil
			}
		}
		fields = map[string]string{}
	}
	return lines.Err()
}

// fromFrame spells a frame as the graph does.
func fromFrame(fields map[string]string) (e event, err error) {
	if e.Position, err = strconv.Atoi(fields["id"]); err != nil {
		return e, fmt.Errorf("the frame %v has no position: %w", fields, err)
	}
	if err = json.Unmarshal([]byte(fields["data"]), &e.Job); err != nil {
		return e, fmt.Errorf("the frame %v has no job: %w", fields, err)
	}
	e.Kind, e.Job.Status = strings.ToUpper(fields["event"]), strings.ToUpper(e.Job.Status)
	return e, nil
}

// node follows a job over the graph with one of the scripts in client.
func (g *process) node(script, jobID string, settings ...string) client {
	return func(ctx context.Context, emit func(event) bool) error {
		command := exec.CommandContext(ctx, "node", "client/"+script)
		command.Env = append(os.Environ(), append(settings, "GRAPHQL_URL="+g.url+"/graphql", "GRAPHQL_KEY="+g.key, "JOB="+jobID)...)
		var complaint bytes.Buffer
		command.Stderr = &complaint
		out, err := command.StdoutPipe()
		if err != nil {
			return err
		}
		if err := command.Start(); err != nil {
			return err
		}
		read := json.NewDecoder(out)
		for {
			var e event
			if err := read.Decode(&e); err != nil {
				break
			}
			if !emit(e) {
				_ = command.Process.Kill()
			}
		}
		if err := command.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, &complaint)
		}
		return nil
	}
}

// needNode skips the test loudly when the npm clients cannot run.
func needNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		absent(t, "node", err)
	}
	if _, err := os.Stat("node_modules/graphql-ws"); err != nil {
		absent(t, "the npm clients (npm ci in e2e)", err)
	}
}

var warned sync.Map

// absent skips the test and says so loudly, once for each thing that is not there; CI does not accept it.
func absent(t *testing.T, what string, err error) {
	t.Helper()
	if os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("%s: required and not found: %v", what, err)
	}
	if _, said := warned.LoadOrStore(what, true); !said {
		fmt.Fprintf(os.Stderr, "\n*** SKIPPED: without %s nothing is tested with it: %v ***\n\n", what, err)
	}
	t.Skipf("needs %s", what)
}

// following is a client at work.
type following struct {
	name   string
	began  chan struct{} // closed at its first event
	ended  chan struct{}
	at     time.Time // when it ended
	events []event   // complete once it has ended
	err    error
}

// follow lets a client follow a job to its end.
func follow(t *testing.T, name string, c client) *following {
	t.Helper()
	f := &following{name: name, began: make(chan struct{}), ended: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), followTime)
	begin := sync.OnceFunc(func() { close(f.began) })
	go func() {
		defer cancel()
		defer close(f.ended)
		f.err = c(ctx, func(e event) bool {
			f.events = append(f.events, e)
			begin()
			return true
		})
		f.at = time.Now()
	}()
	return f
}

// begin waits for the first event.
func (f *following) begin(t *testing.T) {
	t.Helper()
	select {
	case <-f.began:
	case <-f.ended:
		t.Fatalf("%s ended without an event: %v", f.name, f.err)
	}
}

// end waits for the last event and checks the whole: a snapshot, then each position once and in order, then the end.
func (f *following) end(t *testing.T) []event {
	t.Helper()
	<-f.ended
	if f.err != nil || len(f.events) < 2 {
		t.Fatalf("%s heard %v and failed: %v", f.name, f.events, f.err)
	}
	if f.events[0].Kind != "SNAPSHOT" {
		t.Errorf("%s heard %v first, want a snapshot", f.name, f.events[0])
	}
	inOrder(t, f.name, f.events)
	return f.events
}

// inOrder checks that positions follow one another without a gap, and that the end comes last, at the position of what ended the job.
func inOrder(t *testing.T, name string, events []event) {
	t.Helper()
	for i, e := range events[1:] {
		step, last := 1, i == len(events)-2
		if e.Kind == "END" {
			step = 0
		}
		if e.Position != events[i].Position+step {
			t.Errorf("%s heard position %d after %d: %v", name, e.Position, events[i].Position, events)
		}
		if (e.Kind == "END") != last {
			t.Errorf("%s heard %s as event %d of %d: %v", name, e.Kind, i+2, len(events), events)
		}
	}
}

// behind are the events behind a position, without snapshots.
func behind(events []event, position int) []event {
	var out []event
	for _, e := range events {
		if e.Position > position && e.Kind != "SNAPSHOT" {
			out = append(out, e)
		}
	}
	return out
}
