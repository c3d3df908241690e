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

// followTimeout is the maximum time that these tests follow a job, from the start of the client: a
// busy machine takes long to start Node and to compile the PDF reader.
const followTimeout = 3 * time.Minute

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

// jobClient follows a job and emits its events until they end or emit returns false, which drops
// the connection.
type jobClient func(ctx context.Context, emit func(event) bool) error

// sse follows a job on the REST route as curl -N does; with a last id it resumes after it.
func (g *gateway) sse(jobID, lastID string) jobClient {
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
		response, err := transport.RoundTrip(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK ||
			!strings.HasPrefix(kind, "text/event-stream") {
			text, _ := io.ReadAll(response.Body)
			return fmt.Errorf("the stream returns %s, %s: %s", response.Status, kind, text)
		}
		return readFrames(response.Body, emit)
	}
}

// readFrames reads server-sent events; comments and frames without a name are keep-alives.
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
			e, err := parseFrame(fields)
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

// parseFrame converts a frame to the graph's spelling.
func parseFrame(fields map[string]string) (e event, err error) {
	if e.Position, err = strconv.Atoi(fields["id"]); err != nil {
		return e, fmt.Errorf("the frame %v has no position: %w", fields, err)
	}
	if err = json.Unmarshal([]byte(fields["data"]), &e.Job); err != nil {
		return e, fmt.Errorf("the frame %v has no job: %w", fields, err)
	}
	e.Kind, e.Job.Status = strings.ToUpper(fields["event"]), strings.ToUpper(e.Job.Status)
	return e, nil
}

// runNodeClient follows a job over the graph with one of the scripts in client.
func (g *gateway) runNodeClient(script, jobID string, settings ...string) jobClient {
	return func(ctx context.Context, emit func(event) bool) error {
		command := exec.CommandContext(ctx, "node", "client/"+script)
		command.Env = append(os.Environ(), append(settings, "GRAPHQL_URL="+g.url+"/graphql", "GRAPHQL_KEY="+g.key,
			"JOB="+jobID)...)
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

// nodeFolders have the programs that node runs in the tests.
var nodeFolders = []string{"client", "check", "../../console/test"}

// needNode skips the test with a log line when the npm clients cannot run. It reads the folders of
// their programs, so that go test runs the tests again after a change of one instead of printing
// their last result.
func needNode(t *testing.T) {
	t.Helper()
	for _, folder := range nodeFolders {
		if _, err := os.ReadDir(folder); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		skipMissing(t, "node", err)
	}
	if _, err := os.Stat("node_modules/graphql-ws"); err != nil {
		skipMissing(t, "the npm clients (npm ci in test/e2e)", err)
	}
}

var warned sync.Map

// skipMissing skips the test and prints once for each missing dependency; in CI it fails the test.
func skipMissing(t *testing.T, label string, err error) {
	t.Helper()
	if os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("%s: required and not found: %v", label, err)
	}
	if _, said := warned.LoadOrStore(label, true); !said {
		fmt.Fprintf(os.Stderr, "\n*** SKIPPED: without %s nothing is tested with it: %v ***\n\n", label, err)
	}
	t.Skipf("needs %s", label)
}

// jobFollower is a running client.
type jobFollower struct {
	name   string
	began  chan struct{} // closed at its first event
	ended  chan struct{}
	at     time.Time // when it ended
	events []event   // complete once it has ended
	err    error
}

// startFollower starts a client that follows a job to its end.
func startFollower(t *testing.T, name string, c jobClient) *jobFollower {
	t.Helper()
	f := &jobFollower{name: name, began: make(chan struct{}), ended: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), followTimeout)
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

// awaitFirst waits for the first event.
func (f *jobFollower) awaitFirst(t *testing.T) {
	t.Helper()
	select {
	case <-f.began:
	case <-f.ended:
		t.Fatalf("%s ended without an event: %v", f.name, f.err)
	}
}

// awaitEnd waits for the last event and checks the sequence: a snapshot, then each position once
// and in order, then the end.
func (f *jobFollower) awaitEnd(t *testing.T) []event {
	t.Helper()
	<-f.ended
	if f.err != nil || len(f.events) < 2 {
		t.Fatalf("%s received %v and failed: %v", f.name, f.events, f.err)
	}
	if f.events[0].Kind != "SNAPSHOT" {
		t.Errorf("%s received %v first, want a snapshot", f.name, f.events[0])
	}
	checkOrder(t, f.name, f.events)
	return f.events
}

// checkOrder checks that positions have no gap, and that the end is last, at the position of the
// event that ended the job.
func checkOrder(t *testing.T, name string, events []event) {
	t.Helper()
	for i, e := range events[1:] {
		step, last := 1, i == len(events)-2
		if e.Kind == "END" {
			step = 0
		}
		if e.Position != events[i].Position+step {
			t.Errorf("%s received position %d after %d: %v", name, e.Position, events[i].Position, events)
		}
		if (e.Kind == "END") != last {
			t.Errorf("%s received %s as event %d of %d: %v", name, e.Kind, i+2, len(events), events)
		}
	}
}

// eventsAfter returns the events after a position, without snapshots.
func eventsAfter(events []event, position int) []event {
	var out []event
	for _, e := range events {
		if e.Position > position && e.Kind != "SNAPSHOT" {
			out = append(out, e)
		}
	}
	return out
}
