package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/oklog/ulid/v2"

	"rostrum/domain/webhook/message"
	"rostrum/model"
	"rostrum/test/kit"
)

// eventSocket is a subscription over a WebSocket, which is read at all times, so that pings are
// answered.
type eventSocket struct{ frames <-chan eventFrame }

// eventFrame is a message of the server, or the error that ended the connection.
type eventFrame struct {
	Type    string
	Payload json.RawMessage
	err     error
}

func openEventSocket(t *testing.T, a *kit.App, query string, variables map[string]any) eventSocket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(a.URL, "http")+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	var ack any
	for _, step := range []error{
		wsjson.Write(ctx, conn, map[string]any{"type": "connection_init",
			"payload": map[string]any{"X-API-Key": a.Key}}),
		wsjson.Read(ctx, conn, &ack),
		wsjson.Write(ctx, conn, map[string]any{"id": "1", "type": "subscribe",
			"payload": map[string]any{"query": query, "variables": variables}}),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	frames := make(chan eventFrame, 100)
	go func() {
		defer close(frames)
		for {
			var frame eventFrame
			frame.err = wsjson.Read(ctx, conn, &frame)
			if frames <- frame; frame.err != nil {
				return
			}
		}
	}()
	return eventSocket{frames}
}

// next returns the payload of the next event.
func (s eventSocket) next(t *testing.T) string {
	t.Helper()
	frame := <-s.frames
	if frame.err != nil || frame.Type != "next" {
		t.Fatalf("%s %s (%v)", frame.Type, frame.Payload, frame.err)
	}
	return string(frame.Payload)
}

// TestWorkspaceEvents follows the events of a workspace and a list of documents over sockets, and
// after events were dropped.
func TestWorkspaceEvents(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		t.Run("sockets receive changes with their documents",
			func(t *testing.T) { testSockets(t, a.Tenant(t), a.Tenant(t)) })
		t.Run("dropped events are reported", func(t *testing.T) { testDropped(t, a.Tenant(t)) })
	})
}

func testSockets(t *testing.T, mine, theirs *kit.App) {
	after := map[string]any{"after": field(t, mine.Do(t, "POST", "/graphql", nil, `{"query": "{ eventCursor }"}`),
		"data", "eventCursor")}
	want := map[string]string{
		`subscription ($after: ID) { documentChanges(after: $after, filter: {company: "Acme"}) { kind document { title workspace { name } } } }`: `{"data":{"documentChanges":{"kind":"CREATED","document":{"title":"Plan","workspace":{"name":"Test"}}}}}`,
		`subscription ($after: ID) { workspaceEvents(after: $after) { eventName ... on DocumentChanged { document { title } } } }`:               `{"data":{"workspaceEvents":{"eventName":"DOCUMENT_CREATED","document":{"title":"Plan"}}}}`,
	}
	sockets := map[string][]eventSocket{}
	for query := range want {
		for range 3 {
			sockets[query] = append(sockets[query], openEventSocket(t, mine, query, after))
		}
	}
	theirs.Do(t, "POST", "/api/v1/documents", nil,
		`{"title": "Another plan", "content": "A text.", "company": "Acme"}`).Want(t, http.StatusOK)
	mine.Do(t, "POST", "/api/v1/documents", nil, `{"title": "Plan", "content": "A text.", "company": "Acme"}`).
		Want(t, http.StatusOK)
	for query, same := range sockets {
		for _, socket := range same {
			if got := socket.next(t); got != want[query] {
				t.Errorf("received %s, want %s", got, want[query])
			}
		}
	}
}

func testDropped(t *testing.T, app *kit.App) {
	feed := app.NewFeed(t)
	old, young := message.Sample(model.EventConversion), message.Sample(model.EventConversion)
	old.Timestamp = model.Now().AddDate(0, 0, -31)
	old.ID = "evt_" + strings.ToLower(ulidAt(old.Timestamp))
	feed.Add(t, old, young)
	if err := feed.DeleteOld(t.Context(), model.Now()); err != nil {
		t.Fatal(err)
	}
	after := map[string]any{"after": old.ID}
	socket := openEventSocket(t, app, `subscription ($after: ID) { workspaceEvents(after: $after, types: [CONVERSION]) { __typename cursor ... on LinkConverted { payload { conversionType } link { id } } } }`, after)
	for _, want := range []string{
		fmt.Sprintf(`{"data":{"workspaceEvents":{"__typename":"EventsDropped","cursor":%q}}}`, old.ID),
		fmt.Sprintf(`{"data":{"workspaceEvents":{"__typename":"LinkConverted","cursor":%q,"payload":{"conversionType":"CTA_CLICK"},"link":null}}}`, young.ID),
	} {
		if got := socket.next(t); got != want {
			t.Errorf("received %s, want %s", got, want)
		}
	}
	socket = openEventSocket(t, app, `subscription ($after: ID) { documentChanges(after: $after) { cursor kind documentId } }`, after)
	if got, want := socket.next(t), fmt.Sprintf(`{"data":{"documentChanges":{"cursor":%q,"kind":"STALE","documentId":null}}}`, old.ID); got != want {
		t.Errorf("received %s, want %s", got, want)
	}
}

func ulidAt(at time.Time) string { return ulid.MustNewDefault(at).String() }
