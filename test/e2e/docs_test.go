package e2e

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// docPage is a page whose blocks are run in a folder of its own.
type docPage struct {
	gateway *gateway
	servers *strings.Replacer
	folder  string
	env     []string
	blocks  map[string][]docBlock // by language, without those that are not run
}

// docKinds run the blocks of a language on a page. A language without an entry fails the test.
var docKinds = map[string]func(*docPage, *testing.T, []docBlock){
	"sh": (*docPage).runShell, "graphql": (*docPage).runOperations, "json": (*docPage).checkJSON,
	"jsonl": (*docPage).checkLines, "ini": (*docPage).checkSettings, "ts": (*docPage).checkTypes,
	"tsx": (*docPage).checkTypes, "go": (*docPage).buildGo, "python": (*docPage).compilePython,
	"yaml": (*docPage).checkRules, "csv": (*docPage).checkTable,
}

// TestDocs runs every code block of README and docs on the demo: commands with a real shell and curl,
// operations with their variables. Other code is compiled or parsed. A block that is not run says why
// in a comment before it, and the test lists it.
func TestDocs(t *testing.T) {
	t.Parallel()
	needConsole(t)
	for _, program := range []string{"bash", "curl", "jq", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			skipMissing(t, program, err)
		}
	}
	p := sqliteInstallation(t)
	g := p.start(t)
	g.awaitDemo(t)
	site := newDocSite(t)
	env := append(p.environment("ROSTRUM_ADDR="+strings.TrimPrefix(g.url, "http://")), docTools(t, g)...)
	counts := map[string]int{}
	for _, path := range docPages(t) {
		page := &docPage{gateway: g, servers: docServers(g.url, site), env: env, blocks: map[string][]docBlock{}}
		for _, block := range readBlocks(t, path) {
			switch {
			case docKinds[block.language] == nil:
				t.Errorf("%s: no test for the language %q", block.place, block.language)
			case block.directive == "norun":
				t.Logf("%s is not run: %s", block.place, block.argument)
				counts[block.language+" not run"]++
			default:
				counts[block.language]++
				block.text = page.servers.Replace(block.text)
				page.blocks[block.language] = append(page.blocks[block.language], block)
			}
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), page.run)
	}
	examples := &docPage{gateway: g, servers: docServers(g.url, site), blocks: map[string][]docBlock{
		"graphql": readExamples(t)}}
	t.Run("playground", examples.run)
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%3d blocks: %s", counts[kind], kind)
	}
	if counts["sh"] < 20 || counts["graphql"] < 10 || counts["ts"] < 4 {
		t.Errorf("too few blocks: %v", counts)
	}
}

// run runs the blocks of a page. TypeScript comes last, because commands generate its types.
func (p *docPage) run(t *testing.T) {
	t.Parallel()
	p.folder = t.TempDir()
	p.writeFixtures(t)
	if len(p.blocks["ts"])+len(p.blocks["tsx"]) > 0 {
		p.writeTypeScript(t)
	}
	for _, language := range []string{"sh", "graphql", "json", "jsonl", "ini", "go", "python", "ts", "yaml", "csv"} {
		if blocks := p.blocks[language]; len(blocks) > 0 {
			docKinds[language](p, t, blocks)
		}
	}
}

// awaitDemo waits until the demo's documents are read and its personas stored.
func (g *gateway) awaitDemo(t *testing.T) {
	t.Helper()
	awaitSuccess(t, startTimeout, "the demo is filled", func() error {
		var data struct {
			Documents, Personas struct{ TotalCount int }
		}
		g.graph(t, `{ documents(filter: { q: "is:ready" }) { totalCount } personas { totalCount } }`, nil, &data)
		if data.Documents.TotalCount < 5 || data.Personas.TotalCount < 3 {
			return fmt.Errorf("%+v", data)
		}
		return nil
	})
}

