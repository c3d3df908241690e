package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// eventStream reads the workspace's events after an id from a gateway until the stream or the
// context ends, and passes their ids to add.
type eventStream func(l *load, ctx context.Context, g *gateway, after string, add func(id string))

// eventStreams are the APIs that watchers use in turn.
var eventStreams = []eventStream{(*load).streamREST, (*load).streamSocket, (*load).streamGraph}

// openStream sends a request for an event stream. It returns nil if there is none; a rejection is a
// refusal.
func (l *load) openStream(request *http.Request, after string) io.ReadCloser {
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", l.key)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil
	}
	if response.StatusCode == http.StatusOK {
		return response.Body
	}
	response.Body.Close()
	if response.StatusCode < http.StatusInternalServerError {
		l.addRefusal(request.Method, request.URL.Path, response.StatusCode, fmt.Append(nil, "after ", after))
	}
	return nil
}

// readLines calls visit with the values of a stream's lines with the prefix.
func readLines(body io.ReadCloser, prefix string, visit func(value string)) {
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), prefix); ok {
			visit(strings.TrimSpace(value))
		}
	}
}

// streamREST reads the event stream of REST, which resumes after Last-Event-ID.
func (l *load) streamREST(ctx context.Context, g *gateway, after string, add func(id string)) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url()+"/api/v1/events", nil)
	if err != nil {
		return
	}
	request.Header.Set("Last-Event-ID", after)
	if body := l.openStream(request, after); body != nil {
		readLines(body, "id:", add)
	}
}

// subscriptionPayload returns the subscription to the events after an id.
func subscriptionPayload(after string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"query":"subscription { events(after: \"%s\") { id } }"}`, after))
}

// streamGraph reads the subscription of the graph over server-sent events.
func (l *load) streamGraph(ctx context.Context, g *gateway, after string, add func(id string)) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url()+"/graphql",
		strings.NewReader(string(subscriptionPayload(after))))
	if err != nil {
		return
	}
	if body := l.openStream(request, after); body != nil {
		readLines(body, "data:", func(data string) { l.addEvent([]byte(data), add) })
	}
}

// streamSocket reads the subscription of the graph over graphql-ws.
func (l *load) streamSocket(ctx context.Context, g *gateway, after string, add func(id string)) {
	conn, _, err := websocket.Dial(ctx, g.url()+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	type message struct {
		ID      string          `json:"id,omitempty"`
		Type    string          `json:"type"`
		Payload json.RawMessage `json:"payload,omitempty"`
	}
	reply := &message{Type: "connection_init", Payload: json.RawMessage(fmt.Sprintf(`{"X-API-Key":%q}`, l.key))}
	for {
		if reply != nil && wsjson.Write(ctx, conn, reply) != nil {
			return
		}
		var got message
		if wsjson.Read(ctx, conn, &got) != nil {
			return
		}
		reply = nil
		switch got.Type {
		case "connection_ack":
			reply = &message{ID: "1", Type: "subscribe", Payload: subscriptionPayload(after)}
		case "ping":
			reply = &message{Type: "pong"}
		case "next":
			l.addEvent(got.Payload, add)
		case "error":
			l.addEvent(fmt.Appendf(nil, `{"errors":%s}`, got.Payload), add)
			return
		case "complete":
			return
		}
	}
}

// addEvent passes the id in a response of the subscription to add. A response of another event than
// that of an unavailable gateway is a refusal.
func (l *load) addEvent(text []byte, add func(id string)) {
	var response struct {
		Data   struct{ Events struct{ ID string } }
		Errors []struct{ Extensions struct{ Code string } }
	}
	if json.Unmarshal(text, &response) == nil && response.Data.Events.ID != "" {
		add(response.Data.Events.ID)
		return
	}
	for _, e := range response.Errors {
		if code := e.Extensions.Code; code != "unavailable" {
			l.addRefusal(http.MethodPost, "/graphql", http.StatusOK, text)
		}
	}
}
