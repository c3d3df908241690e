package app

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5/middleware"

	"rostrum/domain/account"
)

// secret is in everything of a request that a client can choose.
const secret = "s3cret"

func sendHostile(t *testing.T, handler http.Handler, key string) {
	t.Helper()
	for _, request := range []*http.Request{
		httptest.NewRequest(http.MethodGet, "/api/v1/documents?q="+secret, nil),
		httptest.NewRequest(http.MethodGet, "/l/"+secret, nil),
		httptest.NewRequest(http.MethodGet, "/"+secret+"/"+secret, nil),
		httptest.NewRequest("S3CRET", "/healthz", nil),
		httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query": "query `+secret+` { documents { nodes { id } } }"}`)),
		httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query": "query listDocuments { documents { nodes { title } } }"}`)),
	} {
		request.Header.Set("X-API-Key", key)
		request.Header.Set("X-Request-Id", "id-1")
		request.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}
}

// TestMetrics_bounded checks that a client cannot add a label's value, and that requests, statements
// and jobs are counted.
func TestMetrics_bounded(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		config.AdminKey = "admin"
		a, _ := newApp(t, config)
		_, key, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Observed"})
		if err != nil {
			t.Fatal(err)
		}
		sendHostile(t, a.Handler(), key)
		request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		request.Header.Set("X-Admin-Key", "admin")
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, request)
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.Code != http.StatusOK {
			t.Fatal(answer.Code, err)
		}
		for _, want := range []string{
			`rostrum_http_request_seconds_count{method="GET",route="/api/v1/documents",status="2xx"}`,
			`rostrum_http_request_seconds_count{method="GET",route="/l/{slug}",status="4xx"}`,
			`rostrum_http_request_seconds_count{method="GET",route="other",status="4xx"}`,
			`rostrum_http_request_seconds_count{method="other",route="other",status="4xx"}`,
			`rostrum_graph_operation_seconds_count{kind="query",operation="listDocuments",outcome="ok"}`,
			`rostrum_graph_operation_seconds_count{kind="query",operation="other",outcome="ok"}`,
			`rostrum_sql_seconds_count{kind="select"}`, `rostrum_redis_connected 1`, `rostrum_build_info{version="rostrum `,
			`rostrum_database_connections_max`, "\nrostrum_http_requests_in_flight ",
		} {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("the metrics have no %s", want)
			}
		}
		if bytes.Contains(text, []byte("\nrostrum_http_requests_in_flight 0\n")) { // this one is
			t.Error("no request is in flight")
		}
		if strings.Contains(strings.ToLower(string(text)), secret) {
			t.Error("the metrics have a text that a client has chosen")
		}
	})
}

// TestAccessLog checks the lines of requests, which have no path and no query. It replaces the default
// logger, so it is not parallel.
func TestAccessLog(t *testing.T) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	var out bytes.Buffer
	slog.SetDefault(slog.New(logJSON.newHandler(&out)))
	config := testConfig(t)
	config.AccessLog = true
	a, _ := newApp(t, config)
	out.Reset()
	sendHostile(t, a.Handler(), "rsk_wrong")
	var routes []string
	for line := range strings.Lines(out.String()) {
		var entry struct {
			Msg, Method, Route string
			Status             int
			RequestID          string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if entry.Msg == "request" {
			routes = append(routes, entry.Method+" "+entry.Route+" "+http.StatusText(entry.Status)+" "+entry.RequestID)
		}
	}
	want := "GET /api/v1/documents Unauthorized id-1\nGET /l/{slug} Not Found \nGET other Not Found \nother other Method Not Allowed \n" +
		"POST /graphql Unauthorized id-1\nPOST /graphql Unauthorized id-1"
	if got := strings.Join(routes, "\n"); got != want {
		t.Errorf("the lines are\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(strings.ToLower(out.String()), secret) {
		t.Errorf("a line has a text that a client has chosen: %s", out.String())
	}
}

// TestStatusOf checks that a connection that a WebSocket has taken is no request of 200.
func TestStatusOf(t *testing.T) {
	t.Parallel()
	plain, socket := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRequest(http.MethodGet, "/", nil)
	socket.Header.Set("Upgrade", "websocket")
	for name, c := range map[string]struct {
		r             *http.Request
		written, want int
	}{
		"nothing is written":  {plain, 0, 200},
		"a status":            {plain, 404, 404},
		"a socket":            {socket, 0, 101},
		"a socket is refused": {socket, 400, 400},
	} {
		out := middleware.NewWrapResponseWriter(httptest.NewRecorder(), 1)
		if c.written != 0 {
			out.WriteHeader(c.written)
		}
		if got := statusOf(out, c.r); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
