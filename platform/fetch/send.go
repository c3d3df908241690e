package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"rostrum/platform/slot"
)

// maxDrained is how many bytes of a response are read beyond the kept ones, so that its connection
// can be reused.
const maxDrained = 32 << 10

// Send posts a body and returns the response of any status, with at most keep bytes of its body. It
// does not follow redirects. It returns *Error, or the context's error.
func (c *Client) Send(ctx context.Context, rawURL string, header http.Header, body []byte, keep int64) (*Response,
	error) {
	u, err := c.CheckURL(rawURL)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(withBudget(ctx, c.config.Timeout), http.MethodPost, u.String(),
		bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: BadURL, Cause: err}
	}
	request.Header = header
	defer slot.Leave(ctx)()
	answer, err := c.http.Transport.RoundTrip(request)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, classifyError(err)
	}
	defer answer.Body.Close()
	// The status is sufficient; a truncated body is returned as far as it was received.
	kept, _ := io.ReadAll(io.LimitReader(answer.Body, keep))
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxDrained))
	return &Response{URL: u, Status: answer.StatusCode, Header: answer.Header, Body: kept}, nil
}
