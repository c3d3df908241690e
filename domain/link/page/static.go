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

// StaticPath is the folder of the addresses of the pages' script and stylesheet. It is two segments deep, so no slug can take it.
const StaticPath = "/l/static/"

//go:embed static
var staticFiles embed.FS

// asset is one file under StaticPath.
type asset struct {
	path string // with a hash of the content in it
	body []byte
}

var (
	script = newAsset("beacon.js")
	style  = newAsset("page.css")
)

// newAsset names a file by its content. The files are a part of the program, so one that is absent stops the start.
func newAsset(name string) asset {
	body, err := staticFiles.ReadFile("static/" + name)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(body)
	stem, ext, _ := strings.Cut(name, ".")
	return asset{path: StaticPath + stem + "-" + hex.EncodeToString(sum[:8]) + "." + ext, body: body}
}

// Static serves the files under StaticPath. Their names carry a hash of their content, so caches may keep them for ever.
func Static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, a := range []asset{script, style} {
			if r.URL.Path == a.path {
				a.serve(w, r)
				return
			}
		}
		http.NotFound(w, r)
	})
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(a.path)))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
}
