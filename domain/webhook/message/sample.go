package message

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"

	"rostrum/model"
)

// samples are one documented payload per event; tests use them too.
//
//go:embed testdata/*.json
var samples embed.FS

// Sample returns a sample event that is marked as a test and has no workspace yet, or nil for an
// event that is not documented.
func Sample(name model.EventType) *model.Event {
	text, err := samples.ReadFile("testdata/" + string(name) + ".json")
	if err != nil {
		return nil
	}
	var body struct {
		Link   *model.LinkSummary         `json:"link"`
		Viewer json.RawMessage            `json:"viewer"`
		Data   map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		panic(fmt.Sprintf("the sample of %s cannot be read: %v", name, err)) // an embedded file
	}
	return &model.Event{
		ID: model.NewID(model.EventPrefix), Event: string(name), Link: body.Link, Viewer: body.Viewer,
		Data: markedData(body.Data), Timestamp: model.Now(),
	}
}

// markedData returns the data of a test event: the sample's with the mark of a test.
func markedData(sample map[string]json.RawMessage) json.RawMessage {
	marked := maps.Clone(sample)
	if marked == nil {
		marked = map[string]json.RawMessage{}
	}
	marked["test"] = json.RawMessage("true")
	text, _ := json.Marshal(marked) //nolint:errchkjson // JSON that was just read
	return text
}

func isTest(e *model.Event) bool {
	var data struct {
		Test bool `json:"test"`
	}
	return json.Unmarshal(e.Data, &data) == nil && data.Test
}
