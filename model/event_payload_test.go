package model_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"rostrum/model"
	"rostrum/model/eventviewer"
)

// TestEventPayload decodes what links write.
func TestEventPayload(t *testing.T) {
	t.Parallel()
	variant, session := "lvr_1", "vis_1"
	for _, c := range []struct {
		event  string
		viewer any
		name   model.EventName
		want   model.EventPayload
	}{
		{
			model.EventLinkOpened, eventviewer.Opened{Country: "FR", OS: "Linux", SessionID: "vis_1"},
			model.EventNameLinkOpened,
			&model.LinkOpenedPayload{Country: "FR", OperatingSystem: "Linux", SessionID: &session},
		},
		{
			model.EventConversion, eventviewer.Conversion{Type: "custom", Value: "v", VariantID: variant,
				SessionID: "vis_1"}, model.EventNameConversion,
			&model.ConversionPayload{ConversionType: "custom", Value: "v", VariantID: &variant, SessionID: "vis_1"},
		},
		{
			model.EventFormSubmitted, eventviewer.Form{ID: "sub_1", Email: "a@b.example", Data: map[string]any{"n": 1}},
			model.EventNameFormSubmitted,
			&model.FormSubmittedPayload{SubmissionID: "sub_1", Email: "a@b.example", Data: json.RawMessage(`{"n":1}`)},
		},
		{model.EventLinkOpened, "nobody", model.EventNameLinkOpened, nil},
		{"stale", nil, model.EventNameStale, nil},
		{"link.closed", eventviewer.Opened{}, model.EventNameOther, nil},
	} {
		viewer, err := json.Marshal(c.viewer)
		if err != nil {
			t.Fatal(err)
		}
		event := &model.Event{Event: c.event, Viewer: viewer}
		if got := event.Payload(); event.EventName() != c.name || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s of %s is %s with %#v", viewer, c.event, event.EventName(), got)
		}
	}
}
