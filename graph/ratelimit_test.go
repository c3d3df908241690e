package graph

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"rostrum/errs"
	"rostrum/platform/principal"
)

// allowRequests allows the number of requests of a caller.
func allowRequests(count int64) func(*Config) {
	var taken atomic.Int64
	return func(c *Config) {
		c.Transport.RateLimit = func(ctx context.Context, answer http.Header, _ *http.Request) error {
			answer.Set("RateLimit-Limit", "1")
			if _, err := principal.From(ctx); err != nil {
				return nil
			}
			if taken.Add(1) > count {
				return errs.New(errs.RateLimited, "too often")
			}
			return nil
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	t.Run("a request over the limit is not executed", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, allowRequests(1))
		b.post(t, readKey, `{ documentCount }`).want(t, http.StatusOK)
		late := b.post(t, readKey, `{ documentCount }`)
		late.want(t, http.StatusTooManyRequests, `"code":"rate_limited"`)
		if late.header.Get("RateLimit-Limit") != "1" || b.calls.Load() != 1 {
			t.Errorf("the headers are %v after %d calls", late.header, b.calls.Load())
		}
	})
	t.Run("a public response has no limit of its client", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, allowRequests(1))
		public, private := b.do(t, http.MethodGet, "?query={__typename}", ""),
			b.do(t, http.MethodGet, "?query={__typename}", "", keyHeader, readKey)
		if public.header.Get("Cache-Control") != "public, max-age=60" || public.header.Get("RateLimit-Limit") != "" ||
			private.header.Get("RateLimit-Limit") != "1" {
			t.Errorf("without a key %v, with one %v", public.header, private.header)
		}
	})
	t.Run("each operation of a socket uses a token", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, allowRequests(1))
		c := b.dial(t, "")
		c.init(`{"X-API-Key":"` + readKey + `"}`)
		c.subscribe("1", `{ documentCount }`)
		c.want(`{"id":"1","type":"next","payload":{"data":{"documentCount":2}}}`)
		c.want(`{"id":"1","type":"complete"}`)
		for range 2 { // the id is free again after a refusal
			c.subscribe("2", `{ documentCount }`)
			if got, err := c.read(); err != nil || !strings.Contains(got, `"type":"error"`) ||
				!strings.Contains(got, "rate_limited") {
				t.Errorf("%s, error %v", got, err)
			}
		}
	})
	t.Run("a socket over the limit is not opened", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, allowRequests(0))
		b.do(t, http.MethodGet, "", "", "Upgrade", "websocket", "Connection", "Upgrade", keyHeader, readKey).
			want(t, http.StatusTooManyRequests, `"code":"rate_limited"`)
	})
}
