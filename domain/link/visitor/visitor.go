// Package visitor tells from a request alone who follows a link: a person or a program, from where, and with what.
package visitor

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/oschwald/maxminddb-golang/v2"

	"rostrum/caller"
)

// Visitor is what a request says of who sent it. Every text is valid UTF-8 without control characters, at most 200 bytes long
// (Referrer 500), and empty when nothing is known. Device, Browser and OS are empty for programs.
type Visitor struct {
	Human    bool   // whether the request counts as a person's
	Why      string // why it does not count: head, method, prefetch, no_agent, unfurler, scanner, monitor, headless, client or bot
	Country  string // ISO 3166-1 alpha-2 code in capitals, such as PT
	City     string // the city's English name
	Device   string // desktop, mobile, tablet, tv, console, watch or other
	Browser  string // the browser's or the app's name without a version, such as Firefox or Instagram
	OS       string // the operating system's name without a version, such as Android
	Referrer string // scheme, host and path of the page that led here, http or https
	Address  string // the sender's IP address
}

// Config says what a Reader may rely on.
type Config struct {
	GeoFile string         // a MaxMind city or country database (.mmdb); empty: places come from trusted proxies only
	Proxies []netip.Prefix // networks of proxies whose headers are believed
}

// Reader reads visitors from requests. It is safe for use by many goroutines.
type Reader struct {
	proxies []netip.Prefix
	places  *maxminddb.Reader // nil: there is no file
	known   *lru.Cache[key, agent]
}

// knownAgents is how many user agents are remembered; a busy service sees some thousands in a day.
const knownAgents = 4096

// New makes a Reader; it fails when the place file cannot be read or is of another kind.
func New(c Config) (*Reader, error) {
	known, err := lru.New[key, agent](knownAgents)
	if err != nil {
		return nil, fmt.Errorf("remember user agents: %w", err)
	}
	places, err := openPlaces(c.GeoFile)
	if err != nil {
		return nil, err
	}
	return &Reader{proxies: c.Proxies, places: places, known: known}, nil
}

// Close lets go of the place file; the Reader must not be used afterwards.
func (r *Reader) Close() error {
	if r.places == nil {
		return nil
	}
	return r.places.Close()
}

// Read tells who sent the request. It looks at the method, the headers and the connection, and never at the body.
func (r *Reader) Read(req *http.Request) Visitor {
	address := caller.Address(req, r.proxies)
	a := r.agent(req)
	v := Visitor{Device: a.device, Browser: a.browser, OS: a.os, Referrer: referrer(req.Referer())}
	if address.IsValid() {
		v.Address = address.String()
	}
	v.Country, v.City = r.place(req, address)
	v.Why = why(req, a)
	v.Human = v.Why == ""
	return v
}

func (r *Reader) agent(req *http.Request) agent {
	k := key{clip(req.UserAgent(), maxHeader), clip(req.Header.Get("Sec-Ch-Ua"), maxHeader)}
	if a, ok := r.known.Get(k); ok {
		return a
	}
	a := readAgent(key{strings.Clone(k.agent), strings.Clone(k.brands)})
	r.known.Add(key{strings.Clone(k.agent), strings.Clone(k.brands)}, a)
	return a
}

// why says why the request does not count as a person's.
func why(req *http.Request, a agent) string {
	switch {
	case req.Method == http.MethodHead:
		return "head"
	case req.Method != "" && req.Method != http.MethodGet && req.Method != http.MethodPost:
		return "method"
	case prefetched(req.Header):
		return "prefetch"
	}
	return a.why
}

// prefetchHeaders are how browsers say that nobody has asked for the page yet: the Fetch standard's, and what older Chrome, Safari
// and Firefox send.
var prefetchHeaders = []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}

func prefetched(header http.Header) bool {
	for _, name := range prefetchHeaders {
		for _, value := range header[name] {
			value = strings.ToLower(value)
			if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
				return true
			}
		}
	}
	return false
}
