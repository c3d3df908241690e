// Package message is what the receiver of a webhook gets: the documented JSON, or a message for a team chat, and its signature.
package message

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rostrum/model"
)

// payload is the body of a delivery (link-webhooks.md, "Events"). The order of its members is part of the contract that we keep.
type payload struct {
	Test      bool               `json:"test,omitempty"` // nothing happened; somebody tries the webhook
	Event     string             `json:"event"`
	Link      *model.LinkSummary `json:"link"`
	Viewer    any                `json:"viewer"`
	Timestamp string             `json:"timestamp"`
}

// JSON writes an event as the specification documents it, without white space. It fails for an event that is not documented.
func JSON(e *model.Event) ([]byte, error) {
	viewer, err := viewerOf(e)
	if err != nil {
		return nil, err
	}
	return encode(payload{Test: isTest(e), Event: e.Event, Link: linkOf(e), Viewer: viewer, Timestamp: model.Instant(e.Timestamp)})
}

// viewerOf reads the viewer as the type that the event has, so that what leaves has exactly the documented members.
func viewerOf(e *model.Event) (any, error) {
	var viewer any
	switch e.Event {
	case model.EventLinkOpened:
		viewer = &model.OpenedViewer{}
	case model.EventConversion:
		viewer = &model.ConversionViewer{}
	case model.EventFormSubmitted:
		viewer = &model.FormViewer{Data: map[string]any{}}
	default:
		return nil, fmt.Errorf("no payload is documented for %q", e.Event)
	}
	if len(e.Viewer) == 0 {
		return viewer, nil
	}
	from := json.NewDecoder(bytes.NewReader(e.Viewer))
	from.UseNumber() // a form's numbers leave as they came
	if err := from.Decode(viewer); err != nil {
		return nil, fmt.Errorf("read the viewer of %s: %w", e.ID, err)
	}
	return viewer, nil
}

func linkOf(e *model.Event) *model.LinkSummary {
	if e.Link == nil {
		return &model.LinkSummary{}
	}
	return e.Link
}

// encode leaves <, > and & as they are, which JSON need not escape.
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	if err := to.Encode(v); err != nil {
		return nil, fmt.Errorf("write a payload: %w", err)
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}
