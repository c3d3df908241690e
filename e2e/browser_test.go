package e2e

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// pageTimeout is the maximum time until a page shows a result. A machine that also compiles other packages takes long.
const pageTimeout = 3 * time.Minute

// browserSlots limits the browsers that run at the same time, each of which has several processes.
var browserSlots = make(chan struct{}, 2)

// acquireBrowserSlot waits until a browser may start, and returns the function that releases its slot.
func acquireBrowserSlot() (release func()) {
	browserSlots <- struct{}{}
	return func() { <-browserSlots }
}

// TestBrowser uses the pages in a browser that reaches no host but this one.
func TestBrowser(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../playground/node_modules/graphiql"); err != nil {
		skipMissing(t, "the playground's files (npm ci in playground)", err)
	}
	g := installation{name: "sqlite", folder: t.TempDir()}.start(t)
	b := newBrowser(t)
	t.Run("playground", func(t *testing.T) { b.usePlayground(t, g) })
	t.Run("pages_list_every_operation", func(t *testing.T) { b.compareLists(t, g) })
}

// browser is a headless Chromium whose names resolve only on this host.
type browser struct{ context context.Context }

func newBrowser(t *testing.T) browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		skipMissing(t, "chromium", err)
	}
	t.Cleanup(acquireBrowserSlot())
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1400, 1000),
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("no-first-run", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"), chromedp.WSURLReadTimeout(pageTimeout))
	context, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	return browser{context}
}

// page is an open tab with the network requests that it made.
type page struct {
	context  context.Context
	mu       sync.Mutex
	requests []string
	failures []string // exceptions that no script caught
}

// open opens an address in a new tab, which may send requests to the gateway only.
func (b browser) open(t *testing.T, g *gateway, path string) *page {
	t.Helper()
	tab, cancel := chromedp.NewContext(b.context, chromedp.WithErrorf(func(string, ...any) {}))
	p := &page{context: tab}
	chromedp.ListenTarget(tab, p.record)
	t.Cleanup(func() {
		p.check(t, g)
		if t.Failed() {
			p.saveScreenshot(t)
		}
		cancel()
	})
	p.run(t, network.Enable(), chromedp.Navigate(g.url+path))
	return p
}

func (p *page) record(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, event.Request.URL)
	case *network.EventWebSocketCreated:
		p.requests = append(p.requests, event.URL)
	case *runtime.EventExceptionThrown:
		p.failures = append(p.failures, event.ExceptionDetails.Error())
	}
}

// check checks that the page sent requests to the gateway only, and that its scripts ran without an exception.
func (p *page) check(t *testing.T, g *gateway) {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := 0
	for _, request := range p.requests {
		switch u, err := url.Parse(request); {
		case err == nil && "http://"+u.Host == g.url:
			own++
		case err == nil && (u.Scheme == "data" || u.Scheme == "blob"):
		default:
			t.Errorf("the page sent a request to another host: %s", request)
		}
	}
	if own == 0 {
		t.Error("the page sent no request")
	}
	for _, failure := range p.failures {
		t.Errorf("a script of the page failed: %s", failure)
	}
}

// saveScreenshot writes an image of the page; go test -artifacts keeps it after the test.
func (p *page) saveScreenshot(t *testing.T) {
	var picture []byte
	ctx, cancel := context.WithTimeout(p.context, pageTimeout)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&picture, 80)); err != nil {
		t.Logf("no screenshot of the page: %v", err)
		return
	}
	file := filepath.Join(t.ArtifactDir(), "page.jpg")
	t.Logf("the page's screenshot is %s: %v", file, os.WriteFile(file, picture, 0o600))
}

// run runs actions in the tab within the time limit. The first run opens the tab, which must not end with a time limit.
func (p *page) run(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(p.context); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.context, pageTimeout)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// value evaluates a script that returns text.
func (p *page) value(script string) (out string, err error) {
	ctx, cancel := context.WithTimeout(p.context, pageTimeout)
	defer cancel()
	err = chromedp.Run(ctx, chromedp.Evaluate(script, &out))
	return out, err
}

