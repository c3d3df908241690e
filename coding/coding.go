// Package coding compresses answers with the content coding that their caller prefers (RFC 9110, section 8.4).
package coding

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// encoder writes a compressed body.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(to io.Writer)
}

// coding is one way to compress; its encoders are used again, since each of them has large tables.
type coding struct {
	name     string
	encoders sync.Pool
}

// The levels are those at which a compressed answer costs no more time than it saves on a line of some 100 Mbit/s.
const (
	gzipLevel   = 5
	brotliLevel = 3
	zstdWindow  = 512 << 10 // far below the 8 MB that RFC 9659 allows
)

// codings are those that there are, the preferred one first.
var codings = []*coding{
	{name: "zstd", encoders: sync.Pool{New: func() any {
		return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true)))
	}}},
	{name: "br", encoders: sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }}},
	{name: "gzip", encoders: sync.Pool{New: func() any { return must(gzip.NewWriterLevel(nil, gzipLevel)) }}},
}

// Names lists the codings for who has asked for none of them.
func Names() string {
	names := make([]string, len(codings))
	for i, one := range codings {
		names[i] = one.name
	}
	return strings.Join(names, ", ")
}

func must[E encoder](e E, err error) encoder {
	if err != nil {
		panic(err) // only options that do not exist fail
	}
	return e
}

// Handler compresses the answers of next where their callers ask for it and it pays. Vary, entity tags and HEAD tell of each
// representation what is true of it. Refuse answers who takes no coding that there is and not the lack of one either; next does not hear of the request.
func Handler(refuse http.HandlerFunc) func(next http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "" {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Add("Vary", "Accept-Encoding")
			c := choose(r.Header)
			known := r.Header["If-None-Match"]
			r = untagged(r, c)
			switch {
			case c.best == nil && !c.identity:
				refuse(w, r)
			case c.best == nil:
				next.ServeHTTP(w, r)
			default:
				out := &writer{ResponseWriter: w, choice: c, known: known, head: r.Method == http.MethodHead}
				next.ServeHTTP(out, r)
				out.finish() // not after a panic, which must not look like an answer's end
			}
		})
	}
}

// suits reports whether bodies of a media type become smaller. A stream of events is left alone: who follows one waits for each.
func suits(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media == "text/event-stream" {
		return false
	}
	switch media {
	case "application/javascript", "application/graphql", "application/xml", "application/wasm", "image/svg+xml", "font/ttf", "font/otf":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "+xml")
}
