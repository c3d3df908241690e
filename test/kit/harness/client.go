package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// NewClient returns a client that follows no redirect and keeps few connections for a short time.
// The timeout limits each request; 0 is no limit.
func NewClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// responseBytes limits what is read of a response.
const responseBytes = 32 << 20

// Response is the response to a request, or the reason why there is none. A response that ends early
// has both.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error
}

// Send sends a request and reads its response.
func Send(ctx context.Context, client *http.Client, method, url string, header http.Header, body []byte) Response {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return Response{Err: fmt.Errorf("a request that cannot be sent: %w", err)}
	}
	if header != nil {
		request.Header = header
	}
	response, err := client.Do(request)
	if err != nil {
		return Response{Err: err}
	}
	defer response.Body.Close()
	out := Response{Status: response.StatusCode, Header: response.Header}
	out.Body, out.Err = io.ReadAll(io.LimitReader(response.Body, responseBytes))
	return out
}

// ReadJSON decodes the response to a GET request with the key, which must be a success.
func ReadJSON(ctx context.Context, client *http.Client, url, key string, out any) error {
	r := Send(ctx, client, http.MethodGet, url, http.Header{"X-Api-Key": {key}}, nil)
	if r.Err == nil && r.Status != http.StatusOK {
		r.Err = fmt.Errorf("GET %s returns %d: %.300s", url, r.Status, r.Body)
	}
	if r.Err != nil {
		return r.Err
	}
	return json.Unmarshal(r.Body, out)
}
