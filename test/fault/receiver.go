package main

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// receiver receives webhooks over https and can be slow or refuse requests.
type receiver struct {
	*httptest.Server
	authority string // the path of its certificate
	delay     atomic.Int64
	refuses   atomic.Int64 // refuses one request of as many; 0 none
	mu        sync.Mutex
	requests  int
	received  map[string]int // times per event id
}

func newReceiver(folder string) (*receiver, error) {
	r := &receiver{received: map[string]int{}, authority: filepath.Join(folder, "receiver.pem")}
	r.Server = httptest.NewTLSServer(r)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate().Raw})
	return r, os.WriteFile(r.authority, certificate, 0o600)
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	time.Sleep(time.Duration(r.delay.Load()))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	if of := int(r.refuses.Load()); of > 0 && r.requests%of == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.received[request.Header.Get("webhook-id")]++
}

// times returns how often an event was received.
func (r *receiver) times(event string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.received[event]
}

// siteHosts is the number of hosts that serve pages: a gateway fetches from each host slowly.
const siteHosts = 40

// newSites serves pages from many loopback addresses and returns their origins.
func newSites() (origins []string, stop func(), err error) {
	var sites []*httptest.Server
	stop = func() {
		for _, site := range sites {
			site.Close()
		}
	}
	for host := range siteHosts {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", host+10))
		if err != nil {
			return nil, stop, err
		}
		site := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(servePage)}}
		site.Start()
		sites, origins = append(sites, site), append(origins, site.URL)
	}
	return origins, stop, nil
}

func servePage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Barrage %[1]s opens</title></head><body><main><article><h1>Barrage %[1]s opens</h1>
<p>The tidal barrage %[1]s of the bay opened on Tuesday after four years of building, and its first turbine has been feeding the grid since noon.</p>
<p>It will supply about 40,000 homes and protect the old harbour from storm surges, engineers say. Another one is planned further north.</p>
</article></main></body></html>`, r.URL.Path)
}
