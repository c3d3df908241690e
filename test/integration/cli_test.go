package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"

	"rostrum/app/cli"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/proxy"
)

// printed is what a command has printed; it may be read while the command runs.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// command runs a command of a user, and returns its exit code.
func command(ctx context.Context, t *testing.T, out, errors *printed, words ...string) int {
	t.Helper()
	parser, err := kong.New(&cli.Commands{}, kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(cli.Streams{In: strings.NewReader(""), Out: out, Err: errors}))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	err = parsed.Run()
	code, isPrinted := cli.ExitCode(err)
	if isPrinted {
		_, _ = errors.Write([]byte(err.Error() + "\n"))
	}
	return code
}

// must runs a command that succeeds, with the app's address and key, and returns what it prints.
func must(t *testing.T, a *kit.App, words ...string) string {
	t.Helper()
	var out, errors printed
	if code := command(t.Context(), t, &out, &errors, append(words, "--url", a.URL, "--key", a.Key)...); code != 0 {
		t.Fatalf("%q ends with %d: %s%s", words, code, out.String(), errors.String())
	}
	return out.String()
}

// wantLines checks that each part is in the text, and with --json that each line is JSON.
func wantLines(t *testing.T, isJSON bool, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	for line := range strings.Lines(text) {
		if isJSON && !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}

// TestCLI runs each command of users, with text and with the API's answers as they come.
func TestCLI(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		folder := t.TempDir()
		file := func(name, text string) string {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		harbour := file("harbour.txt", "Harbour news\n\nThe harbour of Basel opens again in May, Acme said.")
		draft := file("draft.md", "# Harbour\n\nThe harbour **opens**.")
		a.Do(t, "POST", "/api/v1/personas", nil,
			`{"name":"Pat Reporter","category":"press","entity_kind":"person","include_in_audience":true,"description":"A reporter."}`)

		document, _, _ := strings.Cut(must(t, a, "ingest", harbour, "--watch", "--visibility", "public"), "\t")
		drafted := strings.TrimSpace(must(t, a, "draft", "save", draft))
		for _, c := range []struct {
			words      []string
			text, json string
		}{
			{[]string{"search", "harbour"}, document + "\t", `"totalCount":1`},
			{[]string{"ask", "Pat Reporter", "When does the harbour open?"}, "Sources:\n" + document, `"output_content":`},
			{[]string{"react", document}, "Pat Reporter\t", `"job_type":"persona_reactions"`},
			{[]string{"react", document, "--persona", "Pat Reporter"}, "Pat Reporter\t", `"reactions":[`},
			{[]string{"links", "create", "https://example.com/a", "--title", "Ours"}, "http", `"short_url":`},
			{[]string{"links"}, "\t0\tOurs\n", `"links":[`},
			{[]string{"draft", "show", drafted}, "The harbour **opens**.", `"content":"# Harbour`},
			{[]string{"draft"}, drafted + "\tdraft\t", `"drafts":[`},
			{[]string{"ingest", file("second.txt", "A second text about the harbour.")}, "\tsecond.txt\n", `"files":[`},
		} {
			wantLines(t, false, must(t, a, c.words...), c.text)
			wantLines(t, true, must(t, a, append(c.words, "--json")...), c.json)
		}
		wantLines(t, false, must(t, a, "export", drafted, "--format", "md", "-o", "-"), "The harbour **opens**.")

		var out, errors printed
		at := []string{"--url", a.URL, "--key", a.Key}
		if code := command(t.Context(), t, &out, &errors, append([]string{"ingest", "--watch", file("b.bin", "\x00\x01\x02"), harbour}, at...)...); code != 1 {
			t.Errorf("a file that is not read: exit code %d", code)
		}
		wantLines(t, false, out.String(), "\tready\tharbour.txt")
		wantLines(t, false, errors.String(), "b.bin: ", "1 of 2 texts failed")
		if code := command(t.Context(), t, &out, &errors, append([]string{"watch", "job_none"}, at...)...); code != 1 {
			t.Errorf("an unknown job: exit code %d", code)
		}
	})
}

// TestCLI_tail_resumes loses the connection of rostrum tail between events.
func TestCLI_tail_resumes(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		address, err := url.Parse(a.URL)
		if err != nil {
			t.Fatal(err)
		}
		server, err := proxy.New(address.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		create := func(title string) {
			a.Do(t, "POST", "/api/v1/documents", nil, `{"title":"`+title+`","content":"A text."}`)
		}
		create("zero")
		var feed struct {
			Next string `json:"next_cursor"`
		}
		if err := json.Unmarshal(a.Do(t, "GET", "/api/v1/events", nil, "").Body, &feed); err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		var out, errors printed
		ended := make(chan int, 1)
		go func() {
			ended <- command(ctx, t, &out, &errors, "tail", "--after", feed.Next, "--event", "document.ready",
				"--url", "http://"+server.Address(), "--key", a.Key)
		}()
		titles := []string{"first", "second", "third"}
		for _, title := range titles {
			create(title)
			poll.Until(t, func() bool { return strings.Contains(out.String(), title) }, "%s is missing in %s", title, &out)
			server.Cut()
		}
		interrupt()
		if code := <-ended; code != 130 {
			t.Errorf("exit code %d: %s", code, &errors)
		}
		for _, title := range titles {
			if strings.Count(out.String(), title) != 1 {
				t.Errorf("not once: %s in\n%s", title, &out)
			}
		}
	})
}
