// Package message renders and signs the body of a webhook delivery: the documented JSON, or a
// message for a team chat.
package message

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"rostrum/model"
	"rostrum/model/eventviewer"
)

// linkPayload is the body of a delivery of an event of a link, and dataPayload that of any other.
// The order of their members is part of the public contract.
type (
	linkPayload struct {
		Test      bool               `json:"test,omitempty"` // a sample event of a webhook test
		Event     string             `json:"event"`
		Link      *model.LinkSummary `json:"link"`
		Viewer    any                `json:"viewer"`
		Timestamp string             `json:"timestamp"`
	}
	dataPayload struct {
		Test      bool   `json:"test,omitempty"`
		Event     string `json:"event"`
		Data      any    `json:"data"`
		Timestamp string `json:"timestamp"`
	}
)

// IsOfLink reports whether the events of a kind happen on a link.
func (k Kind) IsOfLink() bool { return slices.Contains(model.LinkEventTypes, k.Event) }

// JSON returns an event as documented JSON, without white space. It returns an error for an event
// that is not documented.
func JSON(e *model.Event) ([]byte, error) {
	body, _, err := decodeEvent(e)
	if err != nil {
		return nil, err
	}
	at := eventviewer.FormatTime(e.Timestamp)
	if kindOf(e.Event).IsOfLink() {
		return encodeJSON(linkPayload{Test: isTest(e), Event: e.Event, Link: linkOf(e), Viewer: body, Timestamp: at})
	}
	return encodeJSON(dataPayload{Test: isTest(e), Event: e.Event, Data: body, Timestamp: at})
}

// decodeEvent decodes the viewer or the data into the type of the event, so that only documented
// members are sent. It returns an error for an unknown event or invalid JSON.
func decodeEvent(e *model.Event) (any, chatContent, error) {
	kind := kindOf(e.Event)
	if kind == nil {
		return nil, chatContent{}, fmt.Errorf("no payload is documented for %q", e.Event)
	}
	return kind.decode(e)
}

// decodeBody decodes the viewer of an event of a link, or else the event's data; body stays empty
// without one.
func decodeBody(e *model.Event, body any) error {
	text := e.Data
	if slices.Contains(model.LinkEventTypes, model.EventType(e.Event)) {
		text = e.Viewer
	}
	if form, ok := body.(*eventviewer.Form); ok {
		form.Data = map[string]any{}
	}
	if len(text) == 0 {
		return nil
	}
	from := json.NewDecoder(bytes.NewReader(text))
	from.UseNumber() // keeps the precision of a form's numbers
	if err := from.Decode(body); err != nil {
		return fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	return nil
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
