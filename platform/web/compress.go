package web

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// gzipLevel is the level at which compression takes no longer than the transfer time that it saves
// at about 100 Mbit/s.
const gzipLevel = 5

// codings are the content codings that gzhttp produces.
var codings = []string{"gzip", "zstd"}

// Compress compresses bodies of 1 KB or more in gzip or zstd where the client accepts it. Event
// streams, ranges and bodies with a coding of their own are not changed.
//
// zstd is used only for clients that give it the highest weight: a widely used fetch library for
// Node.js (Node 20) offers zstd and cannot decode it.
func Compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypeFilter(isCompressible), gzhttp.CompressionLevel(gzipLevel),
		gzhttp.PreferZstd(false), gzhttp.SuffixETag("-gzip"))
	if err != nil {
		panic(err) // the options are constant
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		plain := withPlainTags(r)
		handler, offer := serveWith(next, plain), r
		if r.Method == http.MethodHead {
			handler, offer = serveHead(handler), r.WithContext(r.Context())
			offer.Method = http.MethodGet // gzhttp does not compress for HEAD
		}
		wrap(handler).ServeHTTP(&taggedResponse{w, r.Header.Values("If-None-Match")}, offer)
	})
}

func serveWith(next http.Handler, r *http.Request) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { next.ServeHTTP(w, r) }
}

// serveHead gives HEAD the header of GET. gzhttp decides about compression when it sees a body, so
// it receives zeros in the place of the one that the handler announced; net/http sends none of them.
func serveHead(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		if size, _ := strconv.Atoi(w.Header().Get("Content-Length")); size >= gzhttp.DefaultMinSize {
			_, _ = w.Write(make([]byte, gzhttp.DefaultMinSize))
			_ = http.NewResponseController(w).Flush() // else net/http announces the length of the zeros
		}
	}
}

// withPlainTags removes the suffix of a coding from the entity tags of a request, so that handlers
// compare the tags that they made. In If-None-Match the tag of a coding that the client no longer
// accepts stays, so that it matches nothing.
func withPlainTags(r *http.Request) *http.Request {
	var match, noneMatch []string // of strings.NewReplacer
	for _, coding := range codings {
		match = append(match, "-"+coding+`"`, `"`)
		if strings.Contains(r.Header.Get("Accept-Encoding"), coding) {
			noneMatch = append(noneMatch, "-"+coding+`"`, `"`)
		}
	}
	out := r
	for name, suffixes := range map[string][]string{"If-Match": match, "If-None-Match": noneMatch} {
		sent := strings.Join(r.Header.Values(name), ",")
		plain := strings.NewReplacer(suffixes...).Replace(sent)
		if plain == sent {
			continue
		}
		if out == r {
			out = r.Clone(r.Context())
		}
		out.Header.Set(name, plain)
	}
	return out
}

// taggedResponse sets the entity tag of a 304 to the one that the client sent: "v1-gzip" for a
// handler's "v1". gzhttp does so only for responses with a body.
type taggedResponse struct {
	http.ResponseWriter
	sent []string // If-None-Match
}

// WriteHeader implements http.ResponseWriter.
func (w *taggedResponse) WriteHeader(status int) {
	plain, ok := strings.CutSuffix(w.Header().Get("ETag"), `"`)
	for _, coding := range codings {
		tag := plain + "-" + coding + `"`
		if ok && status == http.StatusNotModified && strings.Contains(strings.Join(w.sent, ","), tag) {
			w.Header().Set("ETag", tag)
			break
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Flush implements http.Flusher, which gzhttp asks for.
func (w *taggedResponse) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the underlying writer to http.ResponseController.
func (w *taggedResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// isCompressible reports whether bodies of a media type become smaller. Event streams are excluded
// because the client waits for each event.
func isCompressible(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media == "text/event-stream" {
		return false
	}
	switch media {
	case "application/javascript", "application/graphql", "application/xml", "application/wasm", "image/svg+xml",
		"font/ttf", "font/otf":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "+xml")
}
