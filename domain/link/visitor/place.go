package visitor

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"

	"rostrum/caller"
)

// openPlaces opens a MaxMind file; there is none without a name.
func openPlaces(name string) (*maxminddb.Reader, error) {
	if name == "" {
		return nil, nil
	}
	places, err := maxminddb.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the place file: %w", err)
	}
	kind := strings.ToLower(places.Metadata.DatabaseType)
	if !strings.Contains(kind, "city") && !strings.Contains(kind, "country") && !strings.Contains(kind, "enterprise") {
		places.Close() //nolint:errcheck // the file is refused
		return nil, fmt.Errorf("open the place file: %s is a %s database; a city or country database is needed", name, places.Metadata.DatabaseType)
	}
	return places, nil
}

// placeRow is what is read of a row of a MaxMind file.
type placeRow struct {
	Country    countryRow `maxminddb:"country"`
	Registered countryRow `maxminddb:"registered_country"`
	City       struct {
		Names struct {
			English string `maxminddb:"en"`
		} `maxminddb:"names"`
	} `maxminddb:"city"`
}

type countryRow struct {
	Code string `maxminddb:"iso_code"`
}

// place finds where an address is: in the file, else in what a trusted proxy says.
func (r *Reader) place(req *http.Request, address netip.Addr) (country, city string) {
	if r.places != nil && address.IsValid() {
		var row placeRow
		err := r.places.Lookup(address).Decode(&row)
		country = countryCode(row.Country.Code)
		if country == "" {
			country = countryCode(row.Registered.Code)
		}
		if err == nil && country != "" {
			return country, tidy(row.City.Names.English, maxText)
		}
	}
	if caller.ViaProxy(req, r.proxies) {
		return placeOfProxy(req.Header)
	}
	return "", ""
}

// placeHeaders are what networks of proxies say of a visitor's country and city: Cloudflare, CloudFront, App Engine and Vercel.
// The names are in canonical form.
var placeHeaders = []struct{ country, city string }{
	{"Cf-Ipcountry", "Cf-Ipcity"},
	{"Cloudfront-Viewer-Country", "Cloudfront-Viewer-City"},
	{"X-Appengine-Country", "X-Appengine-City"},
	{"X-Vercel-Ip-Country", "X-Vercel-Ip-City"},
}

func placeOfProxy(header http.Header) (country, city string) {
	for _, names := range placeHeaders {
		country = countryCode(header.Get(names.country))
		if country == "" {
			continue
		}
		city = header.Get(names.city)
		if plain, err := url.PathUnescape(city); err == nil {
			city = plain // Vercel escapes what is not ASCII
		}
		if city == "?" {
			city = "" // App Engine does not know
		}
		return country, tidy(city, maxText)
	}
	return "", ""
}

// countryCode takes a code of two letters; XX and ZZ stand for unknown, T1 for Tor.
func countryCode(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if len(code) != 2 || code == "XX" || code == "ZZ" || !isLetter(code[0]) || !isLetter(code[1]) {
		return ""
	}
	return strings.Clone(code)
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' }
