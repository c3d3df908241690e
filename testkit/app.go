package testkit

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/model"
)

// Stack is a database with a Redis that an app is started on.
type Stack struct {
	Name  string
	db    Backend
	redis string
}

// Stacks lists what is at hand: SQLite with the embedded Redis always, Postgres with a real Redis unless there is none.
func Stacks(t testing.TB) []Stack {
	stacks := []Stack{}
	for _, b := range Backends(t) {
		if b.Name == "sqlite" {
			stacks = append(stacks, Stack{Name: "sqlite_embedded", db: b})
		} else if redis := RedisServer(t); redis != "" {
			stacks = append(stacks, Stack{Name: "postgres_redis", db: b, redis: redis})
		}
	}
	return stacks
}

// App is a running program of a test's own, with one workspace and its admin key.
type App struct {
	*app.App
	URL         string
	Key         string
	WorkspaceID string
	Config      app.Config
}

// EachStack runs the test on every stack at hand, each time with an app of its own.
func EachStack(t *testing.T, test func(*testing.T, *App)) {
	t.Helper()
	for _, stack := range Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			test(t, stack.Start(t))
		})
	}
}

// Start starts an app on a fresh database; it is gone with the test.
func (s Stack) Start(t testing.TB) *App {
	t.Helper()
	return StartWith(t, s.config(t))
}

func (s Stack) config(t testing.TB) app.Config {
	return app.Config{
		DataDir: s.folder(t), Database: serverAddress(s.db.Address(t)), Redis: s.redis,
		Namespace: strings.ToLower(model.NewID("test")), FetchAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		FetchCA: Authority(t), Playground: playgroundModules, Fonts: fontFolder(),
		Interpret: os.Getenv("ROSTRUM_TEST_INTERPRET") != "",
	}
}

// folder is a data directory for the test. Where the database is a file it has the schema already: the migrations, which have tests of their own,
// would take longer than most tests.
func (s Stack) folder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	if s.redis != "" {
		return folder
	}
	file, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, databaseFile), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

const (
	databaseFile      = "rostrum.db"
	playgroundModules = "../playground/node_modules"
)

// migrated is the file of an app that was only started.
var migrated = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "rostrum-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	started, err := app.New(context.Background(), app.Config{DataDir: folder, Playground: playgroundModules})
	if err != nil {
		return nil, err
	}
	if err := started.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, databaseFile))
})

// serverAddress leaves a file's path out: a file stands in the data directory.
func serverAddress(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	return ""
}

// StartWith starts an app with the settings, so that several can share a database and a Redis. Queries have time: what is tested is their
// answer, which a busy machine may be slow to give.
func StartWith(t testing.TB, config app.Config) *App {
	t.Helper()
	config.QueryTime = time.Minute
	built, err := app.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := built.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(built.Handler())
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if err := built.Close(); err != nil {
			t.Error(err)
		}
	})
	workspace, key, err := built.Provision(t.Context(), account.NewWorkspace{Name: "Test"})
	if err != nil {
		t.Fatal(err)
	}
	return &App{App: built, URL: server.URL, Key: key, WorkspaceID: workspace, Config: config}
}

// Tenant is the same app seen from a new workspace with a key of its own.
func (a *App) Tenant(t testing.TB) *App {
	t.Helper()
	tenant := *a
	var err error
	if tenant.WorkspaceID, tenant.Key, err = a.Provision(t.Context(), account.NewWorkspace{Name: "Tenant"}); err != nil {
		t.Fatal(err)
	}
	return &tenant
}

// Contract changes what the app's workspace has contracted.
func (a *App) Contract(t testing.TB, plan model.Plan) {
	t.Helper()
	if err := a.SetPlan(t.Context(), a.WorkspaceID, plan); err != nil {
		t.Fatal(err)
	}
}

// Answer is an answer read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request with the app's key, unless the header has one, and checks a REST answer against the OpenAPI document.
func (a *App) Do(t testing.TB, method, path string, header http.Header, body string) *Answer {
	t.Helper()
	return a.Read(t, 0, method, path, header, body)
}

// Read does as Do, but leaves a stream that has no end when so many of its frames with data have come; 0 reads to the end.
func (a *App) Read(t testing.TB, frames int, method, path string, header http.Header, body string) *Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, a.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("X-API-Key", a.Key)
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := readFrames(response.Body, frames)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.checked(request, response, read); err != nil {
		t.Errorf("%s %s: the answer is not what the OpenAPI document says: %v\n%s", method, path, err, read)
	}
	return &Answer{Status: response.StatusCode, Header: response.Header, Body: read}
}

// readFrames reads up to the frame that makes so many with an object for data, or to the end.
func readFrames(body io.Reader, frames int) ([]byte, error) {
	if frames == 0 {
		return io.ReadAll(body)
	}
	var read bytes.Buffer
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadBytes('\n')
		read.Write(line)
		if bytes.HasPrefix(line, []byte("data: {")) {
			frames--
		}
		switch {
		case frames == 0 && len(bytes.TrimSpace(line)) == 0, errors.Is(err, io.EOF):
			return read.Bytes(), nil
		case err != nil:
			return nil, err
		}
	}
}

// checked holds a REST answer against the OpenAPI document; other paths are not in it.
func (a *App) checked(request *http.Request, response *http.Response, body []byte) error {
	if !strings.HasPrefix(request.URL.Path, "/api/") {
		return nil
	}
	return a.CheckResponse(request, response.StatusCode, response.Header, body)
}
