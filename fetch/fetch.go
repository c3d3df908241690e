// Package fetch is outbound HTTP that refuses private addresses: the only way to a URL that a user gave.
package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"code.dny.dev/ssrf"
)

// knownServers is how many servers' TLS sessions are kept, so that another connection to one of them spares both the dear part of a handshake.
const knownServers = 1000

// Config sets a Client's limits; a zero field takes the default named beside it.
type Config struct {
	Allow        []netip.Prefix // networks that may be reached although they are private; none
	Timeout      time.Duration  // for a whole exchange with its redirects, waiting for the host's turn not counted; 20 s
	MaxBytes     int64          // of a body after decompression; 25 MB
	MaxRedirects int            // 5
	PerHost      int            // exchanges at once with one host; 2
	Pause        time.Duration  // between two starts on one host; 200 ms
	UserAgent    string         // "Mozilla/5.0 (compatible; Rostrum/1.0)"
	Roots        *x509.CertPool // the authorities that https is trusted by; the system's
}

func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, 20*time.Second)
	c.MaxBytes = cmp.Or(c.MaxBytes, 25_000_000)
	c.MaxRedirects = cmp.Or(c.MaxRedirects, 5)
	c.PerHost = cmp.Or(c.PerHost, 2)
	c.Pause = cmp.Or(c.Pause, 200*time.Millisecond)
	c.UserAgent = cmp.Or(c.UserAgent, "Mozilla/5.0 (compatible; Rostrum/1.0)")
	return c
}

// Client fetches public addresses and those of Config.Allow, and is safe for concurrent use. Every address is checked
// when it is dialled, after its name was resolved and again on each redirect, so a name that changes its mind gains nothing.
type Client struct {
	config Config
	guard  *ssrf.Guardian
	dialer *net.Dialer
	turns  *hosts
	http   *http.Client
}

// New makes a client. It dials directly: a proxy from the environment would be dialled in the place of the checked address.
func New(config Config) *Client {
	config = config.withDefaults()
	guard := newGuard(config.Allow)
	c := &Client{
		config: config, guard: guard, dialer: &net.Dialer{Timeout: config.Timeout, Control: guard.Safe},
		turns: newHosts(config.PerHost, config.Pause),
	}
	base := &http.Transport{
		DialContext:            c.dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           max(100, config.PerHost),
		MaxIdleConnsPerHost:    config.PerHost,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    config.Timeout,
		MaxResponseHeaderBytes: 256 << 10,
		TLSClientConfig:        &tls.Config{RootCAs: config.Roots, MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(knownServers)},
	}
	c.http = &http.Client{
		Transport:     &transport{client: c, base: base},
		CheckRedirect: c.checkRedirect,
	}
	return c
}

func newGuard(allow []netip.Prefix) *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, p := range allow {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
}

func (c *Client) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > c.config.MaxRedirects {
		return &Error{Kind: Redirects}
	}
	return nil
}

// StandBack says how long a caller that can wait elsewhere does so, since the address's host has no turn for it soon; 0 when it has. again is
// for one that stood back before.
func (c *Client) StandBack(rawURL string, again bool) time.Duration {
	u, err := c.CheckURL(rawURL) // which names the host as Get does
	if err != nil {
		return 0
	}
	return c.turns.standBack(u.Host, again)
}

// HTTP is the guarded client itself, for libraries that want an http.Client; address checks, turns, time-outs and the
// body limit all hold, but an answer outside 2xx is not an error.
func (c *Client) HTTP() *http.Client { return c.http }

// Response is an answer and its body.
type Response struct {
	URL    *url.URL // where the body came from, after redirects
	Status int
	Header http.Header
	Body   []byte
}

// Get reads a URL to its end; an answer outside 2xx is an error. Its errors are *Error, or the context's own when the caller
// gave up.
func (c *Client) Get(ctx context.Context, rawURL string) (*Response, error) {
	return c.get(ctx, rawURL, func(body io.Reader) ([]byte, error) { return io.ReadAll(body) })
}

// Peek is Get for the first bytes of a URL only, at most n.
func (c *Client) Peek(ctx context.Context, rawURL string, n int64) (*Response, error) {
	return c.get(ctx, rawURL, func(body io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(body, n)) })
}

func (c *Client) get(ctx context.Context, rawURL string, take func(io.Reader) ([]byte, error)) (*Response, error) {
	u, err := c.CheckURL(rawURL)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(withBudget(ctx, c.config.Timeout), http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, &Error{Kind: BadURL, Cause: err}
	}
	request.Header.Set("Accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8")
	request.Header.Set("Accept-Language", "en,*;q=0.5")
	resp, err := c.read(request, take)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, classify(err)
	}
	return resp, nil
}

// pageBytes is how much of an error page is kept.
const pageBytes = 256 << 10

func (c *Client) read(request *http.Request, take func(io.Reader) ([]byte, error)) (*Response, error) {
	resp, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := &Response{URL: resp.Request.URL, Status: resp.StatusCode, Header: resp.Header}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		answer.Body, _ = io.ReadAll(io.LimitReader(resp.Body, pageBytes)) //nolint:errcheck // the status is failure enough
		return nil, &Error{Kind: Status, Status: resp.StatusCode, Page: answer}
	}
	answer.Body, err = take(resp.Body)
	return answer, err
}
