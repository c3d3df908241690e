package visitor

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"

	"rostrum/platform/web"
)

// openPlaces opens a MaxMind database; it returns nil for an empty name and an error for a database
// of another type.
func openPlaces(name string) (*maxminddb.Reader, error) {
	if name == "" {
		return nil, nil
	}
	places, err := maxminddb.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the MaxMind database: %w", err)
	}
	kind := strings.ToLower(places.Metadata.DatabaseType)
	if !strings.Contains(kind, "city") && !strings.Contains(kind, "country") && !strings.Contains(kind, "enterprise") {
		places.Close() // the file is refused
		return nil, fmt.Errorf("open the MaxMind database: %s is a %s database; a city or country database is needed",
			name, places.Metadata.DatabaseType)
	}
	return places, nil
}

// placeRow is the used part of a row of a MaxMind database.
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

// findPlace returns the location of an address from the database, or from the headers of a trusted
// proxy.
func (r *Reader) findPlace(req *http.Request, address netip.Addr) (country, city string) {
	if r.places != nil && address.IsValid() {
		var row placeRow
		err := r.places.Lookup(address).Decode(&row)
		country = countryCode(row.Country.Code)
		if country == "" {
			country = countryCode(row.Registered.Code)
		}
		if err == nil && country != "" {
			return country, cleanText(row.City.Names.English, maxText)
		}
	}
	if web.ViaProxy(req, r.proxies) {
		return placeOfProxy(req.Header)
	}
	return "", ""
}

// placeHeaders are the headers of CDNs with a visitor's country and city, in canonical form:
// Cloudflare, CloudFront, App Engine and Vercel.
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
			city = plain // Vercel escapes non-ASCII characters
		}
		if city == "?" {
			city = "" // unknown to App Engine
		}
		return country, cleanText(city, maxText)
	}
	return "", ""
}

// countryCode returns a two-letter code in capitals; the codes XX and ZZ (unknown) and T1 (Tor) are
// empty.
func countryCode(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if len(code) != 2 || code == "XX" || code == "ZZ" || !isLetter(code[0]) || !isLetter(code[1]) {
		return ""
	}
	return strings.Clone(code)
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' }
