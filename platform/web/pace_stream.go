package web

import (
	"net/http"
	"time"
)

// PaceStreams returns a handler whose responses over HTTP/2 fail when the client receives less than
// 10 KB of a write in 10 seconds. There a client can stop one stream and read the others, which
// [NewListener] does not notice.
func PaceStreams(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 2 {
			next.ServeHTTP(w, r)
			return
		}
		stream := &pacedStream{w, http.NewResponseController(w)}
		next.ServeHTTP(stream, r)
		stream.setDeadline() // net/http sends the buffered rest of the response when the handler has returned
	})
}

// pacedStream is a response over HTTP/2 with a deadline for each minBytes of a write.
type pacedStream struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Unwrap returns the writer of net/http for [http.ResponseController].
func (s *pacedStream) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Write implements io.Writer.
func (s *pacedStream) Write(p []byte) (written int, err error) {
	defer s.clearDeadline()
	for {
		s.setDeadline()
		part := p[written:min(len(p), written+minBytes)]
		n, err := s.ResponseWriter.Write(part)
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}

// FlushError sends what is buffered; see [http.ResponseController.Flush].
func (s *pacedStream) FlushError() error {
	s.setDeadline()
	defer s.clearDeadline()
	return s.control.Flush()
}

// Flush implements http.Flusher.
func (s *pacedStream) Flush() { _ = s.FlushError() }

func (s *pacedStream) setDeadline() { _ = s.control.SetWriteDeadline(time.Now().Add(window)) }

func (s *pacedStream) clearDeadline() { _ = s.control.SetWriteDeadline(time.Time{}) }
