// Package httpcompress compresses HTTP responses with the content coding that the client prefers
// (RFC 9110, section 8.4).
//
// [gzhttp] buffers, detects and compresses. This package adds brotli, the parts of Accept-Encoding
// that gzhttp does not read, HEAD, and a strong entity tag for each representation.
package compress

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzhttp/writer"
)

const (
	// minSize is the size in bytes below which a body is sent uncompressed: it would need as many
	// packets.
	minSize = 1024
	// The levels are those at which compression takes no longer than the transfer time that it
	// saves at about 100 Mbit/s. The zstd level is gzhttp's default, the fastest.
	gzipLevel   = 5
	brotliLevel = 3
)

// contentCoding is a supported content coding.
type contentCoding struct {
	name     string
	offer    *http.Request                            // requests the coding from gzhttp
	compress func(next http.Handler) http.HandlerFunc // for bodies of minSize bytes or more
	always   func(next http.Handler) http.HandlerFunc // for clients that refuse an uncompressed body
}

// codings lists the supported codings, the preferred one first. zstd is last, so that it is used
// only for clients that give it the highest weight: a widely used fetch library for Node.js (Node
// 20) offers zstd and cannot decode it.
var codings = []*contentCoding{
	{"br", offerOf("gzip"), newBrotliCompressor(minSize), newBrotliCompressor(1)},
	{"gzip", offerOf("gzip"), newCompressor(minSize), newCompressor(1)},
	{"zstd", offerOf("zstd"), newCompressor(minSize), newCompressor(1)},
}

func offerOf(coding string) *http.Request {
	return &http.Request{Method: http.MethodGet, Header: http.Header{"Accept-Encoding": {coding}}}
}

// newCompressor returns gzhttp's middleware for zstd and gzip. It panics on invalid options, which
// are constant.
func newCompressor(least int) func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(least), gzhttp.ContentTypeFilter(isCompressible),
		gzhttp.CompressionLevel(gzipLevel))
	if err != nil {
		panic(err)
	}
	return wrap
}

// newBrotliCompressor returns gzhttp's middleware with brotli in the place of gzip; [response]
// corrects the coding's name.
func newBrotliCompressor(least int) func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(least), gzhttp.ContentTypeFilter(isCompressible),
		gzhttp.CompressionLevel(brotliLevel),
		gzhttp.Implementation(writer.GzipWriterFactory{Levels: brotliLevels, New: newBrotliWriter}))
	if err != nil {
		panic(err)
	}
	return wrap
}

func brotliLevels() (least, most int) { return brotli.BestSpeed, brotli.BestCompression }

// brotliWriters keeps writers for reuse because each of them has large tables.
var brotliWriters = sync.Pool{New: func() any { return &brotliWriter{brotli.NewWriterLevel(nil, brotliLevel)} }}

// brotliWriter returns to the pool when it is closed.
type brotliWriter struct{ *brotli.Writer }

func newBrotliWriter(to io.Writer, _ int) writer.GzipWriter {
	w := brotliWriters.Get().(*brotliWriter) //nolint:forcetypeassert // the pool holds no other type
	w.Reset(to)
	return w
}

// Close writes the end of the body. A writer that failed is not reused.
func (w *brotliWriter) Close() error {
	err := w.Writer.Close()
	if err == nil {
		w.Reset(nil)
		brotliWriters.Put(w)
	}
	return err
}

// Codings returns the names of the supported codings for an error message.
func Codings() string {
	names := make([]string, len(codings))
	for i, c := range codings {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// Handler returns a middleware that compresses responses where the client accepts it and the body
// is large enough, and sets Vary and the entity tags of the representations. Requests that accept
// neither a supported coding nor an uncompressed body are passed to notAcceptable instead of next.
func Handler(notAcceptable http.HandlerFunc) func(next http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "" {
				next.ServeHTTP(w, r)
				return
			}
			accept := negotiate(r.Header)
			out := &response{ResponseWriter: w, accept: accept, ifNoneMatch: r.Header["If-None-Match"]}
			r = withPlainTags(r, accept)
			switch {
			case accept.best != nil && r.Method == http.MethodHead:
				out.serveHead(next, r)
			case accept.best != nil:
				out.serveCompressed(next, r)
			default:
				w.Header().Add("Vary", "Accept-Encoding")
				if !accept.identity {
					notAcceptable(w, r)
					return
				}
				next.ServeHTTP(w, r)
			}
		})
	}
}

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
