package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/test/kit/harness"
)

// load is the requests of clients while faults are injected, and what the gateways accepted.
type load struct {
	*cluster
	context   context.Context // ends with the load
	cancel    context.CancelFunc
	stopping  chan struct{} // closed when writers start no new request
	writers   sync.WaitGroup
	watchers  []*watcher
	stopSites func()
	sites     []string
	persona   string
	link      struct{ ID, Slug string }
	webhook   string
	counter   atomic.Int64

	mu        sync.Mutex
	created   map[string]bool // titles of created documents: whether the request was accepted
	ingested  map[string]bool // addresses
	asked     map[string]bool // questions to the persona
	drafted   map[string]bool // titles of drafts
	commented map[string]bool // texts of comments on them
	edited    []*editedDocument
	opened    []string // sessions of opens with a response
	refusals  map[string]int
	abandoned int
}

// editedDocument is a document that one writer edits.
type editedDocument struct {
	id             string
	accepted, sent string // titles
}

// startLoad creates the resources that the load needs, and starts watchers and writers.
func startLoad(ctx context.Context, c *cluster, p plan) (*load, error) {
	l := &load{cluster: c, stopping: make(chan struct{}), created: map[string]bool{}, ingested: map[string]bool{},
		asked: map[string]bool{}, drafted: map[string]bool{}, commented: map[string]bool{}, refusals: map[string]int{}}
	l.context, l.cancel = context.WithCancel(ctx)
	var err error
	if l.sites, l.stopSites, err = newSites(); err != nil {
		return nil, err
	}
	if err := l.createResources(); err != nil {
		return nil, err
	}
	if err := l.startWatchers(p.watchers); err != nil {
		return nil, err
	}
	for _, write := range []func(){l.createDocument, l.createDocument, l.ingestPage, l.ingestPage, l.askPersona, l.commentDraft,
		l.openLink, l.openLink, l.openLink} {
		l.writers.Go(func() { l.repeat(write) })
	}
	for range 2 {
		d, err := l.newEditedDocument()
		if err != nil {
			return nil, err
		}
		l.writers.Go(func() { l.repeat(func() { l.editDocument(d) }) })
	}
	return l, nil
}

// webhookEvents are the events that the load causes and a webhook may get.
var webhookEvents = []string{"link.opened", "conversion", "form.submitted", "document.ready", "document.failed", "job.failed",
	"draft.commented"}

// repeat calls the writer until the load stops.
func (l *load) repeat(write func()) {
	for {
		select {
		case <-l.stopping:
			return
		case <-l.context.Done():
			return
		case <-time.After(rand.N(200 * time.Millisecond)):
			write()
		}
	}
}

// stopWriting waits until the writers have ended their requests.
func (l *load) stopWriting() {
	close(l.stopping)
	l.writers.Wait()
}

// stop ends watchers and sites.
func (l *load) stop() {
	l.cancel()
	for _, w := range l.watchers {
		<-w.ended
	}
	l.stopSites()
}

func (l *load) createResources() error {
	var persona struct {
		ID string `json:"persona_id"`
	}
	if !l.send(http.MethodPost, "/api/v1/personas",
		map[string]any{"name": "Wetland Wardens", "concerns": "emissions, air pollution"}, &persona) {
		return fmt.Errorf("no persona was created: %v", l.refusals)
	}
	l.persona = persona.ID
	if !l.send(http.MethodPost, "/api/v1/links", map[string]any{"destination_url": "https://example.com/",
		"title": "Faults"}, &l.link) {
		return fmt.Errorf("no link was created: %v", l.refusals)
	}
	var webhook struct{ ID string }
	if !l.send(http.MethodPost, "/api/v1/webhooks", map[string]any{"url": l.receiver.URL + "/events",
		"events": webhookEvents}, &webhook) {
		return fmt.Errorf("no webhook was created: %v", l.refusals)
	}
	l.webhook = webhook.ID
	return nil
}

// patience is how long a client repeats a request.
const patience = 2 * time.Minute