// newDocSite serves what the pages read from example.com.
func newDocSite(t *testing.T) string {
	t.Helper()
	article := `<!doctype html><html lang="en"><title>%[1]s</title><article><h1>%[1]s</h1><p>` + strings.Repeat(
		"Tidewall opens a new array of turbines in the sound, and ferries leave every hour. ", 8) + `</p></article></html>`
	site := httptest.NewUnstartedServer(nil)
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/feed.xml":
			w.Header().Set("Content-Type", "application/rss+xml")
			fmt.Fprintf(w, `<rss version="2.0"><channel><title>News</title><item><title>First</title><link>%s/news/1</link></item></channel></rss>`, site.URL)
		case "/press":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>Press</title><a href="/press/release/1">One</a><a href="/press/release/2">Two</a>`)
		case "/news":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<link rel="alternate" type="application/rss+xml" href="/feed.xml">`+article, "News")
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, article, "Page "+r.URL.String())
		}
	})
	site.StartTLS()
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	return site.URL
}

// docTools writes the programs of the shell blocks into a folder, and returns the settings of their
// environment.
func docTools(t *testing.T, g *gateway) []string {
	t.Helper()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, script := range map[string][]byte{
		"curl": fmt.Appendf(nil, docCurl, curl), "rostrum": fmt.Appendf(nil, docProgram, programPath(t)),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), script, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var data struct {
		Viewer struct{ Workspace struct{ ID string } }
	}
	g.graph(t, `{ viewer { workspace { id } } }`, nil, &data)
	return []string{"PATH=" + folder + ":" + os.Getenv("PATH"), "XDG_CONFIG_HOME=" + filepath.Join(folder, "config"),
		"KEY=" + g.key, "ROSTRUM_KEY=" + g.key, "WORKSPACE=" + data.Viewer.Workspace.ID, "PASSWORD=correct horse battery"}
}

// writeFixtures writes the files that the blocks name.
func (p *docPage) writeFixtures(t *testing.T) {
	t.Helper()
	samples := "../../domain/ingest/sample/files/"
	pdf, err := os.ReadFile(samples + "tidewall-half-year-report.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"minutes.pdf", "report.pdf"} {
		writeFile(t, p.folder, name, pdf)
	}
	writeFile(t, p.folder, "interview.vtt", []byte("WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ada>The harbour opens.\n"))
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	letter, err := archive.Create("2026/letter.txt")
	if err == nil {
		_, err = letter.Write([]byte("Dear neighbours, the harbour opens."))
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	writeFile(t, p.folder, "folder.zip", packed.Bytes())
	writeFile(t, p.folder, "letter.md", []byte("# Letter\n\nThe harbour **opens**."))
	writeFile(t, p.folder, "inputs.jsonl", []byte(`{"title": "One", "content": "The first text."}`+"\n"))
	writeFile(t, p.folder, "manifest.json", []byte(`{"home": "query Home { viewer { scopes } }"}`))
	if err := os.Mkdir(filepath.Join(p.folder, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, p.folder, "data/demo.key", []byte(p.gateway.key+"\n"))
}

func (p *docPage) runShell(t *testing.T, blocks []docBlock) {
	stop := p.keepBusy(t)
	defer stop()
	p.runProgram(t, "bash", "-c", shellScript(blocks))
}

// runProgram runs a program in the page's folder; it must succeed.
func (p *docPage) runProgram(t *testing.T, program string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir, command.Env = p.folder, p.env
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out[max(0, len(out)-8<<10):])
	}
}

// keepBusy ingests a page again and again, so that streams have events, until stop is called.
func (p *docPage) keepBusy(t *testing.T) (stop func()) {
	t.Helper()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			body := fmt.Appendf(nil, `{"source_url": %q}`, p.servers.Replace(fmt.Sprintf("https://example.com/%s/%d", t.Name(), n)))
			if response, err := caller.Do(p.gateway.request(t, "POST", "/api/v1/documents/ingest", nil, body)); err == nil {
				response.Body.Close()
			}
			select {
			case <-done:
				return
			case <-time.After(2 * time.Second):
			}
		}
	}()
	return func() { close(done); <-ended }
}

var isSubscription = regexp.MustCompile(`(?m)^subscription\b`)

