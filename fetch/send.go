package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

// drained is how much of an answer is read beyond what is kept, so that its connection can be used again.
const drained = 32 << 10

// Send posts a body and gives the answer, whatever its status, with at most the first keep bytes of its body. A redirect is an
// answer like any other and is not followed. Its errors are *Error, or the context's own when the caller gave up.
func (c *Client) Send(ctx context.Context, rawURL string, header http.Header, body []byte, keep int64) (*Response, error) {
	u, err := c.CheckURL(rawURL)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(withBudget(ctx, c.config.Timeout), http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: BadURL, Cause: err}
	}
	request.Header = header
	answer, err := c.http.Transport.RoundTrip(request)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, classify(err)
	}
	defer answer.Body.Close()
	// The status has decided; a body that breaks off is kept as far as it came.
	kept, _ := io.ReadAll(io.LimitReader(answer.Body, keep))         //nolint:errcheck // as said
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, drained)) //nolint:errcheck // as said
	return &Response{URL: u, Status: answer.StatusCode, Header: answer.Header, Body: kept}, nil
}
