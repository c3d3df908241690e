package coding

import (
	"net/http"
	"strconv"
	"strings"
)

// least is the size below which a body goes out as it is: its packets would be as many.
const least = 1024

// writer is an answer that may be compressed. Whether it is shows with its header, or with its first kilobyte.
type writer struct {
	http.ResponseWriter
	choice
	known   []string // If-None-Match as it was sent
	head    bool
	status  int // 0 until the header is written
	decided bool
	early   []byte // the body so far, until it is decided
	encoder encoder
}

// Unwrap lets http.ResponseController find what is below.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if status < 200 {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.status = status
	header := w.Header()
	length, err := strconv.Atoi(header.Get("Content-Length"))
	switch {
	case status == http.StatusNotModified:
		if tag := header.Get("ETag"); tag != "" {
			header.Set("ETag", w.unchanged(tag))
		}
		w.plain()
	case status == http.StatusNoContent || !w.may():
		w.plain()
	case err == nil:
		w.decide(length)
	}
}

// may reports whether the answer's header leaves it to us to compress.
func (w *writer) may() bool {
	header := w.Header()
	return header.Get("Content-Encoding") == "" && header.Get("Content-Range") == "" &&
		!strings.Contains(header.Get("Cache-Control"), "no-transform") &&
		(header.Get("Content-Type") == "" || suits(header.Get("Content-Type")))
}

// decide compresses a body of that size, or one that is at least as large.
func (w *writer) decide(size int) {
	header := w.Header()
	if header.Get("Content-Type") == "" && len(w.early) > 0 {
		header.Set("Content-Type", http.DetectContentType(w.early)) // net/http does so for plain bodies only
	}
	if size == 0 || size < least && w.identity || !w.may() {
		w.plain()
		return
	}
	w.decided = true
	header.Set("Content-Encoding", w.best.name)
	header.Del("Content-Length")
	header.Del("Accept-Ranges")
	if tag := header.Get("ETag"); tag != "" {
		header.Set("ETag", tagged(tag, w.best))
	}
	w.ResponseWriter.WriteHeader(w.status)
	if !w.head {
		w.encoder = w.best.encoders.Get().(encoder) //nolint:forcetypeassert // nothing else is put there
		w.encoder.Reset(w.ResponseWriter)
	}
}

// plain lets the answer go out as it is.
func (w *writer) plain() {
	w.decided = true
	w.ResponseWriter.WriteHeader(w.status)
}

// Write implements http.ResponseWriter.
func (w *writer) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.decided {
		return w.body(p)
	}
	w.early = append(w.early, p...)
	if len(w.early) < least {
		return len(p), nil
	}
	return len(p), w.settle()
}

func (w *writer) body(p []byte) (int, error) {
	switch {
	case w.encoder != nil:
		return w.encoder.Write(p)
	case w.head && w.Header().Get("Content-Encoding") == w.best.name:
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// settle decides by what of the body there is, and sends that.
func (w *writer) settle() error {
	w.decide(len(w.early))
	_, err := w.body(w.early)
	w.early = nil
	return err
}

// Flush implements http.Flusher.
func (w *writer) Flush() { _ = w.FlushError() }

// FlushError sends what was written up to here.
func (w *writer) FlushError() error {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.decided {
		if err := w.settle(); err != nil {
			return err
		}
	}
	if w.encoder != nil {
		if err := w.encoder.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// finish ends the body. A caller who has gone is nobody's failure.
func (w *writer) finish() {
	if w.status == 0 && w.head {
		w.WriteHeader(http.StatusOK)
	}
	if w.status != 0 && !w.decided {
		_ = w.settle()
	}
	if w.encoder == nil {
		return
	}
	if w.encoder.Close() == nil {
		w.encoder.Reset(nil)
		w.best.encoders.Put(w.encoder)
	}
}
