package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Gateway says which gateway a command uses, and with which key.
type Gateway struct {
	URL string `env:"ROSTRUM_URL" help:"The gateway's address, such as https://rostrum.example.com; that of the login when absent."`
	Key string `env:"ROSTRUM_KEY" help:"A key of the workspace, better in ROSTRUM_KEY than in the command; that of the login when absent."`
}

// access is what the commands of users have in common.
type access struct {
	Gateway
	JSON bool `name:"json" help:"Print the API's answers as they come, one in a line."`
}

// Connection sends requests with a key to one gateway.
type Connection struct {
	url, key string
	client   *http.Client
}

// Connect returns a connection with the given address and key, or those of the login. The key of
// the login is not sent to another address.
func (g Gateway) Connect() (*Connection, error) {
	kept, err := readLogin()
	if err != nil {
		return nil, err
	}
	address := kept.URL
	key, err := checkKey(g.Key)
	if err != nil {
		return nil, err
	}
	if g.URL != "" {
		if address, err = checkAddress(g.URL); err != nil {
			return nil, err
		}
	}
	if key == "" && address == kept.URL {
		key = kept.Key
	}
	switch {
	case address == "":
		return nil, &failure{code: exitSignedOut,
			message: "sign in first with rostrum login, or set ROSTRUM_URL and ROSTRUM_KEY"}
	case key == "":
		return nil, &failure{code: exitSignedOut, message: "there is no key for " + address +
			": sign in with rostrum login --url " + address + ", or set ROSTRUM_KEY"}
	}
	return newConnection(address, key), nil
}

const (
	// dialTime is how long a gateway may take to accept a connection.
	dialTime = 30 * time.Second
	// answerTime is how long it may take to begin its answer, longer than a model's.
	answerTime = 5 * time.Minute
)

func newConnection(address, key string) *Connection {
	return &Connection{url: address, key: key, client: &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
			DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, TLSHandshakeTimeout: dialTime,
			ResponseHeaderTimeout: answerTime},
		// A redirect would take the key to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// checkKey returns a key without the line break at its end that a file has. A key with another one
// cannot be sent.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", &failure{code: exitSignedOut, message: "the key has a line break or a space in it, so it is not one key: copy it again"}
	}
	return key, nil
}

// checkAddress returns a gateway's address without a slash at its end.
func checkAddress(address string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil ||
		parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", misuse("%q is no address of a gateway: enter one such as https://rostrum.example.com", address)
	}
	return strings.TrimRight(address, "/"), nil
}

// post sends a value as JSON, decodes the answer into into, and returns it as it came.
func (c *Connection) post(ctx context.Context, path string, value, into any) ([]byte, error) {
	body, err := encode(value)
	if err != nil {
		return nil, err
	}
	return c.read(ctx, request{method: http.MethodPost, path: path, body: body, mediaType: mediaJSON}, into)
}

const mediaJSON = "application/json"

func encode(value any) (*bytes.Reader, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return bytes.NewReader(body), nil
}

// Post is post for commands of other packages.
func (c *Connection) Post(ctx context.Context, path string, value, into any) error {
	_, err := c.post(ctx, path, value, into)
	return err
}

// get reads a resource like post.
func (c *Connection) get(ctx context.Context, path string, into any) ([]byte, error) {
	return c.read(ctx, request{method: http.MethodGet, path: path}, into)
}

// query runs a GraphQL query, and decodes its data into into.
func (c *Connection) query(ctx context.Context, text string, variables map[string]any, into any) ([]byte, error) {
	var answer struct {
		Data   json.RawMessage
		Errors []json.RawMessage
	}
	body, err := c.post(ctx, "/graphql", map[string]any{"query": text, "variables": variables}, &answer)
	switch {
	case err != nil:
		return nil, err
	case len(answer.Errors) > 0:
		return nil, problemFailure(http.StatusOK, body)
	}
	return body, decode(answer.Data, into)
}

// request is a request to the gateway.
type request struct {
	method, path      string
	body              io.Reader
	mediaType, accept string
	lastEvent         string
}

// read sends a request, decodes the answer, and returns it as it came.
func (c *Connection) read(ctx context.Context, r request, into any) ([]byte, error) {
	response, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, unreached(ctx, c.url, err)
	}
	return body, decode(body, into)
}

func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return refused("the answer is not Rostrum's: %v", err)
	}
	return nil
}

// longestPause is how long a command waits at most because the gateway has too many requests.
const longestPause = time.Minute

// send returns a response whose status is a success. It repeats a request that the gateway has not
// taken because there were too many.
func (c *Connection) send(ctx context.Context, r request) (*http.Response, error) {
	for {
		response, err := c.sendOnce(ctx, r)
		if err != nil {
			return nil, err
		}
		if response.StatusCode/100 == 2 {
			return response, nil
		}
		failed := c.refusal(ctx, response)
		pause, given := retryAfter(response)
		seeker, isSeeker := r.body.(io.Seeker)
		if response.StatusCode != http.StatusTooManyRequests || !given || r.body != nil && !isSeeker {
			return nil, failed
		}
		if isSeeker {
			if _, err := seeker.Seek(0, io.SeekStart); err != nil {
				return nil, fmt.Errorf("repeat the request: %w", err)
			}
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (c *Connection) sendOnce(ctx context.Context, r request) (*http.Response, error) {
	sent, err := http.NewRequestWithContext(ctx, r.method, c.url+r.path, r.body)
	if err != nil {
		return nil, fmt.Errorf("the address of the gateway: %w", err)
	}
	for name, value := range map[string]string{"X-API-Key": c.key, "Content-Type": r.mediaType, "Accept": r.accept,
		"Last-Event-ID": r.lastEvent, "User-Agent": "rostrum-cli"} {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	response, err := c.client.Do(sent)
	if err != nil {
		return nil, unreached(ctx, c.url, err)
	}
	return response, nil
}

// largestProblem is how much of an error's body is read.
const largestProblem = 1 << 20

// refusal returns the failure of a response that is no success, and closes it.
func (c *Connection) refusal(ctx context.Context, response *http.Response) error {
	defer response.Body.Close()
	if response.StatusCode/100 == 3 {
		return refused("%s redirects to %s, and a key is not sent there: sign in with the address of the gateway itself",
			c.url, response.Header.Get("Location"))
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, largestProblem))
	if err != nil {
		return unreached(ctx, c.url, err)
	}
	return problemFailure(response.StatusCode, body)
}

// retryAfter returns the pause that a response asks for, unless it is too long.
func retryAfter(response *http.Response) (time.Duration, bool) {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	pause := time.Duration(seconds) * time.Second
	return pause, err == nil && seconds >= 0 && pause <= longestPause
}

// sleep waits, or fails when the command is interrupted.
func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return &failure{code: exitInterrupted}
	}
}

// isUntrusted reports whether the gateway refused a query because it runs stored operations only.
func isUntrusted(err error) bool {
	var failed *failure
	return errors.As(err, &failed) && failed.problem == "document_not_trusted"
}

// isPassing reports whether a request that failed may succeed later.
func isPassing(err error) bool {
	var failed *failure
	return errors.As(err, &failed) && failed.isPassing()
}
