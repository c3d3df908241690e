package rostrum

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"
)

const (
	dialTime     = 30 * time.Second
	answerTime   = 5 * time.Minute // longer than a text model's
	longestPause = time.Minute     // a longer Retry-After is an error at once
	requestTries = 8               // how often a request is sent, which takes half a minute
)

// Client is a client of one workspace. It is safe for concurrent use.
type Client struct {
	endpoint, key string
	http          *http.Client
}

var _ graphql.Client = (*Client)(nil)

// New returns a client of the gateway at an address such as https://rostrum.example.com, with a key.
func New(address, key string) *Client {
	return &Client{endpoint: strings.TrimRight(address, "/") + "/graphql", key: key, http: &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
			DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, TLSHandshakeTimeout: dialTime,
			ResponseHeaderTimeout: answerTime},
		// A redirect would take the key to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

type keyOfContext struct{}

// WithIdempotencyKey names the mutation that is sent with the context. It runs once for the key,
// also if another process sends it again.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyOfContext{}, key)
}

// MakeRequest runs a query or mutation for the functions that genqlient generates. Its errors are
// [*Error], also if only a part of the data is missing, and those of the context.
func (c *Client) MakeRequest(ctx context.Context, request *graphql.Request, response *graphql.Response) error {
	text, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	return c.post(ctx, "application/json", func() (io.Reader, error) { return bytes.NewReader(text), nil }, response.Data)
}

// post sends a body until it is answered, and decodes the data into data.
func (c *Client) post(ctx context.Context, mediaType string, open func() (io.Reader, error), data any) error {
	key, ok := ctx.Value(keyOfContext{}).(string)
	if !ok {
		key = rand.Text()
	}
	header := http.Header{"Content-Type": {mediaType}, "Accept": {"application/graphql-response+json"},
		"Idempotency-Key": {key}} // queries ignore it
	for attempt := 1; ; attempt++ {
		reader, err := open()
		if err != nil {
			return fmt.Errorf("read the request: %w", err)
		}
		failed, pause := c.postOnce(ctx, header, reader, data)
		if failed == nil {
			return nil
		}
		pause = max(pause, backoff(attempt))
		if !failed.IsPassing() || attempt == requestTries || pause > longestPause {
			return failed
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// postOnce also returns the pause that a refusal asks for, or 0.
func (c *Client) postOnce(ctx context.Context, header http.Header, reader io.Reader, data any) (*Error, time.Duration) {
	response, err := c.send(ctx, header, reader)
	if err != nil {
		return networkError(err), 0
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return networkError(err), 0
	}
	told, failed := errorOf(response.StatusCode, text)
	if failed == nil {
		if err := json.Unmarshal(told.Data, data); err != nil {
			failed = &Error{Code: "bad_answer", Status: response.StatusCode, Message: err.Error(), cause: err}
		}
	}
	return failed, retryAfter(response)
}

func (c *Client) send(ctx context.Context, header http.Header, reader io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, reader)
	if err != nil {
		return nil, err
	}
	request.Header = header.Clone()
	request.Header.Set("X-API-Key", c.key)
	return c.http.Do(request)
}

func retryAfter(response *http.Response) time.Duration {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// backoff returns the pause after so many tries, half of it by chance.
func backoff(attempt int) time.Duration {
	pause := min(500*time.Millisecond<<(min(attempt, 10)-1), 10*time.Second)
	return pause/2 + mathrand.N(pause/2)
}

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
