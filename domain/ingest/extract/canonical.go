package extract

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// trackingParams are query parameters that identify the source of a visit and not the content.
var trackingParams = regexp.MustCompile(`(?i)^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|gad_source|gad_campaignid|srsltid|fbclid|fb_(action_ids|action_types|source|ref)|mc_(cid|eid)|igshid|igsh|msclkid|yclid|ymclid|twclid|ttclid|li_fat_id|epik|s_cid|vero_(id|conv)|oly_(anon|enc)_id|_hs(enc|mi)|__hs\w*|hsctatracking|mkt_tok|ref_(src|url)|referrer|_ga|_gl|ncid|cmpid|ocid|sr_share|spm|scm|at_(medium|campaign|custom\d|link_\w+|format|ptr_name|bbc_team)|xtor|wt_mc|wt\.mc_id|guccounter|guce_\w+|_openstat|rb_clickid|mtm_\w+|pk_(campaign|kwd|source|medium|content|cid)|piwik_\w+|matomo_\w+|trk(campaign|info)?|wickedid|soc_(src|trk)|share_?(source|medium|id|from)|si_source|smid|smtyp|taid|__twitter_impression|amp_js_v|amp_gsa|usqp)$`)

// weakTracking are short names that are tracking parameters only if their value does not look like
// a content id.
var weakTracking = map[string]*regexp.Regexp{
	"ref":    regexp.MustCompile(`(?i)^(home|homepage|nav|rss|feed|share|social|newsletter|email|mail|search|sidebar|footer|header|twitter|facebook|linkedin|reddit|hackernews|hn|producthunt|[\w-]+(\.[\w-]+)+|.*_?(share|social|src|hp|nav))?$`),
	"source": regexp.MustCompile(`(?i)^(rss|twitter|facebook|linkedin|newsletter|email|social|share|social_sharing.*|friends_link)$`),
	"via":    regexp.MustCompile(`(?i)^(twitter|facebook|linkedin|hn|rss)$`),
	"amp":    regexp.MustCompile(`(?i)^(1|true|)$`),
	"si":     regexp.MustCompile(`^[\w-]{11,}$`),
}

// CanonicalURL returns one form for all addresses of the same text: https, lower-case ASCII host
// without default port, without AMP forms, tracking parameters, fragment and final slash, with a
// sorted query. It is used to find duplicates, not to fetch. An address that is not http or https
// or cannot be parsed is returned unchanged. Canonical is idempotent.
func CanonicalURL(rawURL string) string {
	current := strings.TrimSpace(rawURL)
	for range 8 { // removing an AMP form may reveal another
		next := canonicalizeOnce(current)
		if next == current {
			return next
		}
		current = next
	}
	return current
}

func canonicalizeOnce(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return raw
	}
	if inner := ampCache(u); inner != nil {
		u = inner
	}
	port := u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	u.Scheme, u.User, u.Fragment, u.RawFragment = "https", nil, "", ""
	u.Host = canonicalHost(u.Hostname(), port)
	u.Path = ampPath(u.Path)
	u.RawPath = ""
	u.RawQuery = canonicalQuery(u.Query())
	u.ForceQuery = false
	if again, err := url.Parse(u.String()); err != nil || again.Hostname() == "" {
		return raw
	}
	return u.String()
}

func canonicalHost(host, port string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if rest, cut := strings.CutPrefix(host, "amp."); cut && strings.Contains(rest, ".") {
		host = rest
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" {
		host += ":" + port
	}
	return host
}

// ampCache returns the address inside an address of Google's AMP viewer or the AMP cache.
func ampCache(u *url.URL) *url.URL {
	host := strings.ToLower(u.Hostname())
	rest := ""
	switch {
	case strings.HasPrefix(host, "www.google.") && strings.HasPrefix(u.Path, "/amp/"):
		rest = strings.TrimPrefix(u.Path, "/amp/")
	case host == "cdn.ampproject.org" || strings.HasSuffix(host, ".cdn.ampproject.org"):
		_, rest, _ = strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	default:
		return nil
	}
	rest = strings.TrimPrefix(rest, "s/")
	inner, err := url.Parse("https://" + rest)
	if err != nil || !strings.Contains(inner.Hostname(), ".") {
		return nil
	}
	inner.RawQuery = u.RawQuery
	return inner
}

// ampPath removes /amp from both ends of a path and normalizes slashes.
func ampPath(p string) string {
	p = path.Clean("/" + p)
	for {
		next := strings.TrimSuffix(p, "/amp")
		next = strings.TrimSuffix(next, ".amp")
		if rest, cut := strings.CutSuffix(next, ".amp.html"); cut {
			next = rest + ".html"
		}
		if rest, cut := strings.CutPrefix(next, "/amp/"); cut {
			next = "/" + rest
		}
		if next = path.Clean("/" + next); next == p {
			break
		}
		p = next
	}
	return strings.TrimSuffix(p, "/")
}

func canonicalQuery(query url.Values) string {
	for name, values := range query {
		weak := weakTracking[strings.ToLower(name)]
		switch {
		case trackingParams.MatchString(name):
			delete(query, name)
		case weak != nil && weak.MatchString(values[0]):
			delete(query, name)
		case strings.EqualFold(name, "outputtype") && strings.EqualFold(values[0], "amp"):
			delete(query, name)
		default:
			slices.Sort(values)
		}
	}
	return query.Encode()
}
