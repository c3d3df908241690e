package visitor

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/oschwald/maxminddb-golang/v2"

	"rostrum/platform/web"
)

// Visitor is the classification of a request. Texts are valid UTF-8 without control characters, at
// most 200 bytes long (Referrer 500), and empty if unknown. Device, Browser and OS are empty for
// programs.
type Visitor struct {
	Human bool // whether the request counts as a person
	// the reason if not Human: head, method, prefetch, no_agent, unfurler, scanner, monitor, headless, client or bot
	Why      string
	Country  string // ISO 3166-1 alpha-2 code in capitals, such as PT
	City     string // the city's English name
	Device   string // desktop, mobile, tablet, tv, console, watch or other
	Browser  string // name of the browser or app without a version, such as Firefox or Instagram
	OS       string // name of the operating system without a version, such as Android
	Referrer string // scheme, host and path of the referring page, http or https
	Campaign Campaign
	Address  string // the sender's IP address
}

// Campaign has the values of the utm_ parameters of the opened address.
type Campaign struct{ Source, Medium, Name, Term, Content string }

// Config is the configuration of a Reader.
type Config struct {
	// a MaxMind city or country database (.mmdb); if empty, only trusted proxies provide locations
	GeoFile string
	Proxies []netip.Prefix // networks of trusted proxies
}

// Reader classifies requests. It is safe for concurrent use.
type Reader struct {
	proxies []netip.Prefix
	places  *maxminddb.Reader // nil without a database
	known   *lru.Cache[agentKey, agentInfo]
}

// knownAgents is the number of cached user agents; a busy service receives some thousands a day.
const knownAgents = 4096

// New returns a Reader; it returns an error if the MaxMind database cannot be opened or has another
// type.
func New(c Config) (*Reader, error) {
	known, err := lru.New[agentKey, agentInfo](knownAgents)
	if err != nil {
		return nil, fmt.Errorf("remember user agents: %w", err)
	}
	places, err := openPlaces(c.GeoFile)
	if err != nil {
		return nil, err
	}
	return &Reader{proxies: c.Proxies, places: places, known: known}, nil
}

// Close closes the MaxMind database; the Reader must not be used afterwards.
func (r *Reader) Close() error {
	if r.places == nil {
		return nil
	}
	return r.places.Close()
}

// Read classifies a request by its method, headers and connection; it does not read the body.
func (r *Reader) Read(req *http.Request) Visitor {
	address := web.ClientAddress(req, r.proxies)
	a := r.findAgent(req)
	v := Visitor{Device: a.device, Browser: a.browser, OS: a.os, Referrer: cleanReferrer(req.Referer()),
		Campaign: readCampaign(req.URL.RawQuery)}
	if address.IsValid() {
		v.Address = address.String()
	}
	v.Country, v.City = r.findPlace(req, address)
	v.Why = exclusionReason(req, a)
	v.Human = v.Why == ""
	return v
}

// maxQuery is the number of bytes of a query that are searched for a campaign.
const maxQuery = 4096

// readCampaign returns the campaign that a query names.
func readCampaign(query string) Campaign {
	if !strings.Contains(query, "utm_") {
		return Campaign{}
	}
	values, _ := url.ParseQuery(truncateBytes(query, maxQuery)) // what can be read of a malformed query
	get := func(name string) string { return cleanText(values.Get(name), maxText) }
	return Campaign{get("utm_source"), get("utm_medium"), get("utm_campaign"), get("utm_term"), get("utm_content")}
}

func (r *Reader) findAgent(req *http.Request) agentInfo {
	k := agentKey{truncateBytes(req.UserAgent(), maxHeader), truncateBytes(req.Header.Get("Sec-Ch-Ua"), maxHeader)}
	if a, ok := r.known.Get(k); ok {
		return a
	}
	a := readAgent(agentKey{strings.Clone(k.agent), strings.Clone(k.brands)})
	r.known.Add(agentKey{strings.Clone(k.agent), strings.Clone(k.brands)}, a)
	return a
}

// exclusionReason returns why the request does not count as a person, or an empty string.
func exclusionReason(req *http.Request, a agentInfo) string {
	switch {
	case req.Method == http.MethodHead:
		return "head"
	case req.Method != "" && req.Method != http.MethodGet && req.Method != http.MethodPost:
		return "method"
	case isPrefetch(req.Header):
		return "prefetch"
	}
	return a.why
}

// prefetchHeaders are the headers of requests that no person has made yet: that of the Fetch
// standard, and those of older Chrome, Safari and Firefox.
var prefetchHeaders = []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}

func isPrefetch(header http.Header) bool {
	for _, name := range prefetchHeaders {
		for _, value := range header[name] {
			value = strings.ToLower(value)
			if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") ||
				strings.Contains(value, "preview") {
				return true
			}
		}
	}
	return false
}
