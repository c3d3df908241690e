package compress

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

var errAborted = errors.New("the handler panicked")

// response is the writer that gzhttp writes to. It sets the name and the entity tag of a compressed
// representation.
type response struct {
	http.ResponseWriter
	accept      acceptEncoding
	ifNoneMatch []string // as it was sent
	encoded     bool     // whether the handler set a Content-Encoding of its own
	aborted     bool     // whether the handler panicked
}

// serveHead runs the handler for HEAD, which gzhttp does not compress.
func (w *response) serveHead(next http.Handler, r *http.Request) {
	w.Header().Add("Vary", "Accept-Encoding")
	head := &headResponse{response: w}
	next.ServeHTTP(head, r)
	head.WriteHeader(http.StatusOK) // of a handler that wrote nothing
}

// serveCompressed runs the handler in gzhttp's middleware, which also sets Vary.
func (w *response) serveCompressed(next http.Handler, r *http.Request) {
	coding := w.accept.best
	wrap := coding.compress
	if !w.accept.identity {
		wrap = coding.always
	}
	wrap(http.HandlerFunc(func(compressor http.ResponseWriter, _ *http.Request) {
		completed := false
		defer func() { w.aborted = !completed }()
		next.ServeHTTP(&handlerResponse{ResponseWriter: compressor, out: w}, r)
		completed = true
	})).ServeHTTP(w, coding.offer)
}

// Unwrap returns the underlying writer to http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.aborted {
		return
	}
	if status >= http.StatusOK && !w.encoded && w.Header().Get("Content-Encoding") != "" {
		w.setRepresentation()
	}
	w.ResponseWriter.WriteHeader(status)
}

// setRepresentation names the coding, which gzhttp may have called gzip, and sets its entity tag.
func (w *response) setRepresentation() {
	header := w.Header()
	header.Set("Content-Encoding", w.accept.best.name)
	if tag := header.Get("ETag"); tag != "" {
		header.Set("ETag", encodedTag(tag, w.accept.best))
	}
}

// Write implements http.ResponseWriter. It fails after a panic: gzhttp ends the body nevertheless,
// and the client must not take it for complete.
func (w *response) Write(p []byte) (int, error) {
	if w.aborted {
		return 0, errAborted
	}
	return w.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, which gzhttp asks for.
func (w *response) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// handlerResponse is the writer that the handler writes to. It prepares the header for gzhttp.
type handlerResponse struct {
	http.ResponseWriter // gzhttp's
	out                 *response
	wroteHeader         bool
}

// Unwrap returns gzhttp's writer to http.ResponseController.
func (w *handlerResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *handlerResponse) WriteHeader(status int) {
	if status >= http.StatusOK && !w.wroteHeader {
		w.wroteHeader = true
		header := w.Header()
		w.out.encoded = header.Get("Content-Encoding") != ""
		if status == http.StatusNotModified {
			w.out.setNotModifiedTag()
		}
		if isNoTransform(header) {
			header.Set(gzhttp.HeaderNoCompression, "no-transform") // gzhttp removes it
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *handlerResponse) Write(p []byte) (int, error) {
	if !w.wroteHeader {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Flush implements http.Flusher. gzhttp sends nothing until a byte of the body is written.
func (w *handlerResponse) Flush() {
	if !w.wroteHeader {
		w.WriteHeader(http.StatusOK)
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// headResponse sets the header of a response to HEAD as GET would. A body is discarded.
type headResponse struct {
	*response
	wroteHeader bool
}

// WriteHeader implements http.ResponseWriter.
func (w *headResponse) WriteHeader(status int) {
	if w.wroteHeader {
		return
	}
	w.wroteHeader = status >= http.StatusOK
	header := w.Header()
	size, _ := strconv.Atoi(header.Get("Content-Length"))
	switch {
	case status == http.StatusNotModified:
		w.setNotModifiedTag()
	case status >= http.StatusOK && status != http.StatusNoContent && w.wouldCompress(size):
		header.Del("Content-Length")
		header.Del("Accept-Ranges")
		w.setRepresentation()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *headResponse) Write(p []byte) (int, error) {
	if !w.wroteHeader {
		w.WriteHeader(http.StatusOK)
	}
	return len(p), nil
}

// wouldCompress reports whether the body of that size would be compressed for GET.
func (w *headResponse) wouldCompress(size int) bool {
	header := w.Header()
	contentType := header.Get("Content-Type")
	return size > 0 && (size >= minSize || !w.accept.identity) && header.Get("Content-Encoding") == "" &&
		header.Get("Content-Range") == "" &&
		!isNoTransform(header) && (contentType == "" || isCompressible(contentType))
}

func isNoTransform(header http.Header) bool {
	return strings.Contains(header.Get("Cache-Control"), "no-transform")
}
