package graph

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// socketClient implements graphql-transport-ws without a library.
type socketClient struct {
	t    *testing.T
	conn *websocket.Conn
}

func (b *testBundle) dial(t *testing.T, key string) *socketClient {
	t.Helper()
	header := http.Header{}
	if key != "" {
		header.Set(keyHeader, key)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(b.url, "http", "ws", 1), &websocket.DialOptions{
		HTTPHeader: header, Subprotocols: []string{"graphql-transport-ws"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return &socketClient{t, conn}
}

func (c *socketClient) send(frame string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(frame)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *socketClient) read() (string, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	_, frame, err := c.conn.Read(ctx)
	return string(frame), err
}

func (c *socketClient) want(frame string) {
	c.t.Helper()
	got, err := c.read()
	if err != nil {
		c.t.Fatal(err)
	}
	if got != frame {
		c.t.Errorf("got  %s\nwant %s", got, frame)
	}
}

// wantClosed reads until the socket is closed.
func (c *socketClient) wantClosed(code websocket.StatusCode, reason string) {
	c.t.Helper()
	for {
		_, err := c.read()
		if err == nil {
			continue
		}
		if got := websocket.CloseStatus(err); got != code || !strings.Contains(err.Error(), reason) {
			c.t.Errorf("closed with %v, want %d %s", err, code, reason)
		}
		return
	}
}

func (c *socketClient) init(payload string) {
	c.t.Helper()
	c.send(`{"type":"connection_init","payload":` + payload + `}`)
	c.want(`{"type":"connection_ack"}`)
}

func (c *socketClient) subscribe(id, query string) {
	c.t.Helper()
	c.send(`{"id":"` + id + `","type":"subscribe","payload":{"query":` + quoteJSON(query) + `}}`)
}

func TestSocket(t *testing.T) {
	t.Parallel()
	t.Run("operations of every kind on one socket", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		c := b.dial(t, "")
		c.init(`{"x-api-key":"` + readKey + `"}`)
		c.subscribe("1", watchQuery)
		b.events <- jobEvent(1)
		c.want(`{"id":"1","type":"next","payload":` + firstEvent + `}`)
		c.subscribe("q", `{ documentCount }`)
		c.want(`{"id":"q","type":"next","payload":{"data":{"documentCount":2}}}`)
		c.want(`{"id":"q","type":"complete"}`)
		c.send(`{"type":"ping","payload":{"n":1}}`)
		c.want(`{"type":"pong","payload":{"n":1}}`)
		c.send(`{"type":"pong"}`)
		c.subscribe("2", `{ nothing }`)
		c.want(`{"id":"2","type":"error","payload":[{"message":"Cannot query field \"nothing\" on type \"Query\".","locations":[{"line":1,"column":3}],"extensions":{"code":"bad_request"}}]}`)
		c.subscribe("w", `mutation { createDocument(input: {title: "a", content: "b"}) { document { id } } }`)
		if got, _ := c.read(); !strings.Contains(got, `"type":"error"`) ||
			!strings.Contains(got, "insufficient_scope") {
			t.Error(got)
		}
		b.events <- jobEvent(2)
		c.want(`{"id":"1","type":"next","payload":` + strings.Replace(firstEvent, "1", "2", 1) + `}`)
		close(b.events)
		c.want(`{"id":"1","type":"complete"}`)
	})
	t.Run("the key as a bearer token", func(t *testing.T) {
		t.Parallel()
		c := newTestBundle(t).dial(t, "")
		c.init(`{"authorization":"bearer ` + readKey + `"}`)
		c.subscribe("1", `{ documentCount }`)
		c.want(`{"id":"1","type":"next","payload":{"data":{"documentCount":2}}}`)
	})
	t.Run("the client completes one of two subscriptions", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		c := b.dial(t, readKey)
		c.init(`null`)
		c.subscribe("1", watchQuery)
		b.events <- jobEvent(1)
		c.want(`{"id":"1","type":"next","payload":` + firstEvent + `}`)
		c.send(`{"id":"1","type":"complete"}`)
		c.send(`{"type":"ping"}`)
		c.want(`{"type":"pong"}`)
		c.subscribe("1", watchQuery)
		c.subscribe("2", watchQuery)
		c.send(`{"type":"ping"}`)
		c.want(`{"type":"pong"}`)
		close(b.events)
		first, _ := c.read()
		second, _ := c.read()
		if first+second != `{"id":"1","type":"complete"}{"id":"2","type":"complete"}` &&
			second+first != `{"id":"1","type":"complete"}{"id":"2","type":"complete"}` {
			t.Errorf("%s %s", first, second)
		}
	})
	t.Run("too many operations", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Streams = 1 })
		c := b.dial(t, readKey)
		c.init(`{}`)
		c.subscribe("1", watchQuery)
		c.subscribe("2", watchQuery)
		if got, _ := c.read(); !strings.Contains(got, `{"id":"2","type":"error"`) ||
			!strings.Contains(got, "limit_exceeded") {
			t.Error(got)
		}
	})
}

