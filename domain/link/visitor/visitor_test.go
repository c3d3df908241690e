package visitor

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
)

// recordedRequest is one line of testdata/requests.jsonl: a request and its expected
// classification.
type recordedRequest struct {
	Method  string            `json:"method"` // empty: GET
	Headers map[string]string `json:"headers"`
	Why     string            `json:"why"` // empty: a person's request
	Device  string            `json:"device"`
	Browser string            `json:"browser"`
	OS      string            `json:"os"`
}

func (c recordedRequest) httpRequest() *http.Request {
	r := &http.Request{URL: new(url.URL), Method: c.Method, Header: http.Header{}, RemoteAddr: "192.0.2.1:5000"}
	for name, value := range c.Headers {
		r.Header.Set(name, value)
	}
	return r
}

func readRecorded(t testing.TB) []recordedRequest {
	t.Helper()
	file, err := os.Open("testdata/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []recordedRequest
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c recordedRequest
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		all = append(all, c)
	}
	return all
}

func openReader(t testing.TB, c Config) *Reader {
	t.Helper()
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	r, people, programs := openReader(t, Config{}), 0, 0
	for _, c := range readRecorded(t) {
		for range 2 { // the second call is cached
			v := r.Read(c.httpRequest())
			if v.Why != c.Why || v.Human != (c.Why == "") {
				t.Errorf("%v %v: human is %t because of %q, want %q", c.Method, c.Headers, v.Human, v.Why, c.Why)
			} else if v.Human && (v.Device != c.Device || v.Browser != c.Browser || v.OS != c.OS) {
				t.Errorf("%v: %s, %s, %s; want %s, %s, %s", c.Headers, v.Device, v.Browser, v.OS, c.Device, c.Browser,
					c.OS)
			}
		}
		if c.Why == "" {
			people++
		} else {
			programs++
		}
	}
	if people < 40 || programs < 60 {
		t.Errorf("the testdata has %d requests of people and %d of programs, too few for a test", people, programs)
	}
}

func TestReferrer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, want string }{
		"a_page":                {"https://www.linkedin.com/feed/", "https://www.linkedin.com/feed/"},
		"an_origin":             {"https://t.co", "https://t.co"},
		"no_query_and_fragment": {"https://Example.org/a?token=secret#x", "https://example.org/a"},
		"no_credentials":        {"https://user:pass@example.org/a", "https://example.org/a"},
		"a_port":                {"http://example.org:8080/a", "http://example.org:8080/a"},
		"an_app_is_no_page":     {"android-app://com.slack/", ""},
		"a_script_is_no_page":   {"javascript:alert(1)", ""},
		"no_host":               {"https:///a", ""},
		"nonsense":              {"::://", ""},
		"non-ascii":             {"https://example.org/ä\x80", "https://example.org/%C3%A4%80"},
		"nothing":               {"", ""},
		"a_long_one_is_cut": {"https://example.org/" + strings.Repeat("a", 5000), "https://example.org/" +
			strings.Repeat("a", 480)},
		"a_long_query_is_dropped": {"https://example.org/a?" + strings.Repeat("a", 5000), "https://example.org/a"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &http.Request{URL: new(url.URL), Header: http.Header{"Referer": {c.header}}}
			if got := openReader(t, Config{}).Read(r).Referrer; got != c.want {
				t.Errorf("the referrer is %q, want %q", got, c.want)
			}
		})
	}
}

// writeGeoFile writes a MaxMind file in which 2.0.0.0/8 is a city, 3.0.0.0/8 only a country, and
// 4.0.0.0/8 only a registered country.
func writeGeoFile(t testing.TB, kind string) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: kind, RecordSize: 24, IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	country := func(code string) mmdbtype.Map { return mmdbtype.Map{"iso_code": mmdbtype.String(code)} }
	for network, row := range map[string]mmdbtype.Map{
		"2.0.0.0/8": {"country": country("PT"), "city": mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String(
			"Lisbon"), "pt": mmdbtype.String("Lisboa")}}},
		"3.0.0.0/8": {"country": country("NZ")},
		"4.0.0.0/8": {"registered_country": country("US")},
	} {
		if err := tree.InsertRange(netip.MustParsePrefix(network).Addr().AsSlice(), lastAddress(network),
			row); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "places.mmdb")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := tree.WriteTo(file); err != nil {
		t.Fatal(err)
	}
	return name
}

