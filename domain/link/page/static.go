package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// StaticPath is the path of the pages' script and stylesheets. It has two segments, so no slug can
// match it.
const StaticPath = "/l/static/"

//go:embed static
var staticFiles embed.FS

// staticAsset is a file below StaticPath.
type staticAsset struct {
	path string // contains a hash of the content
	body []byte
}

var (
	scriptAsset = newAsset("beacon.js")
	styleAsset  = newAsset("page.css")
)

// newAsset returns an embedded file with a path derived from its content; it panics if the file is
// missing.
func newAsset(name string) staticAsset {
	body, err := staticFiles.ReadFile("static/" + name)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(body)
	stem, ext, _ := strings.Cut(name, ".")
	return staticAsset{path: StaticPath + stem + "-" + hex.EncodeToString(sum[:8]) + "." + ext, body: body}
}

// Static serves the files below StaticPath. Paths contain a hash of the content, so caches may keep
// the files forever.
func Static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, a := range []staticAsset{scriptAsset, styleAsset} {
			if r.URL.Path == a.path {
				a.serveHTTP(w, r)
				return
			}
		}
		if a, ok := accentAt(r.URL.Path); ok {
			a.serveHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
}

func (a staticAsset) serveHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(a.path)))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
}