func TestSocket_closes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		key    string
		frames []string
		code   websocket.StatusCode
		reason string
	}{
		{"no key", "", []string{`{"type":"connection_init"}`}, 4403, "unauthenticated"},
		{"a wrong key in the message", readKey, []string{`{"type":"connection_init","payload":{"X-API-Key":"nobody's"}}`}, 4403, "invalid_key"},
		{"a wrong bearer token in the message", readKey,
			[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer nobody's"}}`}, 4403, "invalid_key"},
		{"a wrong key in the header", "nobody's", []string{`{"type":"connection_init"}`}, 4403, "invalid_key"},
		{"subscribing before the ack", readKey, []string{`{"id":"1","type":"subscribe","payload":{"query":"{__typename}"}}`}, 4401, "Unauthorized"},
		{"two connection_init messages", readKey, []string{`{"type":"connection_init"}`, `{"type":"connection_init"}`},
			4429, "Too many"},
		{"no JSON", readKey, []string{`{`}, 4400, "Invalid message"},
		{"an unknown message", readKey, []string{`{"type":"start"}`}, 4400, "Invalid message"},
		{"no id", readKey, []string{`{"type":"connection_init"}`,
			`{"type":"subscribe","payload":{"query":"{__typename}"}}`}, 4400, "Invalid message"},
		{"no operation", readKey, []string{`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":5}`},
			4400, "Invalid message"},
		{"an id in use", readKey, []string{
			`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":{"query":` + quoteJSON(watchQuery) +
				`}}`,
			`{"id":"1","type":"subscribe","payload":{"query":"{__typename}"}}`,
		}, 4409, "Subscriber for 1 already exists"},
		{"no connection_init message", readKey, nil, 4408, "Connection initialisation timeout"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newTestBundle(t, func(c *Config) {
				if test.frames == nil {
					c.Policy.Limits.Handshake = time.Millisecond
				}
			}).dial(t, test.key)
			for _, frame := range test.frames {
				c.send(frame)
			}
			c.wantClosed(test.code, test.reason)
		})
	}
	t.Run("64 KB before the key is checked", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat(" ", 65<<10)
		c := newTestBundle(t).dial(t, readKey)
		c.send(`{"type":"connection_init"` + long + `}`)
		c.wantClosed(websocket.StatusMessageTooBig, "")
		c = newTestBundle(t).dial(t, readKey)
		c.init(`{}`)
		c.send(`{"type":"ping"` + long + `}`)
		c.want(`{"type":"pong"}`)
	})
	t.Run("a revoked key", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Transport.KeepAlive = 10 * time.Millisecond })
		c := b.dial(t, readKey)
		c.init(`{}`)
		c.subscribe("1", watchQuery)
		b.revoked.Store(true)
		c.wantClosed(4403, "key_revoked")
	})
	t.Run("another protocol", func(t *testing.T) {
		t.Parallel()
		conn, _, err := websocket.Dial(t.Context(), strings.Replace(newTestBundle(t).url, "http", "ws", 1),
			&websocket.DialOptions{Subprotocols: []string{"graphql-ws"}})
		if err != nil {
			t.Fatal(err)
		}
		(&socketClient{t, conn}).wantClosed(4406, "Subprotocol not acceptable")
	})
	t.Run("the server stops", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		c := b.dial(t, readKey)
		c.init(`{}`)
		c.subscribe("1", watchQuery)
		b.server.Stop()
		if got, err := c.read(); err == nil || websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("got %s %v; an interrupted subscription is not complete", got, err)
		}
	})
}