func (p *docPage) runOperations(t *testing.T, blocks []docBlock) {
	for _, block := range blocks {
		variables := json.RawMessage(`{}`)
		if block.directive == "variables" {
			variables = json.RawMessage(p.servers.Replace(block.argument))
		}
		body := encode(t, map[string]any{"query": block.text, "variables": variables})
		if isSubscription.MatchString(block.text) {
			p.subscribe(t, block, body)
			continue
		}
		got := p.gateway.do(t, "POST", "/graphql", nil, body)
		isRefused := bytes.Contains(got.body, []byte(`"errors":`))
		if got.status != 200 || isRefused != (block.directive == "refused") {
			t.Errorf("%s is answered with %d: %s", block.place, got.status, got.body)
		}
	}
}

// checkRules has the gateway check a text by each block, which is a house rule.
func (p *docPage) checkRules(t *testing.T, blocks []docBlock) {
	for _, block := range blocks {
		body := encode(t, map[string]string{"content": "We utilize it.", "rules": block.text})
		if got := p.gateway.do(t, "POST", "/api/v1/house-rules/check", nil, body); got.status != 200 ||
			!bytes.Contains(got.body, []byte(`"text":"utilize"`)) {
			t.Errorf("%s is answered with %d: %s", block.place, got.status, got.body)
		}
	}
}

// subscribe reads the first event of a subscription, which must have no errors.
func (p *docPage) subscribe(t *testing.T, block docBlock, body []byte) {
	t.Helper()
	stop := p.keepBusy(t)
	defer stop()
	response, err := caller.Do(p.gateway.request(t, "POST", "/graphql", http.Header{"Accept": {"text/event-stream"}}, body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if data, isData := strings.CutPrefix(lines.Text(), "data:"); isData {
			if strings.Contains(data, `"errors"`) || !strings.Contains(data, `"data"`) {
				t.Errorf("%s is answered with %s", block.place, data)
			}
			return
		}
	}
	t.Errorf("%s has no event: %v", block.place, lines.Err())
}

// checkTable checks that each row of a table has as many cells as the first.
func (p *docPage) checkTable(t *testing.T, blocks []docBlock) {
	for _, block := range blocks {
		if rows, err := csv.NewReader(strings.NewReader(block.text)).ReadAll(); err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", block.place, len(rows), err)
		}
	}
}

func (p *docPage) checkLines(t *testing.T, blocks []docBlock) {
	for _, block := range blocks {
		for line := range strings.Lines(block.text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %s", block.place, line)
			}
		}
	}
}

// checkJSON parses a block, and compares it with the OpenAPI document if a comment names the
// operation whose response it is.
func (p *docPage) checkJSON(t *testing.T, blocks []docBlock) {
	for _, block := range blocks {
		var value any
		if err := json.Unmarshal([]byte(block.text), &value); err != nil {
			t.Errorf("%s: %v", block.place, err)
		}
		if block.directive != "response" {
			continue
		}
		document, err := openapi3.NewLoader().LoadFromData(p.gateway.do(t, "GET", "/openapi/openapi.json", nil, nil).body)
		if err != nil {
			t.Fatal(err)
		}
		var method, path, status string
		if _, err := fmt.Sscan(block.argument, &method, &path, &status); err != nil {
			t.Fatalf("%s: %v", block.place, err)
		}
		operation := document.Paths.Value(path).GetOperation(method)
		schema := operation.Responses.Value(status).Value.Content.Get("application/json").Schema.Value
		if err := schema.VisitJSON(value); err != nil {
			t.Errorf("%s: %v", block.place, err)
		}
	}
}

var settingLine = regexp.MustCompile(`(?m)^([A-Z_]+)=`)

// checkSettings looks up the settings of a block in the generated list.
func (p *docPage) checkSettings(t *testing.T, blocks []docBlock) {
	known, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		found := settingLine.FindAllStringSubmatch(block.text, -1)
		if len(found) != strings.Count(block.text, "\n") {
			t.Errorf("%s has a line that is no setting", block.place)
		}
		for _, setting := range found {
			if !bytes.Contains(known, []byte("| `"+setting[1]+"` |")) {
				t.Errorf("%s: there is no setting %s", block.place, setting[1])
			}
		}
	}
}
