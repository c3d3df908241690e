package e2e

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-pdf/fpdf"
)

// newSite serves the handler on loopback, under the name of a separate address: a gateway limits
// requests to each host, so that many sources need many hosts.
func newSite(t *testing.T, host string, handler http.Handler) *httptest.Server {
	t.Helper()
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Skipf("this system has no %s: %v", host, err)
	}
	site := httptest.NewUnstartedServer(handler)
	site.Listener.Close()
	site.Listener = listener
	site.Start()
	t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	return site
}

// pausedSite serves one source, whose response is sent only after open is called; requested is
// closed by the first request.
type pausedSite struct {
	url       string
	requested chan struct{}
	open      func()
}

// newPausedSite delays a source's response, so that its job can be watched while it runs.
func newPausedSite(t *testing.T, src source) pausedSite {
	t.Helper()
	asked, opened := make(chan struct{}), make(chan struct{})
	ask, open := sync.OnceFunc(func() { close(asked) }), sync.OnceFunc(func() { close(opened) })
	site := newSite(t, "127.0.0.1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ask()
		select {
		case <-opened:
			src.serve(w)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(open)
	return pausedSite{site.URL + src.path, asked, open}
}

// awaitRequest waits until the gateway requests the source.
func (s pausedSite) awaitRequest(t *testing.T) {
	t.Helper()
	select {
	case <-s.requested:
	case <-time.After(startTimeout):
		t.Fatalf("no request for %s", s.url)
	}
}

// source is a file as a site serves it.
type source struct {
	path, mediaType string
	body            []byte
	wantText        string // is contained in its text
}

func (s source) serve(w http.ResponseWriter) {
	w.Header().Set("Content-Type", s.mediaType)
	_, _ = w.Write(s.body)
}

// paragraphs returns the body text of the n-th source; each source has different sentences.
func paragraphs(n int) []string {
	return []string{
		fmt.Sprintf("The harbour authority of Tidewall counted %d ferries on the new northern route in its first quarter, more than any forecast had allowed for.", 100+n),
		"Passengers named the earlier departures and the sheltered platform as their reasons to change, while freight companies praised the shorter way to the ring road.",
		fmt.Sprintf("Ines Okafor, chief executive of Tidewall, said that route %d would stay open through the winter and that a second pier would be tendered in spring.", n),
		"Residents of the old quay asked for quieter engines at night. The authority answered that the first electric ferry would be tried before the summer.",
	}
}

// newPage returns the n-th web page: an article with the navigation and footer of a real page.
func newPage(n int) source {
	title := fmt.Sprintf("Northern route %d carries more ferries than forecast", n)
	var body strings.Builder
	fmt.Fprintf(&body, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title><meta name="author" content="Marta Lindqvist">
<meta property="article:published_time" content="2026-03-04T08:30:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/contact">Contact</a></nav><main><article><h1>%s</h1>`, title, title)
	for _, paragraph := range paragraphs(n) {
		fmt.Fprintf(&body, "<p>%s</p>\n", paragraph)
	}
	body.WriteString(`</article></main><footer>All rights reserved. <a href="/imprint">Imprint</a></footer></body></html>`)
	return source{fmt.Sprintf("/news/%d.html", n), "text/html; charset=utf-8", []byte(body.String()),
		fmt.Sprintf("%d ferries", 100+n)}
}

// newPDF returns the n-th PDF.
func newPDF(t *testing.T, n int) source {
	t.Helper()
	file := fpdf.New("P", "mm", "A4", "")
	file.SetTitle(fmt.Sprintf("Quarterly report %d", n), true)
	file.AddPage()
	file.SetFont("Helvetica", "B", 16)
	file.MultiCell(0, 8, fmt.Sprintf("Quarterly report %d of the harbour", n), "", "", false)
	file.SetFont("Helvetica", "", 11)
	for _, paragraph := range paragraphs(n) {
		file.MultiCell(0, 6, paragraph, "", "", false)
	}
	var body bytes.Buffer
	if err := file.Output(&body); err != nil {
		t.Fatal(err)
	}
	return source{fmt.Sprintf("/reports/%d.pdf", n), "application/pdf", body.Bytes(), fmt.Sprintf("%d ferries", 100+n)}
}