// usePlayground opens the playground with a key and runs a query and a subscription in it.
func (b browser) usePlayground(t *testing.T, g *gateway) {
	g.rest(t, http.MethodPost, "/api/v1/documents", map[string]any{"title": "Read in a browser", "content": "A short text."}, &struct{}{})
	p := b.open(t, g, "/playground#key="+g.key)
	p.run(t, chromedp.WaitVisible(".graphiql-execute-button"), chromedp.WaitVisible(".graphiql-query-editor .CodeMirror"))
	p.execute(t, "BrowserQuery", `query BrowserQuery { documents(first: 20) { totalCount nodes { title } } }`)
	p.awaitResult(t, `"title": "Read in a browser"`)

	site := newPausedSite(t, newPage(7))
	made := g.ingest(t, site.url)
	site.awaitRequest(t)
	p.execute(t, "BrowserWatch", `subscription BrowserWatch { jobProgress(jobId: "`+made.JobID+`") { position kind job { id status } } }`)
	p.awaitResult(t, made.JobID, `"RUNNING"`)
	site.open()
	p.awaitResult(t, made.JobID, `"END"`, `"COMPLETED"`)
	if address, err := p.value(`location.href`); err != nil || strings.Contains(address, g.key) {
		t.Errorf("the key stays in the page's address %s (%v)", address, err)
	}
}

// execute types an operation and presses the button, once the page has registered the operation's name.
func (p *page) execute(t *testing.T, name, operation string) {
	t.Helper()
	p.run(t, chromedp.Evaluate(fmt.Sprintf(`document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(%q)`, operation), nil))
	awaitSuccess(t, pageTimeout, "the tab is called "+name, func() error {
		label, err := p.value(`document.querySelector('.graphiql-tab-active, .graphiql-tab-button')?.textContent ?? ''`)
		if err == nil && !strings.Contains(label, name) {
			err = fmt.Errorf("its label is %q", label)
		}
		return err
	})
	p.run(t, chromedp.Click(".graphiql-execute-button"))
}

// awaitResult waits until the page's result contains all of the texts.
func (p *page) awaitResult(t *testing.T, texts ...string) {
	t.Helper()
	awaitSuccess(t, pageTimeout, "the page shows the result", func() error {
		result, err := p.value(`document.querySelector('.result-window .CodeMirror')?.CodeMirror.getValue() ?? ''`)
		for _, text := range texts {
			if err == nil && !strings.Contains(result, text) {
				err = fmt.Errorf("%s is not in %q", text, result)
			}
		}
		return err
	})
}

// The scripts return the operations that a page lists, one on each line.
const (
	docsScript  = `[...document.querySelectorAll('.opblock')].map(b => b.querySelector('.opblock-summary-method').textContent + ' ' + b.querySelector('[data-path]').dataset.path).join('\n')`
	redocScript = `[...document.querySelectorAll('[data-section-id]')].map(s => s.dataset.sectionId).filter(id => id.includes('operation/')).map(id => id.split('operation/')[1]).join('\n')`
)

// compareLists compares the operations that each documentation page shows with the OpenAPI document.
func (b browser) compareLists(t *testing.T, g *gateway) {
	listed := g.operations(t)
	routes, ids := slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Values(listed))
	t.Run("docs", func(t *testing.T) { b.open(t, g, "/docs").awaitList(t, docsScript, routes) })
	t.Run("redoc", func(t *testing.T) { b.open(t, g, "/redoc").awaitList(t, redocScript, ids) })
}

// awaitList waits until the page lists the wanted operations, in any order.
func (p *page) awaitList(t *testing.T, script string, want []string) {
	t.Helper()
	awaitSuccess(t, pageTimeout, "the page lists every operation", func() error {
		text, err := p.value(script)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(strings.Split(text, "\n")))); diff != "" {
			return fmt.Errorf("the document (-) and the page (+) differ: %s", diff)
		}
		return nil
	})
}
