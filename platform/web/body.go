package web

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"rostrum/errs"
	"rostrum/platform/slot"
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

// ReadBody reads a body of at most limit bytes. It returns the errors of BodyError, and before it
// reads anything errs.Unavailable for a body that the budget of bodies has no room for (see
// [BodyBudget]); it counts for the workspace of the request's context.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := openBody(w, r, limit, jsonCopies)
	if err != nil {
		return nil, BodyError(err)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, BodyError(err)
	}
	return text, nil
}

// ReadForm parses a multipart form of at most limit bytes, of which memory bytes stay in memory and
// the rest becomes temporary files. It returns the errors of ReadBody, and else those of
// [http.Request.ParseMultipartForm].
func ReadForm(w http.ResponseWriter, r *http.Request, limit, memory int64) error {
	body, err := openBody(w, r, limit, 1)
	if err != nil {
		return err
	}
	r.Body = body
	return r.ParseMultipartForm(memory) //nolint:gosec // the body is limited
}

// openBody returns a body whose bytes are taken from the budget: all of them now if their number is
// known, and else as they are read. Each counts copies times.
func openBody(w http.ResponseWriter, r *http.Request, limit, copies int64) (io.ReadCloser, error) {
	if r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	body := http.MaxBytesReader(w, r.Body, limit)
	claim, ok := r.Context().Value(claimKey{}).(*Claim)
	if !ok {
		return body, nil
	}
	claim.owner, claim.copies = slot.TenantOf(r.Context()), copies
	if r.ContentLength < 0 {
		return claimedBody{body, claim}, nil
	}
	return body, claim.Grow(int(r.ContentLength))
}

// claimedBody is a body of unknown length.
type claimedBody struct {
	io.ReadCloser
	claim *Claim
}

// Read implements io.Reader.
func (b claimedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	return n, cmp.Or(b.claim.Grow(n), err)
}

// BodyError converts an error of reading a body; one with a code stays. It returns errs.TooLarge with the limit of
// http.MaxBytesReader, errs.BadRequest for a body that is too slow or incomplete, and DiskError for
// the temporary file of an upload.
func BodyError(err error) *errs.Error {
	if failure, ok := errors.AsType[*errs.Error](err); ok {
		return failure
	}
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
