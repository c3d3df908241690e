package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/platform/idempotency"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
	"rostrum/platform/web"
)

// subprotocol is the only supported WebSocket protocol:
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md.
const subprotocol = "graphql-transport-ws"

// The close codes of the protocol.
const (
	closeInvalid      websocket.StatusCode = 4400
	closeUnauthorized websocket.StatusCode = 4401
	closeForbidden    websocket.StatusCode = 4403
	closeSubprotocol  websocket.StatusCode = 4406
	closeTimeout      websocket.StatusCode = 4408
	closeDuplicate    websocket.StatusCode = 4409
	closeInitTwice    websocket.StatusCode = 4429
)

// closeError closes a socket with a code and a reason, which the client receives.
type closeError struct {
	code   websocket.StatusCode
	reason string
}

func (c closeError) Error() string { return c.reason }

// message is one message of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`

	claim *web.Claim // of its bytes; nil for one that the server sends
}

// socket is one connection and its running operations.
type socket struct {
	s       *Server
	conn    *websocket.Conn
	network *coalescingConn
	request *http.Request // of the upgrade
	headers http.Header
	acked   bool // used by the reading goroutine only

	mu         sync.Mutex
	operations map[string]*socketOperation // by id
	running    sync.WaitGroup
}

// serveSocket upgrades the request to graphql-transport-ws. Any origin may connect with a key. The
// session cookie is accepted only from pages of this server, because browsers add it on their own.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	hijack := &hijackWriter{ResponseWriter: w}
	conn, err := websocket.Accept(hijack, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol},
		InsecureSkipVerify: true})
	if err != nil {
		return // Accept has written the response
	}
	conn.SetReadLimit(min(s.limits.Body, maxPublicBody))
	r.Header.Del(idempotency.Header) // it would apply to every operation of the socket
	k := &socket{s: s, conn: conn, network: hijack.conn, request: r, headers: r.Header,
		operations: map[string]*socketOperation{}}
	go k.serve() // on its own goroutine: returning frees net/http's buffers and deep stack while the socket is open
}

// serve runs until the socket closes or the server stops.
func (k *socket) serve() {
	ctx, cancel := context.WithCancel(context.WithoutCancel(k.request.Context()))
	defer context.AfterFunc(k.s.stopping, cancel)()
	defer k.conn.CloseNow()
	defer k.running.Wait()
	defer cancel()
	defer func() {
		if panicked := recover(); panicked != nil {
			k.s.policy.LogFailure(ctx, errs.From(policy.PanicError(ctx, panicked)))
		}
	}()
	var closing closeError
	if errors.As(k.readMessages(ctx), &closing) {
		_ = k.conn.Close(closing.code, closing.reason)
	}
}

// readMessages handles messages until the socket fails or must close, and returns that error. It
// reads without the request's context, because its end would cut the connection before the close
// frame.
func (k *socket) readMessages(ctx context.Context) error {
	if k.conn.Subprotocol() != subprotocol {
		return closeError{closeSubprotocol, "Subprotocol not acceptable: use " + subprotocol}
	}
	defer context.AfterFunc(ctx, func() { _ = k.conn.Close(websocket.StatusGoingAway, "the server is stopping") })()
	handshake := time.AfterFunc(k.s.limits.Handshake,
		func() { _ = k.conn.Close(closeTimeout, "Connection initialisation timeout") })
	defer handshake.Stop()
	for {
		k.network.awaitReadable()
		m, err := k.readMessage(ctx)
		if err != nil {
			return err
		}
		if ctx, err = k.handleMessage(ctx, m); err != nil {
			return err
		}
		if k.acked {
			handshake.Stop()
		}
	}
}

// readMessage reads one message. Its bytes are taken from the budget of bodies as they arrive, and
// given back when its operation ends.
func (k *socket) readMessage(ctx context.Context) (m message, err error) {
	kind, reader, err := k.conn.Reader(context.WithoutCancel(ctx))
	if err != nil {
		return m, err
	}
	m.claim = k.s.config.Bodies.Claim(slot.TenantOf(ctx))
	raw, err := io.ReadAll(claimedReader{reader, m.claim})
	if err == nil && (kind != websocket.MessageText || decodeJSON(raw, &m) != nil) {
		err = closeError{closeInvalid, "Invalid message received"}
	}
	if errs.Is(err, errs.Unavailable) {
		err = closeError{websocket.StatusTryAgainLater, "requests that are not answered yet take all memory for bodies"}
	}
	if err != nil {
		m.claim.Release()
	}
	return m, err
}

// claimedReader takes the bytes of a message from the budget of bodies.
type claimedReader struct {
	io.Reader
	claim *web.Claim
}

