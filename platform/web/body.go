package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"rostrum/errs"
)

// PaceBodies returns a handler whose requests must send their bodies at 10 KB in 10 seconds or
// faster; reading a slower body fails. Time in which the handler does not read is not counted. The
// connection of a chunked body is closed after the response (RFC 9112, section 6.1).
func PaceBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
			// net/http hides a Content-Length beside it, which a proxy may have believed: no request may follow
			w.Header().Set("Connection", "close")
		}
		if r.Body != nil && r.Body != http.NoBody {
			body := &pacedBody{ReadCloser: r.Body, control: http.NewResponseController(w), stream: r.ProtoMajor >= 2}
			if !body.stream {
				// also limits net/http, which reads the rest of a body that the handler does not read
				body.setDeadline(window)
			}
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody is a request body with a deadline for each window of minBytes.
type pacedBody struct {
	io.ReadCloser
	control  *http.ResponseController
	stream   bool          // of HTTP/2, whose deadline fails all later reads once it has passed
	received int           // bytes in the current window
	waited   time.Duration // time spent reading in the current window
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	b.setDeadline(window - b.waited)
	start := time.Now()
	n, err := b.ReadCloser.Read(p)
	b.received += n
	b.waited += time.Since(start)
	if b.received >= minBytes {
		b.received, b.waited = 0, 0
	}
	if err == io.EOF || b.stream {
		_ = b.control.SetReadDeadline(time.Time{}) // net/http reads on, to notice that the client disconnects
	}
	return n, err
}

// setDeadline sets the deadline of the connection; writers of tests do not support it.
func (b *pacedBody) setDeadline(d time.Duration) { _ = b.control.SetReadDeadline(time.Now().Add(d)) }

// ReadBody reads a body of at most limit bytes. It returns the errors of BodyError.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, BodyError(&http.MaxBytesError{Limit: limit})
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		return nil, BodyError(err)
	}
	return text, nil
}

// BodyError converts an error of reading a body: errs.TooLarge with the limit of
// http.MaxBytesReader, errs.BadRequest for a body that is too slow or incomplete, and DiskError for
// the temporary file of an upload.
func BodyError(err error) *errs.Error {
	if limit, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errs.Wrap(err, errs.TooLarge, "the body is over %s", formatSize(limit.Limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errs.Wrap(err, errs.BadRequest, "the body is too slow: send at least 10 KB in 10 seconds")
	}
	if isDiskFull(err) {
		return DiskError(err, "")
	}
	return errs.Wrap(err, errs.BadRequest, "the body could not be read completely")
}

// DiskError converts an error of storing a file: errs.Unavailable if the disk is full, else
// errs.Internal with the sentence.
func DiskError(err error, sentence string) *errs.Error {
	if isDiskFull(err) {
		return errs.Wrap(err, errs.Unavailable, "the server has no space left for this file; "+
			"try again later, or ask its operator to free some")
	}
	return errs.Wrap(err, errs.Internal, "%s", sentence)
}

// isDiskFull reports whether a file could not be written for want of space or quota.
func isDiskFull(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG},
		func(full error) bool { return errors.Is(err, full) })
}

// formatSize formats a size limit for an error message.
func formatSize(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KB", bytes>>10)
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}
