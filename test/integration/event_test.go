package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/domain/webhook/message"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestEvents/one_cursor_for_every_way reads a feed in small batches, each by another API that
// resumes after the last id.
func TestEvents(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		t.Run("one_cursor_for_every_way", func(t *testing.T) {
			app := app.Tenant(t)
			feed, after := app.NewFeed(t), newestCursor(t, app)
			var want []string
			for i := range 24 {
				e := message.Sample(model.EventTypes[i%len(model.EventTypes)])
				feed.Add(t, e)
				want = append(want, e.ID)
			}
			var got []string
			ways := []func(*testing.T, *kit.App, string) []string{byPage, byStream, byParameter, bySubscription}
			for i := 0; len(got) < len(want) && !t.Failed(); i++ {
				ids := ways[i%len(ways)](t, app, after)
				got = append(got, ids...)
				after = got[len(got)-1]
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			page := app.Do(t, "GET", "/api/v1/events?after="+after, nil, "")
			page.Want(t, http.StatusOK, `{"events":[],"next_cursor":"`+after+`"}`)
		})
		t.Run("an_expired_cursor_is_an_error", func(t *testing.T) {
			app := app.Tenant(t)
			feed := app.NewFeed(t)
			old, young := message.Sample(model.EventConversion), message.Sample(model.EventConversion)
			old.Timestamp = model.Now().AddDate(0, 0, -31)
			id := ulid.MustNewDefault(old.Timestamp)
			old.ID = "evt_" + strings.ToLower(id.String())
			feed.Add(t, old, young)
			if err := feed.DeleteOld(t.Context(), model.Now()); err != nil {
				t.Fatal(err)
			}
			app.Do(t, "GET", "/api/v1/events?after="+old.ID, nil, "").Want(t, http.StatusGone, `"code":"cursor_gone"`)
			resumed := http.Header{"Accept": {stream}, "Last-Event-Id": {old.ID}}
			frames := string(app.Read(t, 2, "GET", "/api/v1/events", resumed, "").Body)
			if first, then := "id: "+old.ID+"\nevent: stale\n",
				"id: "+young.ID+"\nevent: conversion\n"; !strings.Contains(frames, first) ||
				!strings.Contains(frames, then) {
				t.Errorf("the stream is\n%s", frames)
			}
		})
		t.Run("an_open_stream_receives_new_events", func(t *testing.T) {
			app := app.Tenant(t)
			feed := app.NewFeed(t)
			e := message.Sample(model.EventFormSubmitted)
			time.AfterFunc(300*time.Millisecond, func() { feed.Add(t, message.Sample(model.EventLinkOpened), e) })
			answer := app.Read(t, 1, "GET", "/api/v1/events?types=form.submitted", http.Header{"Accept": {stream}}, "")
			var got struct {
				ID, Event, Timestamp string
				Viewer               json.RawMessage
			}
			if err := json.Unmarshal(list(t, events(t, answer.Body))[0], &got); err != nil {
				t.Fatal(err)
			}
			if at, err := time.Parse(time.RFC3339Nano, got.Timestamp); err != nil || !at.Equal(e.Timestamp) ||
				got.ID != e.ID || got.Event != e.Event || !sameJSON(t, got.Viewer, e.Viewer) {
				t.Errorf("received %s", answer.Body)
			}
		})
		t.Run("an_event_is_a_node_of_its_workspace", func(t *testing.T) {
			mine, theirs := app.Tenant(t), app.Tenant(t)
			e := message.Sample(model.EventConversion)
			mine.NewFeed(t).Add(t, e)
			query := fmt.Sprintf(`{"query": "{ node(id: \"%s\") { id ... on Event { event link { shortUrl } } } }"}`,
				e.ID)
			mine.Do(t, "POST", "/graphql", nil, query).Want(t, http.StatusOK, e.ID, e.Link.ShortURL)
			theirs.Do(t, "POST", "/graphql", nil, query).Want(t, http.StatusOK, `{"data":{"node":null}}`)
			theirs.Do(t, "GET", "/api/v1/events?after="+e.ID, nil, "").
				Want(t, http.StatusUnprocessableEntity, `["query","after"]`)
		})
	})
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	return normalize(t, a) == normalize(t, b)
}

// newestCursor returns the cursor after which the next event comes.
func newestCursor(t *testing.T, app *kit.App) string {
	t.Helper()
	var page struct {
		Cursor string `json:"next_cursor"`
	}
	if err := json.Unmarshal(app.Do(t, "GET", "/api/v1/events", nil, "").Body, &page); err != nil {
		t.Fatal(err)
	}
	return page.Cursor
}

func byPage(t *testing.T, app *kit.App, after string) []string {
	t.Helper()
	var page struct {
		Events []struct{ ID string }
		Cursor string `json:"next_cursor"`
	}
	answer := app.Do(t, "GET", "/api/v1/events?first=3&after="+after, nil, "")
	if err := json.Unmarshal(answer.Body, &page); err != nil || len(page.Events) != 3 ||
		page.Cursor != page.Events[2].ID {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	return []string{page.Events[0].ID, page.Events[1].ID, page.Events[2].ID}
}

func byStream(t *testing.T, app *kit.App, after string) []string {
	t.Helper()
	return frameIDs(app.Read(t, 3, "GET", "/api/v1/events", http.Header{"Accept": {stream}, "Last-Event-Id": {after}},
		""))
}

func byParameter(t *testing.T, app *kit.App, after string) []string {
	t.Helper()
	return frameIDs(app.Read(t, 3, "GET", "/api/v1/events?after="+after, http.Header{"Accept": {stream}}, ""))
}

// frameIDs returns the ids of a stream's frames.
func frameIDs(answer *kit.Response) (ids []string) {
	for line := range strings.Lines(string(answer.Body)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "id: "); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func bySubscription(t *testing.T, app *kit.App, after string) (ids []string) {
	t.Helper()
	query := fmt.Sprintf(`{"query": "subscription { events(after: \"%s\") { id event } }"}`, after)
	answer := app.Read(t, 3, "POST", "/graphql", http.Header{"Accept": {stream}}, query)
	for _, frame := range list(t, events(t, answer.Body)) {
		var next struct {
			Data struct{ Events struct{ ID string } }
		}
		if err := json.Unmarshal(frame, &next); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, next.Data.Events.ID)
	}
	return ids
}