// send sends a request to a random gateway and repeats it with the same idempotency key until it is
// accepted or refused. It reports whether the request was accepted.
func (l *load) send(method, path string, body, out any) bool {
	text, _ := json.Marshal(body)
	key := fmt.Sprintf("fault-%d", l.counter.Add(1))
	var tries attempts
	for begin := time.Now(); time.Since(begin) < patience && l.context.Err() == nil; {
		n := rand.N(len(l.gateways))
		last := l.sendOnce(l.gateways[n], method, path, key, text, out)
		if !last.again {
			return last.accepted
		}
		tries.add(time.Since(begin), n, last)
		time.Sleep(100*time.Millisecond + rand.N(200*time.Millisecond))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.abandoned++
	l.refusals[fmt.Sprintf("%s %s is abandoned: %s", method, path, strings.Join(tries.lines, "; "))]++
	return false
}

// attempts describes the responses to a request that was repeated. Equal responses of one gateway
// that follow each other are one line.
type attempts struct {
	lines []string
	last  string
}

func (a *attempts) add(after time.Duration, gateway int, r reply) {
	text := fmt.Sprintf("gateway %d returns %d %.100s", gateway+1, r.status, ids.ReplaceAllString(string(r.text), "ID"))
	if text == a.last {
		return
	}
	a.lines, a.last = append(a.lines, fmt.Sprintf("after %.1f s %s", after.Seconds(), text)), text
}

// reply is the outcome of one request: whether it was accepted, and whether it has to be repeated.
// Without a response its status is 0, and its text the error.
type reply struct {
	accepted, again bool
	status          int
	text            []byte
}

// sendOnce sends a request to a gateway once.
func (l *load) sendOnce(g *gateway, method, path, key string, text []byte, out any) reply {
	header := http.Header{"X-Api-Key": {l.key}, "Idempotency-Key": {key}, "Content-Type": {"application/json"}}
	r := harness.Send(l.context, caller, method, g.url()+path, header, text)
	if r.Err != nil {
		return reply{again: true, text: []byte(r.Err.Error())}
	}
	status, answer := r.Status, r.Body
	got := reply{status: status, text: answer}
	switch {
	case status < 300:
		got.accepted = json.Unmarshal(answer, out) == nil
	case status == http.StatusInternalServerError:
		l.addRefusal(method, path, status, answer)
		got.again = true
	case status == http.StatusConflict && bytes.Contains(answer, []byte(`"code":"conflict"`)) &&
		bytes.Contains(answer, []byte("was executed")):
		got.accepted = true // its response was lost with a connection, its effect was not
	case status > 500 || status == http.StatusTooManyRequests || status == http.StatusConflict:
		got.again = true
	default:
		l.addRefusal(method, path, status, answer)
	}
	return got
}

// ids are the ids in responses and paths.
var ids = regexp.MustCompile(`[a-z]{2,4}_[0-9a-z]{26}|"request_id":"[A-Z0-9]*"`)

// addRefusal counts a response that a client does not expect, without its ids.
func (l *load) addRefusal(method, path string, status int, answer []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals[ids.ReplaceAllString(fmt.Sprintf("%s %s returns %d: %.300s", method, path, status, answer), "ID")]++
}

// set records whether a request was accepted.
func (l *load) set(kind map[string]bool, name string, accepted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kind[name] = accepted
}

func (l *load) createDocument() {
	title := fmt.Sprintf("created %d", l.counter.Add(1))
	l.set(l.created, title, l.send(http.MethodPost, "/api/v1/documents",
		map[string]any{"title": title, "content": "Text of " + title}, &struct{}{}))
}

func (l *load) ingestPage() {
	n := l.counter.Add(1)
	address := fmt.Sprintf("%s/page-%d", l.sites[int(n)%len(l.sites)], n)
	l.set(l.ingested, address, l.send(http.MethodPost, "/api/v1/documents/ingest",
		map[string]any{"source_url": address, "media_provenance": "earned"}, &struct{}{}))
}

func (l *load) askPersona() {
	question := fmt.Sprintf("What do you say to %d new turbines?", l.counter.Add(1))
	l.set(l.asked, question, l.send(http.MethodPost, "/api/v1/personas/interact",
		map[string]any{"persona_id": l.persona, "message": question}, &struct{}{}))
}

func (l *load) newEditedDocument() (*editedDocument, error) {
	var made struct{ Document struct{ ID string } }
	title := fmt.Sprintf("edited %d", l.counter.Add(1))
	if !l.send(http.MethodPost, "/api/v1/documents", map[string]any{"title": title, "content": "Text."}, &made) {
		return nil, fmt.Errorf("no document was created: %v", l.refusals)
	}
	d := &editedDocument{id: made.Document.ID, accepted: title}
	l.edited = append(l.edited, d)
	return d, nil
}

func (l *load) editDocument(d *editedDocument) {
	d.sent = fmt.Sprintf("edited %d", l.counter.Add(1))
	if l.send(http.MethodPatch, "/api/v1/documents/"+d.id, map[string]any{"title": d.sent}, &struct{}{}) {
		d.accepted = d.sent
	}
}

const browserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// openLink opens the link as a new viewer and records the session of the response.
func (l *load) openLink() {
	g := l.gateways[rand.N(len(l.gateways))]
	header := http.Header{"User-Agent": {browserAgent}}
	r := harness.Send(l.context, caller, http.MethodGet, g.url()+"/l/"+l.link.Slug, header, nil)
	for _, cookie := range (&http.Response{Header: r.Header}).Cookies() {
		id, _, _ := strings.Cut(cookie.Value, ".")
		l.mu.Lock()
		l.opened = append(l.opened, id)
		l.mu.Unlock()
	}
}
