package kit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/app"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/webhooktest"
)

// Stack is a database and a Redis that an app is started on.
type Stack struct {
	Name    string
	backend dbtest.Backend
	redis   string // empty for the embedded Redis
}

// Stacks lists the available stacks: SQLite with the embedded Redis, and Postgres with a real Redis
// unless one of them does not answer.
func Stacks(t testing.TB) []Stack {
	t.Helper()
	stacks := []Stack{}
	for _, b := range dbtest.Backends(t) {
		if b.Name == "sqlite" {
			stacks = append(stacks, Stack{Name: "sqlite_embedded", backend: b})
		} else if redis := dbtest.RedisAddress(t); redis != "" {
			stacks = append(stacks, Stack{Name: "postgres_redis", backend: b, redis: redis})
		}
	}
	return stacks
}

// App is a running program with one workspace and its admin key.
type App struct {
	*app.App
	URL         string
	Key         string
	WorkspaceID string
	Config      app.Config

	requestContext context.Context // of requests without a connection; nil for requests over HTTP
}

// EachStack runs the test on every available stack, each time with an app of its own. It runs in
// parallel with the package's other tests.
func EachStack(t *testing.T, test func(*testing.T, *App)) {
	t.Helper()
	runStacks(t, Stacks(t), test)
}

// EachShared is EachStack for the stacks whose Redis is a server, which several processes can share.
func EachShared(t *testing.T, test func(*testing.T, *App)) {
	t.Helper()
	runStacks(t, slices.DeleteFunc(Stacks(t), func(s Stack) bool { return s.redis == "" }), test)
}

func runStacks(t *testing.T, stacks []Stack, test func(*testing.T, *App)) {
	t.Helper()
	t.Parallel()
	for _, stack := range stacks {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			test(t, stack.Start(t))
		})
	}
}

// Start starts an app on a fresh database until the end of the test.
func (s Stack) Start(t testing.TB) *App {
	t.Helper()
	return StartWith(t, s.config(t))
}

// StartChanged starts an app like Start, with a changed config.
func (s Stack) StartChanged(t testing.TB, change func(*app.Config)) *App {
	t.Helper()
	config := s.config(t)
	change(&config)
	return StartWith(t, config)
}

func (s Stack) config(t testing.TB) app.Config {
	t.Helper()
	config := app.Config{
		DataDir: t.TempDir(), Redis: s.redis,
		Namespace:  strings.ToLower(model.NewID("test")),
		FetchAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		FetchCA:    webhooktest.Authority(t), Fonts: fontFolder(),
		Interpret: os.Getenv("ROSTRUM_TEST_INTERPRET") != "",
	}
	if s.redis != "" {
		config.Database = s.backend.Address(t)
	}
	return config
}

// publicURL begins the short links of goldens.
const publicURL = "http://rostrum.test"

// databaseAddress returns the address at which an app with the config opens its database.
func databaseAddress(config app.Config) string {
	if config.Database != "" {
		return config.Database
	}
	return filepath.Join(config.DataDir, "rostrum.db")
}

// StartWith starts an app with the config, so that several apps can share a database and a Redis.
// Queries may take five minutes, as many of them wait for one another on a busy machine.
func StartWith(t testing.TB, config app.Config) *App {
	t.Helper()
	if config.QueryTime <= time.Second { // the default
		config.QueryTime = 5 * time.Minute
	}
	config.PublicURL = cmp.Or(config.PublicURL, publicURL)
	if _, err := os.Stat(databaseAddress(config)); config.Database == "" && err != nil {
		dbtest.WriteSQLite(t, databaseAddress(config))
	}
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

// Tenant returns the same app with a new workspace and its key.
func (a *App) Tenant(t testing.TB) *App {
	t.Helper()
	tenant := *a
	var err error
	if tenant.WorkspaceID, tenant.Key, err = a.Provision(t.Context(), account.NewWorkspace{Name: "Test"}); err != nil {
		t.Fatal(err)
	}
	return &tenant
}

// WithoutConnection returns the same app, whose requests are passed to its handler with the
// context. They take a fraction of the time of requests over HTTP.
func (a *App) WithoutConnection(ctx context.Context) *App {
	direct := *a
	direct.requestContext = ctx
	return &direct
}

// SetWorkspacePlan changes the plan of the app's workspace.
func (a *App) SetWorkspacePlan(t testing.TB, plan model.Plan) {
	t.Helper()
	if err := a.SetPlan(t.Context(), a.WorkspaceID, plan); err != nil {
		t.Fatal(err)
	}
}

// OpenDB opens the app's database once more, until the end of the test.
func (a *App) OpenDB(t testing.TB) *dbx.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), databaseAddress(a.Config), slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Response is a response with its whole body.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Transport sends the requests of tests. Each server of httptest that ends closes the idle
// connections of http.DefaultTransport, which can break a request of another test.
var Transport = http.DefaultTransport.(*http.Transport).Clone()

// client follows redirects to this machine and returns the others.
var client = &http.Client{Transport: Transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
	if address, err := netip.ParseAddr(r.URL.Hostname()); err != nil || !address.IsLoopback() {
		return http.ErrUseLastResponse
	}
	return nil
}}

// Do sends a request with the app's key, unless the header has another, and checks a REST response
// against the OpenAPI document.
func (a *App) Do(t testing.TB, method, path string, header http.Header, body string) *Response {
	t.Helper()
	return a.Read(t, 0, method, path, header, body)
}

// DoCounted sends a request like Do, without a connection, and returns the number of its SQL
// statements too. The lookup of a key is cached for two seconds and counts in the request that
// repeats it.
func (a *App) DoCounted(t testing.TB, method, path string, header http.Header, body string) (*Response, int64) {
	t.Helper()
	ctx, statements := dbx.WithCounter(t.Context())
	response := a.WithoutConnection(ctx).Do(t, method, path, header, body)
	return response, statements.Load()
}

// Read sends a request like Do, and closes an endless stream after the given number of frames with
// data; 0 reads to the end.
func (a *App) Read(t testing.TB, frames int, method, path string, header http.Header, body string) *Response {
	t.Helper()
	request := a.newRequest(t, method, path, body)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("X-API-Key", a.Key)
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := a.send(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := readFrames(response.Body, frames)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.checkREST(request, response, read); err != nil {
		t.Errorf("%s %s: the response does not match the OpenAPI document: %v\n%s", method, path, err, read)
	}
	return &Response{Status: response.StatusCode, Header: response.Header, Body: read}
}

func (a *App) newRequest(t testing.TB, method, path, body string) *http.Request {
	t.Helper()
	if a.requestContext != nil {
		return httptest.NewRequestWithContext(a.requestContext, method, path, strings.NewReader(body))
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, a.URL+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func (a *App) send(request *http.Request) (*http.Response, error) {
	if a.requestContext == nil {
		return client.Do(request)
	}
	answer := httptest.NewRecorder()
	a.Handler().ServeHTTP(answer, request)
	return answer.Result(), nil
}

// readFrames reads up to the given number of frames whose data is an object, or to the end with 0.
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

// checkREST returns an error when a response under /api/ does not match the OpenAPI document.
func (a *App) checkREST(request *http.Request, response *http.Response, body []byte) error {
	if !strings.HasPrefix(request.URL.Path, "/api/") {
		return nil
	}
	return a.CheckResponse(request, response.StatusCode, response.Header, body)
}
