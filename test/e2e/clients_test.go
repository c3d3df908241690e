package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// clients is the folder of the clients in TypeScript, Go and Python.
const clients = "../../clients"

// needClients skips the test without the packages that the clients in TypeScript and Python need.
func needClients(t *testing.T) {
	t.Helper()
	needNode(t)
	if _, err := os.Stat(filepath.Join(clients, "typescript/node_modules/graphql-ws")); err != nil {
		skipMissing(t, "the packages of the client in TypeScript (npm ci in clients/typescript)", err)
	}
	if _, err := python(); err != nil {
		skipMissing(t, "the packages of the client in Python (see .ci/run)", err)
	}
}

// python returns the path of a Python that has the packages of the client and of its tests. The
// first one may not be that of the system, which has them.
var python = sync.OnceValues(func() (string, error) {
	var failed error
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = exec.Command(path, "-c", "import setuptools, wheel, pip, fastapi, httpx, mypy, uvicorn").Run()
		}
		if err == nil {
			return path, nil
		}
		failed = err
	}
	return "", failed
})

// packages builds the packages of the clients, once for all tests, in a folder that TestMain removes.
var packages = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "rostrum-clients-")
	if err != nil {
		return "", err
	}
	packageFolder = folder
	source, err := filepath.Abs(clients)
	if err != nil {
		return "", err
	}
	interpreter, err := python()
	if err != nil {
		return "", err
	}
	for _, line := range []string{
		"cd %[1]s/python && %[3]s -m mypy rostrum_client test examples",
		"cp -r %[1]s/python python && cd python && " +
			"%[3]s -m pip wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir .. .",
		"npm run --silent build --prefix %[1]s/typescript && npm pack --silent %[1]s/typescript",
		"cd %[1]s/go && go vet ./... && go build -o %[2]s/ ./test/tour ./examples/receiver",
	} {
		command := exec.Command("sh", "-ec", fmt.Sprintf(line, source, folder, interpreter))
		command.Dir = folder
		if printed, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s\n%s", err, line, printed)
		}
	}
	return folder, nil
})

// packageFolder is the folder that packages created.
var packageFolder string

// buildPackages returns the folder of the packages. It reads their sources, so that go test runs the
// tests again after a change.
func buildPackages(t *testing.T) string {
	t.Helper()
	for _, pattern := range []string{"*/*", "*/*/*", "*/*/*/*"} {
		files, _ := filepath.Glob(filepath.Join(clients, pattern))
		for _, file := range files {
			if !strings.Contains(file, "node_modules") {
				_, _ = os.ReadFile(file)
			}
		}
	}
	folder, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// tours are the programs that use all of a client, each with a word for its documents.
var tours = []struct{ language, word string }{
	{"typescript", "quillback"}, {"python", "sandlance"}, {"go", "bramblefin"},
}

// tourCommand returns the program of a client.
func tourCommand(ctx context.Context, language, packages string) *exec.Cmd {
	switch language {
	case "typescript":
		return exec.CommandContext(ctx, "node", filepath.Join(clients, "typescript/test/tour.mjs"))
	case "python":
		return pythonCommand(ctx, packages, filepath.Join(clients, "python/test/tour.py"))
	}
	return exec.CommandContext(ctx, filepath.Join(packages, "tour"))
}

// pythonCommand returns a command of Python that finds the client.
func pythonCommand(ctx context.Context, packages string, arguments ...string) *exec.Cmd {
	path, _ := python() // needClients has found it
	command := exec.CommandContext(ctx, path, arguments...)
	command.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(packages, "python"))
	return command
}

// TestClients has each client ingest, watch, upload, list and fail, through a proxy that loses the
// first answer of each request and refuses its second try. The gateway is killed while the jobs are
// watched: each client gets each event once, and each mutation has run once.
func TestClients(t *testing.T) {
	t.Parallel()
	needClients(t)
	folder := buildPackages(t)
	p := sqliteInstallation(t)
	g := p.start(t)
	proxy := newLossyProxy(t, g)
	var running []*tour
	for i, c := range tours {
		src := newPage(i + 1)
		src.body = []byte(strings.ReplaceAll(string(src.body), "Tidewall", c.word))
		site := newStuckSite(t, fmt.Sprintf("127.0.0.%d", i+2), src)
		running = append(running, startTour(t, tourCommand(t.Context(), c.language, folder), c.language,
			"ROSTRUM_URL="+proxy.URL, "ROSTRUM_KEY="+g.key, "SOURCE="+site.URL+src.path, "WORD="+c.word))
	}
	for _, r := range running {
		r.awaitRunning(t)
	}
	g.kill(t)
	g = p.start(t)
	proxy.set(t, g)
	for i, r := range running {
		r.check(t, g, tours[i].word)
	}
	if proxy.replayed.Load() < int32(2*len(tours)) {
		t.Errorf("only %d mutations were sent again and replayed", proxy.replayed.Load())
	}
}

// newStuckSite serves a source whose first request gets no answer.
func newStuckSite(t *testing.T, host string, src source) *httptest.Server {
	t.Helper()
	var asked atomic.Bool
	return newSite(t, host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.CompareAndSwap(false, true) {
			<-r.Context().Done()
			return
		}
		src.serve(w)
	}))
}

