package fetch

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// transport gives each hop its checks: the address's form, the host's turn, what is left of the time, the size of the body.
type transport struct {
	client *Client
	base   http.RoundTripper
}

// RoundTrip implements http.RoundTripper; the host's turn ends when the body is closed.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := t.client.check(request.URL); err != nil {
		return nil, err
	}
	release, err := t.client.turns.acquire(request.Context(), request.URL.Host)
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
	resp.Body = &body{ReadCloser: resp.Body, left: limit, end: end}
	return resp, nil
}

// body counts what is read after decompression and fails past its limit.
type body struct {
	io.ReadCloser
	left int64
	end  func()
}

// Read implements io.Reader. One byte past the limit is asked for, so that a body of exactly the limit passes.
func (b *body) Read(p []byte) (int, error) {
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

// Close implements io.Closer and gives the host's turn back.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// budget is what the hops of one exchange share of the time-out; hops follow each other, so it needs no lock.
type budget struct{ time time.Duration }

type budgetKey struct{}

func withBudget(ctx context.Context, timeout time.Duration) context.Context {
	return context.WithValue(ctx, budgetKey{}, &budget{timeout})
}

func budgetOf(ctx context.Context, timeout time.Duration) *budget {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok {
		return b
	}
	return &budget{timeout}
}
