// Package message renders and signs the body of a webhook delivery: the documented JSON, or a
// message for a team chat.
package message

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rostrum/model"
	"rostrum/model/eventviewer"
)

// eventPayload is the body of a delivery. The order of its members is part of the public contract.
type eventPayload struct {
	Test      bool               `json:"test,omitempty"` // a sample event of a webhook test
	Event     string             `json:"event"`
	Link      *model.LinkSummary `json:"link"`
	Viewer    any                `json:"viewer"`
	Timestamp string             `json:"timestamp"`
}

// JSON returns an event as documented JSON, without white space. It returns an error for an event
// that is not documented.
func JSON(e *model.Event) ([]byte, error) {
	viewer, err := viewerOf(e)
	if err != nil {
		return nil, err
	}
	return encodeJSON(eventPayload{Test: isTest(e), Event: e.Event, Link: linkOf(e), Viewer: viewer,
		Timestamp: eventviewer.FormatTime(e.Timestamp)})
}

// viewerOf decodes the viewer into the type of the event, so that only documented members are sent.
// It returns an error for an unknown event or invalid JSON.
func viewerOf(e *model.Event) (any, error) {
	var viewer any
	switch e.Event {
	case model.EventLinkOpened:
		viewer = &eventviewer.Opened{}
	case model.EventConversion:
		viewer = &eventviewer.Conversion{}
	case model.EventFormSubmitted:
		viewer = &eventviewer.Form{Data: map[string]any{}}
	default:
		return nil, fmt.Errorf("no payload is documented for %q", e.Event)
	}
	if len(e.Viewer) == 0 {
		return viewer, nil
	}
	from := json.NewDecoder(bytes.NewReader(e.Viewer))
	from.UseNumber() // keeps the precision of a form's numbers
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

// encodeJSON encodes a value without escaping <, > and &.
func encodeJSON(v any) ([]byte, error) {
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	if err := to.Encode(v); err != nil {
		return nil, fmt.Errorf("write a payload: %w", err)
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}
