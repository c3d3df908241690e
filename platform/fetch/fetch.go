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

	"rostrum/platform/slot"
)

// tlsSessionCacheSize is the number of servers with a cached TLS session. Further connections
// resume it instead of a full handshake.
const tlsSessionCacheSize = 1000

// Config sets the limits of a Client; a zero field has the default that its comment names.
type Config struct {
	Allow        []netip.Prefix // private networks that are allowed; none
	Timeout      time.Duration  // of a request with its redirects, without the wait for the host limit; 20 s
	MaxBytes     int64          // of a body after decompression; 25 MB
	MaxRedirects int            // 5
	PerHost      int            // concurrent requests to one host; 2
	Pause        time.Duration  // between the starts of two requests to one host; 200 ms
	UserAgent    string         // "Mozilla/5.0 (compatible; Rostrum/1.0)"
	Roots        *x509.CertPool // trusted certificate authorities; the system's
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

// Client sends requests to public addresses and the ones in Config.Allow. It is safe for concurrent
// use. It checks the resolved address on every connection, redirects included, so a changed DNS
// record cannot bypass the check.
type Client struct {
	config  Config
	guard   *ssrf.Guardian
	dialer  *net.Dialer
	limiter *hostLimiter
	http    *http.Client
}

// New returns a Client. It ignores the environment's proxy settings, because a proxy would be
// dialed instead of the checked address.
func New(config Config) *Client {
	config = config.withDefaults()
	guard := newGuard(config.Allow)
	c := &Client{
		config: config, guard: guard, dialer: &net.Dialer{Timeout: config.Timeout, Control: guard.Safe},
		limiter: newHostLimiter(config.PerHost, config.Pause),
	}
	base := &http.Transport{
		DialContext:            c.dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           max(100, config.PerHost),
		MaxIdleConnsPerHost:    config.PerHost,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    config.Timeout,
		MaxResponseHeaderBytes: 256 << 10,
		TLSClientConfig: &tls.Config{RootCAs: config.Roots, MinVersion: tls.VersionTLS12,
			ClientSessionCache: tls.NewLRUClientSessionCache(tlsSessionCacheSize)},
	}
	c.http = &http.Client{
		Transport:     &limitedTransport{client: c, base: base},
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

func (c *Client) checkRedirect(_ *http.Request, via []*http.Request) error {
	if len(via) > c.config.MaxRedirects {
		return &Error{Kind: Redirects}
	}
	return nil
}

// Snooze returns how long to postpone a job because the URL's host is at its limit; 0 runs it now.
// again is true if the job was snoozed before.
func (c *Client) Snooze(rawURL string, again bool) time.Duration {
	u, err := c.CheckURL(rawURL) // normalizes the host as Get does
	if err != nil {
		return 0
	}
	return c.limiter.snoozeTime(u.Host, again)
}

// HTTP returns the guarded client for libraries that require an http.Client. All checks and limits
// apply, but a response outside 2xx is not an error.
func (c *Client) HTTP() *http.Client { return c.http }

// Response is a response with its body.
type Response struct {
	URL    *url.URL // the URL of the body, after redirects
	Status int
	Header http.Header
	Body   []byte
}

// Get returns the whole response of a URL. It returns *Error, also for a response outside 2xx, or
// the context's error.
func (c *Client) Get(ctx context.Context, rawURL string) (*Response, error) {
	return c.getLimited(ctx, rawURL, Validators{}, readWhole)
}

// readWhole takes a whole body.
func readWhole(body io.Reader) ([]byte, error) { return io.ReadAll(body) }

// Validators name the version of a source that the caller has: the headers ETag and Last-Modified of
// an earlier response. Empty ones name none.
type Validators struct{ ETag, LastModified string }

// ValidatorsOf returns the validators of a response.
func ValidatorsOf(r *Response) Validators {
	return Validators{ETag: r.Header.Get("ETag"), LastModified: r.Header.Get("Last-Modified")}
}

// GetIfChanged is Get, but the server may answer that the caller has the latest version. Then the
// response has the status 304 and no body.
func (c *Client) GetIfChanged(ctx context.Context, rawURL string, have Validators) (*Response, error) {
	return c.getLimited(ctx, rawURL, have, readWhole)
}

// Peek is Get for the first n bytes of the body.
func (c *Client) Peek(ctx context.Context, rawURL string, n int64) (*Response, error) {
	return c.getLimited(ctx, rawURL, Validators{}, func(body io.Reader) ([]byte, error) {
		return io.ReadAll(io.LimitReader(body, n))
	})
}

func (c *Client) getLimited(ctx context.Context, rawURL string, have Validators,
	take func(io.Reader) ([]byte, error)) (*Response, error) {
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
	if have.ETag != "" {
		request.Header.Set(ifNoneMatch, have.ETag)
	}
	if have.LastModified != "" {
		request.Header.Set(ifModifiedSince, have.LastModified)
	}
	defer slot.Leave(ctx)()
	resp, err := c.doRequest(request, take)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, classifyError(err)
	}
	return resp, nil
}

// The headers of a conditional request, which a response of 304 answers.
const (
	ifNoneMatch     = "If-None-Match"
	ifModifiedSince = "If-Modified-Since"
)

// maxErrorPage is the number of bytes that are read of an error page.
const maxErrorPage = 256 << 10

func (c *Client) doRequest(request *http.Request, take func(io.Reader) ([]byte, error)) (*Response, error) {
	resp, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := &Response{URL: resp.Request.URL, Status: resp.StatusCode, Header: resp.Header}
	isConditional := request.Header.Get(ifNoneMatch) != "" || request.Header.Get(ifModifiedSince) != ""
	if resp.StatusCode == http.StatusNotModified && isConditional {
		return answer, nil
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		answer.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorPage)) // the status is failure enough
		return nil, &Error{Kind: Status, Status: resp.StatusCode, Page: answer}
	}
	answer.Body, err = take(resp.Body)
	return answer, err
}
