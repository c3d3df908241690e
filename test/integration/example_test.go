package integration

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
	"rostrum/test/kit"
)

// exampleID is an id in an example. It names nothing in a new workspace.
var exampleID = regexp.MustCompile(`\b[a-z]{3}_01kb9x2m4r7t8v5w3y6z1a0\d{3}`)

// exampleSite is what the examples' addresses lead to.
var exampleSite = map[string]string{
	"site/news.html": `<!doctype html><html lang="en"><head><title>News</title>` +
		`<link rel="alternate" type="application/rss+xml" href="/news.xml"></head><body><p>All news.</p></body></html>`,
	"site/news.xml": `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>`,
}

// needsMore are operations whose example needs more than a new workspace, and what.
var needsMore = map[string]string{
	"/api/v1/insights/compare":       "an executive whom a document quotes",
	"/api/v1/insights/compare/async": "documents on the theme",
}

// TestExamples_accepted sends the examples of the document that need nothing else, as a newcomer
// does who tries them.
func TestExamples_accepted(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		text := a.Do(t, http.MethodGet, "/openapi/openapi.json", nil, "").Want(t, http.StatusOK).Body
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		sent, site := 0, kit.NewSite(t, exampleSite)
		for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
			body := strings.ReplaceAll(postedExample(t, doc, path), "https://example.com", site)
			if body == "" || exampleID.MatchString(body) || needsMore[path] != "" {
				continue
			}
			sent++
			answer := a.Do(t, http.MethodPost, path, nil, body)
			if answer.Status == http.StatusBadRequest || answer.Status == http.StatusUnprocessableEntity ||
				answer.Header.Get(openapi.IgnoredMembers) != "" {
				t.Errorf("%s %s is answered with %d %s (ignored: %s)", path, body, answer.Status, answer.Body,
					answer.Header.Get(openapi.IgnoredMembers))
			}
		}
		if sent < 20 {
			t.Errorf("only %d examples need no id", sent)
		}
	})
}

// postedExample returns the example of a JSON body that a workspace's path without an id takes, or
// an empty string.
func postedExample(t *testing.T, doc *openapi3.T, path string) string {
	t.Helper()
	post := doc.Paths.Value(path).Post
	if post == nil || strings.Contains(path, "{") || !strings.HasPrefix(path, "/api/v1/") {
		return ""
	}
	media := openapi.RequestMedia(post)
	if media == nil || post.RequestBody.Value.Content[stored.MediaJSON] != media {
		return ""
	}
	body, err := json.Marshal(media.Example)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
