package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// ran is what a command has printed, and its exit code.
type ran struct {
	out, err string
	code     int
}

// run runs a command; its error is printed as the program does it.
func run(t *testing.T, input string, words ...string) ran {
	t.Helper()
	var out, errors bytes.Buffer
	parser, err := kong.New(&Commands{}, kong.BindTo(t.Context(), (*context.Context)(nil)),
		kong.Bind(Streams{In: strings.NewReader(input), Out: &out, Err: &errors}))
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	err = command.Run()
	code, isPrinted := ExitCode(err)
	if isPrinted {
		fmt.Fprintln(&errors, err)
	}
	return ran{out.String(), errors.String(), code}
}

func (r ran) want(t *testing.T, code int, out, err string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.err, err) {
		t.Errorf("exit code %d, want %d with %q and %q:\n%s\n%s", r.code, code, out, err, r.out, r.err)
	}
}

// configure gives the test a home of its own, without an address and a key in the environment.
func configure(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"),
		"AppData": home, "ROSTRUM_URL": "", "ROSTRUM_KEY": ""} {
		t.Setenv(name, value)
	}
}

// serve starts a gateway that knows the key "right".
func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-Key") != "right" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"code":"invalid_key","detail":"this is not a key of this server"}`)
			return
		}
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func serveLinks(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"name":"Ours","links":[{"id":"lnk_1","title":"a\u001b[2Jb"}]}`)
}

// TestLogin checks that a login is kept for its address only, and that nobody else can read it.
func TestLogin(t *testing.T) {
	configure(t)
	address := serve(t, serveLinks)
	run(t, "", "links").want(t, exitSignedOut, "", "rostrum login")
	run(t, "wrong\n", "login", "--url", address, "--key=-").want(t, exitSignedOut, "", "not a key of this server")
	run(t, "", "login", "--url", address).want(t, ExitUsage, "", "--key -")
	run(t, "right\n", "login", "--url", address+"/", "--key=-").want(t, 0, "workspace Ours", "")
	file, err := loginFile()
	if err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	run(t, "", "links").want(t, 0, "lnk_1\t\t0\ta[2Jb\n", "")
	run(t, "", "links", "--url", serve(t, serveLinks)).want(t, exitSignedOut, "", "no key for")
	run(t, "", "links", "--key", "wrong").want(t, exitSignedOut, "", "not a key")
	run(t, "", "logout").want(t, 0, "", "")
	run(t, "", "logout").want(t, 0, "", "")
	run(t, "", "links").want(t, exitSignedOut, "", "rostrum login")
}

// TestGateway_refuses checks the exit codes of gateways that do not answer as they should.
func TestGateway_refuses(t *testing.T) {
	configure(t)
	links := func(address string, more ...string) ran {
		return run(t, "", append([]string{"links", "--url", address, "--key", "right"}, more...)...)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	links(closed.URL).want(t, exitUnreached, "", "is not reached")
	links("ftp://example.com").want(t, ExitUsage, "", "no address of a gateway")
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed to %s", r.URL)
	}))
	t.Cleanup(other.Close)
	links(serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})).want(t, exitRefused, "", "redirects to "+other.URL)
	links(serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })).
		want(t, exitRefused, "", "not Rostrum's")
	links(serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })).
		want(t, exitRefused, "", "502 Bad Gateway")
	links(serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{\"links\":[{\"id\":\"lnk_1\",\"title\":\"a\u202eb\u009b2J\"}]}")
	}), "--json").want(t, 0, `"title":"a\u202eb\u009b2J"`, "")
	links(closed.URL, "--key", "one\ntwo").want(t, exitSignedOut, "", "has a line break")
	run(t, "", "search", "harbour", "--first", "1000", "--url", closed.URL, "--key", "right").
		want(t, ExitUsage, "", "--first takes a number from 1 to 100")
	run(t, "", "watch", "job_1", "--key", "right", "--url", serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>")
	})).want(t, exitRefused, "", "it is text/html and no stream of events")
	busy := true
	links(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if busy {
			busy = false
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		serveLinks(w, r)
	})).want(t, 0, "lnk_1", "")
}

// TestWatch_resumes checks that a lost stream goes on after its last event, that events are shown
// once, and that an error on the stream ends it.
func TestWatch_resumes(t *testing.T) {
	configure(t)
	const event = "id: %d\nevent: %s\ndata: {\"id\":\"job_1\",\"status\":%q,\"progress\":%d}\n\n"
	watch := func(last string) (ran, []string) {
		var positions []string
		address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mediaStream)
			positions = append(positions, r.Header.Get("Last-Event-ID"))
			switch len(positions) {
			case 1:
				fmt.Fprintf(w, event+"id: 2\nevent: progress\ndata: {\"half\":", 1, "progress", "running", 40)
			case 2:
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				_, _ = io.WriteString(w, last)
			}
		})
		return run(t, "", "watch", "job_1", "--url", address, "--key", "right"), positions
	}
	got, positions := watch(fmt.Sprintf(event+event, 2, "progress", "running", 70, 3, "end", "completed", 100))
	got.want(t, 0, "job_1\t\tcompleted\n", "job_1: 40 %, running\njob_1: 70 %, running\n")
	if fmt.Sprint(positions) != "[ 1 1]" {
		t.Errorf("opened after %q", positions)
	}
	got, _ = watch("event: error\ndata: {\"status\":401,\"detail\":\"the key was revoked\"}\n\n")
	got.want(t, exitSignedOut, "", "the key was revoked")
	got, _ = watch(fmt.Sprintf(event, 2, "end", "failed", 70))
	got.want(t, exitRefused, "failed", "the job failed")
}

// TestTail_begins checks that the stream begins after the newest event, so that none is lost with a
// connection that breaks before the first one.
func TestTail_begins(t *testing.T) {
	configure(t)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/graphql" {
			_, _ = io.WriteString(w, `{"data":{"events":{"nodes":[{"id":"evt_9"}]}}}`)
			return
		}
		w.Header().Set("Content-Type", mediaStream)
		if got := r.URL.Query()["types"]; r.Header.Get("Last-Event-ID") != "evt_9" || len(got) != 2 {
			t.Errorf("the stream begins after %q with %q", r.Header.Get("Last-Event-ID"), got)
		}
		_, _ = io.WriteString(w, "id: evt_10\nevent: document.ready\ndata: {\"event\":\"document.ready\",\"data\":{\"n\":1}}\n\n"+
			"event: error\ndata: {\"status\":403,\"detail\":\"enough\"}\n\n")
	})
	run(t, "", "tail", "--event", "document.ready", "--event", "job.failed", "--url", address, "--key", "right").
		want(t, exitRefused, "document.ready\t\t{\"n\":1}", "enough")
}

// TestSearch_stored checks that a gateway that runs stored operations only is searched over REST.
func TestSearch_stored(t *testing.T) {
	configure(t)
	status, code := http.StatusBadRequest, "document_not_trusted"
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/graphql" {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"errors":[{"message":"no such","extensions":{"code":%q}}]}`, code)
			return
		}
		_, _ = io.WriteString(w, `{"documents":[{"id":"doc_1","title":"T","company":"C","created_at":"2026-01-02T00:00:00Z"}],`+
			`"pagination":{"total_count":1}}`)
	})
	search := func() ran { return run(t, "", "search", "word", "--url", address, "--key", "right") }
	search().want(t, 0, "doc_1\t2026-01-02\tT\tC\n", "1 of 1")
	status, code = http.StatusOK, "validation_failed"
	search().want(t, exitRefused, "", "no such")
}