func lastAddress(network string) []byte {
	first := netip.MustParsePrefix(network).Addr().As4()
	return []byte{first[0], 255, 255, 255}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	trusted := Config{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	both := Config{GeoFile: writeGeoFile(t, "GeoLite2-City"), Proxies: trusted.Proxies}
	for name, c := range map[string]struct {
		config        Config
		remote        string
		headers       map[string]string
		country, city string
	}{
		"a_city_of_the_file":            {both, "2.1.2.3:1", nil, "PT", "Lisbon"},
		"a_country_of_the_file":         {both, "3.1.2.3:1", nil, "NZ", ""},
		"where_a_network_is_registered": {both, "4.1.2.3:1", nil, "US", ""},
		"the address forwarded by a proxy": {both, "10.0.0.1:1", map[string]string{"X-Forwarded-For": "2.1.2.3"},
			"PT", "Lisbon"},
		"the file has priority over a proxy": {both, "10.0.0.1:1",
			map[string]string{"X-Forwarded-For": "2.1.2.3", "CF-IPCountry": "DE"}, "PT", "Lisbon"},
		"a_proxy_where_the_file_ends": {both, "10.0.0.1:1",
			map[string]string{"CF-IPCountry": "DE", "CF-IPCity": "Köln"}, "DE", "Köln"},
		"unknown address": {both, "9.9.9.9:1", nil, "", ""},
		"cloudflare": {trusted, "10.0.0.1:1", map[string]string{"CF-IPCountry": "de"}, "DE",
			""},
		"cloudfront": {trusted, "10.0.0.1:1",
			map[string]string{"CloudFront-Viewer-Country": "FR", "CloudFront-Viewer-City": "Paris"}, "FR", "Paris"},
		"app_engine": {trusted, "10.0.0.1:1",
			map[string]string{"X-AppEngine-Country": "BR", "X-AppEngine-City": "?"}, "BR", ""},
		"vercel": {trusted, "10.0.0.1:1",
			map[string]string{"X-Vercel-IP-Country": "BR", "X-Vercel-IP-City": "S%C3%A3o%20Paulo"}, "BR", "São Paulo"},
		"unknown_to_cloudflare":            {trusted, "10.0.0.1:1", map[string]string{"CF-IPCountry": "XX"}, "", ""},
		"tor_is_no_country":                {trusted, "10.0.0.1:1", map[string]string{"CF-IPCountry": "T1"}, "", ""},
		"a client cannot set its location": {trusted, "192.0.2.1:1", map[string]string{"CF-IPCountry": "DE"}, "", ""},
		"a client cannot be its own proxy": {trusted, "192.0.2.1:1",
			map[string]string{"CF-IPCountry": "DE", "X-Forwarded-For": "10.0.0.1"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			req := recordedRequest{Headers: c.headers}.httpRequest()
			req.RemoteAddr = c.remote
			if v := openReader(t, c.config).Read(req); v.Country != c.country || v.City != c.city {
				t.Errorf("it is %q, %q; want %q, %q", v.Country, v.City, c.country, c.city)
			}
		})
	}
}

func TestPlaceFileOfAnotherKind(t *testing.T) {
	t.Parallel()
	if _, err := New(Config{GeoFile: writeGeoFile(t, "GeoLite2-ASN")}); err == nil ||
		!strings.Contains(err.Error(), "GeoLite2-ASN") {
		t.Errorf("a file of networks was accepted as one of locations: %v", err)
	}
	if _, err := New(Config{GeoFile: filepath.Join(t.TempDir(), "absent.mmdb")}); err == nil {
		t.Error("a missing file was opened")
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	r := openReader(t, Config{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"its_own":                  {"192.0.2.1:5000", "198.51.100.7", "192.0.2.1"},
		"forwarded by two proxies": {"10.0.0.1:5000", "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"},
		"whole_ipv6":               {"[2001:db8:1:2:3:4:5:6]:5000", "", "2001:db8:1:2:3:4:5:6"},
		"a_unix_socket":            {"@", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			req := &http.Request{URL: new(url.URL), RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": {c.forwarded}}}
			if got := r.Read(req).Address; got != c.want {
				t.Errorf("the address is %q, want %q", got, c.want)
			}
		})
	}
}

// TestMemoryIsBounded reads more user agents than the cache stores.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	r := openReader(t, Config{})
	for i := range knownAgents + 100 {
		r.Read(recordedRequest{Headers: map[string]string{"User-Agent": strings.Repeat("x", 2*maxHeader) +
			string(rune(i))}}.httpRequest())
		r.Read(recordedRequest{Headers: map[string]string{"User-Agent": "a " + string(rune('a'+i))}}.httpRequest())
	}
	if n := r.known.Len(); n > knownAgents {
		t.Errorf("%d agents are cached", n)
	}
	for _, k := range r.known.Keys() {
		if len(k.agent) > maxHeader {
			t.Fatalf("an agent of %d bytes is cached", len(k.agent))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range readRecorded(f) {
		f.Add(c.Headers["User-Agent"], c.Headers["Sec-CH-UA"], "https://example.org/a?b", "DE", "K\xf6ln")
	}
	r := openReader(f, Config{Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	f.Fuzz(func(t *testing.T, agent, brands, referer, country, city string) {
		v := r.Read(recordedRequest{Headers: map[string]string{
			"User-Agent": agent, "Sec-CH-UA": brands, "Referer": referer, "CF-IPCountry": country, "CF-IPCity": city,
			"X-Forwarded-For": city,
		}}.httpRequest())
		if v.Human != (v.Why == "") {
			t.Errorf("%+v is human and has a reason against it", v)
		}
		if v.Country != "" && len(v.Country) != 2 {
			t.Errorf("the country is %q", v.Country)
		}
		for _, text := range []string{v.Why, v.City, v.Device, v.Browser, v.OS, v.Address} {
			checkText(t, text, maxText)
		}
		checkText(t, v.Referrer, maxReferrer)
	})
}

func checkText(t *testing.T, text string, most int) {
	t.Helper()
	if !utf8.ValidString(text) || len(text) > most || strings.ContainsFunc(text, unicode.IsControl) {
		t.Errorf("%q cannot be stored", text)
	}
}

func BenchmarkReadKnownAgent(b *testing.B) {
	r := openReader(b, Config{})
	req := recordedRequest{Headers: map[string]string{
		"User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
		"Referer":    "https://www.linkedin.com/feed/",
	}}.httpRequest()
	b.ReportAllocs()
	for b.Loop() {
		r.Read(req)
	}
}

func BenchmarkReadNewAgent(b *testing.B) {
	k := agentKey{agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"}
	b.ReportAllocs()
	for b.Loop() {
		readAgent(k)
	}
}

// TestCrawlers checks each literal pattern of crawlers.tsv: a browser's user agent that contains it
// is classified as a program.
func TestCrawlers(t *testing.T) {
	t.Parallel()
	patterns := crawlerPatterns()
	if len(patterns) < 1000 {
		t.Fatalf("crawlers.tsv has %d patterns", len(patterns))
	}
	for _, p := range patterns {
		agent := "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 " + p.literal + "/1.0"
		if p.regexp == nil && programKind(agentKey{agent: agent}) == "" {
			t.Errorf("%q is classified as a person", agent)
		}
	}
}

func BenchmarkCrawlers(b *testing.B) {
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			mustParseCrawlers(crawlersFile)
		}
	})
	b.Run("search", func(b *testing.B) {
		agent := "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
		for b.Loop() {
			crawlerKind(agent)
		}
	})
}

func TestCampaign(t *testing.T) {
	t.Parallel()
	r := openReader(t, Config{})
	for query, want := range map[string]Campaign{
		"": {}, "a=utm_source": {}, "utm_source=": {},
		"utm_source=letter&utm_medium=e-mail&utm_campaign=Q3+results&utm_term=a%26b&utm_content=%C3%BC": {
			"letter", "e-mail", "Q3 results", "a&b", "ü"},
		"utm_source=a&utm_source=b":            {Source: "a"},
		"utm_source=a%00%0Ab&%zz=1":            {Source: "ab"},
		"utm_term=" + strings.Repeat("é", 200): {Term: strings.Repeat("é", 100)},
	} {
		if got := r.Read(&http.Request{URL: &url.URL{RawQuery: query}}).Campaign; got != want {
			t.Errorf("%s: %+v; want %+v", query, got, want)
		}
	}
}
