package rest_test

import (
	"context"
	"testing"

	"rostrum/model"
)

func sampleEvent() *model.Event {
	return &model.Event{
		ID: "evt_1", WorkspaceID: "wsp_1", Event: model.EventLinkOpened, Timestamp: fixedTime,
		Viewer: []byte(`{"os":"iOS"}`),
		Link:   &model.LinkSummary{ID: "lnk_1", Slug: "s", Title: "T", ShortURL: "https://go.example.com/l/s"},
	}
}

func (queryResolver) Events(context.Context, *string, []model.EventType, *int, *int, *string) (*model.EventConnection,
	error) {
	return &model.EventConnection{Nodes: []*model.Event{sampleEvent()},
		Cursor: func(e *model.Event) string { return e.ID }}, nil
}

func (subscriptionResolver) Events(context.Context, *string, []model.EventType) (<-chan *model.Event, error) {
	out := make(chan *model.Event, 1)
	out <- sampleEvent()
	close(out)
	return out, nil
}

func TestEvents(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const one = `{"id":"evt_1","event":"link.opened","timestamp":"2026-03-04T05:06:07Z",` +
		`"link":{"id":"lnk_1","slug":"s","title":"T","short_url":"https://go.example.com/l/s"},"viewer":{"os":"iOS"},"data":null}`
	for _, accept := range []string{"Accept: application/json", "Accept: */*"} {
		got := s.do(t, "GET", "/api/v1/events?types=conversion,link.opened", "", accept)
		wantStatus(t, got, 200)
		wantBody(t, got, `{"events":[`+one+`],"next_cursor":"evt_1"}`)
	}
	got := s.do(t, "GET", "/api/v1/events", "", "Accept: text/event-stream")
	if want := "retry: 1000\n\nid: evt_1\nevent: link.opened\ndata: " + one + "\n\n"; got.body != want {
		t.Errorf("the stream is %q, want %q", got.body, want)
	}
}
