package message

import (
	"embed"
	"encoding/json"
	"fmt"

	"rostrum/model"
)

// samples are one documented payload per event, named for it; they feed the tests too.
//
//go:embed testdata/*.json
var samples embed.FS

// testMark is the data of an event that did not happen.
const testMark = `{"test":true}`

// Sample makes an event to try a webhook with, marked as a test, of no workspace yet; nil for an event that is not documented.
func Sample(name string) *model.Event {
	text, err := samples.ReadFile("testdata/" + name + ".json")
	if err != nil {
		return nil
	}
	var body struct {
		Link   *model.LinkSummary `json:"link"`
		Viewer json.RawMessage    `json:"viewer"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		panic(fmt.Sprintf("the sample of %s cannot be read: %v", name, err)) // it is part of the program
	}
	return &model.Event{
		ID: model.NewID(model.EventPrefix), Event: name, Link: body.Link, Viewer: body.Viewer,
		Data: json.RawMessage(testMark), Timestamp: model.Now(),
	}
}

func isTest(e *model.Event) bool {
	var data struct {
		Test bool `json:"test"`
	}
	return json.Unmarshal(e.Data, &data) == nil && data.Test
}