// lossyProxy passes requests on. Of each request to the graph it loses the first answer, and refuses
// the second try.
type lossyProxy struct {
	*httptest.Server
	target   atomic.Pointer[url.URL]
	mu       sync.Mutex
	tries    map[string]int // by Idempotency-Key
	replayed atomic.Int32
}

var errLost = errors.New("the answer is lost on purpose")

func newLossyProxy(t *testing.T, g *gateway) *lossyProxy {
	t.Helper()
	p := &lossyProxy{tries: map[string]int{}}
	p.set(t, g)
	pass := &httputil.ReverseProxy{
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(p.target.Load()) },
		ModifyResponse: func(r *http.Response) error {
			if r.Header.Get("Idempotent-Replayed") != "" {
				p.replayed.Add(1)
			}
			if p.try(r.Request) == 1 {
				return errLost
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if errors.Is(err, errLost) {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.count(r) == 2 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { p.CloseClientConnections(); p.Close() })
	return p
}

func (p *lossyProxy) set(t *testing.T, g *gateway) {
	t.Helper()
	target, err := url.Parse(g.url)
	if err != nil {
		t.Fatal(err)
	}
	p.target.Store(target)
}

// count counts a try of a request. Streams have no key.
func (p *lossyProxy) count(r *http.Request) int {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tries[key]++
	return p.tries[key]
}

func (p *lossyProxy) try(r *http.Request) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tries[r.Header.Get("Idempotency-Key")]
}

// tourStep is a line that a tour prints.
type tourStep struct {
	Step, ID, Kind, Status, Code, Pointer string
	Position                              int
	Same, Words                           bool
}

// tour is a running tour.
type tour struct {
	name           string
	running, ended chan struct{} // its job runs; it has ended
	steps          []tourStep    // complete once it has ended
	complaint      strings.Builder
	err            error
}

func startTour(t *testing.T, command *exec.Cmd, name string, settings ...string) *tour {
	t.Helper()
	r := &tour{name: name, running: make(chan struct{}), ended: make(chan struct{})}
	if command.Env == nil {
		command.Env = os.Environ()
	}
	command.Env = append(command.Env, settings...)
	command.Stderr = &r.complaint
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.ended)
		runs := sync.OnceFunc(func() { close(r.running) })
		for lines := json.NewDecoder(out); ; {
			var step tourStep
			if lines.Decode(&step) != nil {
				break
			}
			r.steps = append(r.steps, step)
			if step.Status == "RUNNING" {
				runs()
			}
		}
		r.err = command.Wait()
	}()
	return r
}

func (r *tour) awaitRunning(t *testing.T) {
	t.Helper()
	select {
	case <-r.running:
	case <-r.ended:
		t.Fatalf("%s ended before its job ran: %v\n%s", r.name, r.err, &r.complaint)
	}
}

// check checks what a tour printed.
func (r *tour) check(t *testing.T, g *gateway, word string) {
	t.Helper()
	<-r.ended
	if r.err != nil {
		t.Errorf("%s: %v\n%s\n%+v", r.name, r.err, &r.complaint, r.steps)
		return
	}
	by := map[string][]tourStep{}
	for _, step := range r.steps {
		by[step.Step] = append(by[step.Step], step)
	}
	r.checkEvents(t, by["event"])
	for name, want := range map[string]tourStep{
		"ingest": {Step: "ingest", Same: true}, "change": {Step: "change"},
		"upload":  {Step: "upload", Status: "COMPLETED"},
		"error":   {Step: "error", Code: "validation_failed", Pointer: "#/sourceUrl"},
		"refusal": {Step: "refusal", Code: "invalid_key"},
	} {
		if len(by[name]) != 1 {
			t.Errorf("%s: %s is printed %d times", r.name, name, len(by[name]))
			continue
		}
		got := by[name][0]
		got.ID = ""
		if got != want {
			t.Errorf("%s prints %+v, want %+v", r.name, got, want)
		}
	}
	r.checkDocuments(t, g, by["document"], word)
}

// checkEvents checks that each event of the job came once.
func (r *tour) checkEvents(t *testing.T, steps []tourStep) {
	t.Helper()
	var events []event
	for _, step := range steps {
		events = append(events, event{Position: step.Position, Kind: step.Kind})
	}
	if len(events) < 4 || events[0].Kind != "SNAPSHOT" || events[len(events)-1].Kind != "END" {
		t.Errorf("%s received %+v", r.name, steps)
		return
	}
	checkOrder(t, r.name, events)
}

// checkDocuments checks that the page and the note are there once, and listed once.
func (r *tour) checkDocuments(t *testing.T, g *gateway, listed []tourStep, word string) {
	t.Helper()
	var found struct {
		Documents struct{ TotalCount int }
	}
	g.graph(t, `query ($q: String!) { documents(filter: { q: $q }) { totalCount } }`, map[string]any{"q": word}, &found)
	if len(listed) != 2 || found.Documents.TotalCount != 2 || listed[0].ID == listed[1].ID || !listed[0].Words ||
		!listed[1].Words {
		t.Errorf("%s lists %+v of %d documents", r.name, listed, found.Documents.TotalCount)
	}
}