// Read implements io.Reader.
func (r claimedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, cmp.Or(r.claim.Grow(n), err)
}

// handleMessage handles one message. The returned context has the principal once the client is
// authenticated.
func (k *socket) handleMessage(ctx context.Context, m message) (context.Context, error) {
	if m.Type != "subscribe" {
		defer m.claim.Release()
	}
	switch m.Type {
	case "connection_init":
		return k.initConnection(ctx, m)
	case "ping":
		return ctx, k.sendMessage(message{Type: "pong", Payload: m.Payload})
	case "pong":
		return ctx, nil
	case "subscribe":
		return ctx, k.startOperation(ctx, m)
	case "complete":
		k.cancelOperation(m.ID)
		return ctx, nil
	}
	return ctx, closeError{closeInvalid, "Invalid message type"}
}

// initConnection authenticates by the message's key, else by the key of the upgrade's header, else
// by the upgrade's session cookie.
func (k *socket) initConnection(ctx context.Context, m message) (context.Context, error) {
	if k.acked {
		return ctx, closeError{closeInitTwice, "Too many initialisation requests"}
	}
	var payload map[string]any
	if len(m.Payload) > 0 && decodeJSON(m.Payload, &payload) != nil {
		return ctx, closeError{closeInvalid, "Invalid message received"}
	}
	key := cmp.Or(payloadText(payload, keyHeader), bearerToken(payloadText(payload, "Authorization")),
		k.headers.Get(keyHeader))
	workspace := cmp.Or(payloadText(payload, workspaceHeader), k.headers.Get(workspaceHeader))
	ctx, err := k.authenticate(ctx, key, workspace)
	if err == nil {
		_, err = principal.From(ctx)
	}
	if err != nil {
		return ctx, k.authenticationError(ctx, err)
	}
	k.acked = true
	k.conn.SetReadLimit(k.s.limits.Body)
	k.startKeepAlive(ctx)
	return ctx, k.sendMessage(message{Type: "connection_ack"})
}

// payloadText returns the text of a header that the client sent in the payload of connection_init.
func payloadText(payload map[string]any, header string) (out string) {
	for name, value := range payload {
		if text, ok := value.(string); ok && strings.EqualFold(name, header) {
			out = text
		}
	}
	return out
}

// authenticate returns a context with the principal of the key, else of the session cookie. The
// cookie is checked like a POST's, which pages of other origins must not send, because a socket
// runs mutations too.
func (k *socket) authenticate(ctx context.Context, key, workspace string) (context.Context, error) {
	if key != "" || k.s.config.Session == nil {
		return k.s.authenticateKey(ctx, key, workspace)
	}
	upgrade := k.request.Clone(ctx)
	upgrade.Method = http.MethodPost
	upgrade.Header.Set(workspaceHeader, workspace)
	return k.s.IdentifySession(upgrade)
}

// authenticationError closes the socket for invalid credentials. If they could not be checked, the
// close code asks the client to retry.
func (k *socket) authenticationError(ctx context.Context, err error) error {
	failure := k.s.policy.PresentError(ctx, err)
	if status := policy.HTTPStatus(gqlerror.List{failure}); status != http.StatusUnauthorized &&
		status != http.StatusForbidden {
		return closeError{websocket.StatusTryAgainLater, "the credentials could not be checked"}
	}
	code, _ := failure.Extensions["code"].(string)
	return closeError{closeForbidden, "Forbidden: " + code}
}

// startKeepAlive pings the client and revalidates its credentials periodically. It closes the
// socket if either fails.
func (k *socket) startKeepAlive(ctx context.Context) {
	runPeriodically(ctx, min(revalidateInterval, k.s.config.KeepAlive), func() bool {
		err := k.s.RevalidateCredentials(ctx)
		switch code := errs.From(err).Code; {
		case err == nil:
		case code == errs.InsufficientScope:
			_ = k.conn.Close(websocket.StatusTryAgainLater, "the role has changed")
		default:
			_ = k.conn.Close(closeForbidden, "Forbidden: "+string(code))
		}
		return err == nil
	})
	runPeriodically(ctx, k.s.config.KeepAlive, func() bool {
		pong, cancel := context.WithTimeout(ctx, writeTimeout)
		defer cancel()
		err := k.conn.Ping(pong)
		if err != nil {
			_ = k.conn.CloseNow()
		}
		return err == nil
	})
}

// runPeriodically calls run after each interval until it returns false or the context ends. Between
// calls it holds no goroutine.
func runPeriodically(ctx context.Context, interval time.Duration, run func() bool) {
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if ctx.Err() == nil && run() {
			timer.Reset(interval)
		}
	})
	timer.Reset(interval)
	context.AfterFunc(ctx, func() { timer.Stop() })
}
