package message

import (
	"embed"
	"encoding/json"
	"fmt"

	"rostrum/model"
)

// samples are one documented payload per event; tests use them too.
//
//go:embed testdata/*.json
var samples embed.FS

// testMark is the data of a test event.
const testMark = `{"test":true}`

// Sample returns a sample event that is marked as a test and has no workspace yet, or nil for an
// event that is not documented.
func Sample(name model.EventType) *model.Event {
	text, err := samples.ReadFile("testdata/" + string(name) + ".json")
	if err != nil {
		return nil
	}
	var body struct {
		Link   *model.LinkSummary `json:"link"`
		Viewer json.RawMessage    `json:"viewer"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		panic(fmt.Sprintf("the sample of %s cannot be read: %v", name, err)) // an embedded file
	}
	return &model.Event{
		ID: model.NewID(model.EventPrefix), Event: string(name), Link: body.Link, Viewer: body.Viewer,
		Data: json.RawMessage(testMark), Timestamp: model.Now(),
	}
}

func isTest(e *model.Event) bool {
	var data struct {
		Test bool `json:"test"`
	}
	return json.Unmarshal(e.Data, &data) == nil && data.Test
}
