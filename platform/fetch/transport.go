package fetch

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// limitedTransport applies the limits to each redirect: URL check, host limit, remaining time, body
// size.
type limitedTransport struct {
	client *Client
	base   http.RoundTripper
}

// RoundTrip implements http.RoundTripper. The host's slot is released when the body is closed.
func (t *limitedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := t.client.checkParsed(request.URL); err != nil {
		return nil, err
	}
	release, err := t.client.limiter.acquire(request.Context(), request.URL.Host)
	if err != nil {
		return nil, err
	}
	left := budgetOf(request.Context(), t.client.config.Timeout)
	started := time.Now()
	ctx, cancel := context.WithTimeout(request.Context(), left.time)
	end := sync.OnceFunc(func() {
		left.time -= time.Since(started)
		cancel()
		release()
	})
	request = request.Clone(ctx)
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", t.client.config.UserAgent)
	}
	resp, err := t.base.RoundTrip(request)
	if err != nil {
		end()
		return nil, err
	}
	limit := t.client.config.MaxBytes
	if resp.ContentLength > limit {
		resp.Body.Close()
		end()
		return nil, &Error{Kind: TooLarge}
	}
	resp.Body = &limitedBody{ReadCloser: resp.Body, left: limit, end: end}
	return resp, nil
}

// limitedBody counts the bytes after decompression and returns an error above its limit.
type limitedBody struct {
	io.ReadCloser
	left int64
	end  func()
}

// Read implements io.Reader. It reads up to one byte above the limit, so that a body of exactly the
// limit passes.
func (b *limitedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n, &Error{Kind: TooLarge}
	}
	return n, err
}

// Close implements io.Closer and releases the host's slot.
func (b *limitedBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// timeBudget is the remaining time of a request with its redirects. They are sequential, so it
// needs no lock.
type timeBudget struct{ time time.Duration }

type budgetKey struct{}

func withBudget(ctx context.Context, timeout time.Duration) context.Context {
	return context.WithValue(ctx, budgetKey{}, &timeBudget{timeout})
}

func budgetOf(ctx context.Context, timeout time.Duration) *timeBudget {
	if b, ok := ctx.Value(budgetKey{}).(*timeBudget); ok {
		return b
	}
	return &timeBudget{timeout}
}
