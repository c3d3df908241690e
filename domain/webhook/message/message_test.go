package message_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"rostrum/domain/webhook/message"
	"rostrum/model"
)

// sampleTime is the timestamp of the samples.
var sampleTime = time.Date(2026, 3, 14, 9, 26, 53, 589793000, time.UTC)

// documentedMembers lists the members of each event's payload in order, as "name type".
// Receivers may rely on all of them.
var documentedMembers = map[string][]string{
	"link.opened": {
		"event string", "link object", "viewer object", "timestamp string",
		"viewer.country string", "viewer.city string", "viewer.device string", "viewer.browser string",
		"viewer.os string", "viewer.referrer string",
		"viewer.session_id string",
	},
	"conversion": {
		"event string", "link object", "viewer object", "timestamp string",
		"viewer.type string", "viewer.value string", "viewer.variant_id string", "viewer.session_id string",
		"viewer.country string", "viewer.device string",
	},
	"form.submitted": {
		"event string", "link object", "viewer object", "timestamp string",
		"viewer.id string", "viewer.email string", "viewer.name string", "viewer.data object",
		"viewer.created_at string",
		"viewer.session_id string",
	},
	"search.matched": {
		"event string", "data object", "timestamp string", "data.search object", "data.document object",
	},
	"document.ready": {"event string", "data object", "timestamp string", "data.document object"},
	"document.failed": {
		"event string", "data object", "timestamp string", "data.document object", "data.reason object",
	},
	"job.failed":             {"event string", "data object", "timestamp string", "data.job object"},
	"draft.published":        {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.withdrawn":        {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.review_requested": {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.approved":         {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.returned":         {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.reopened":         {"event string", "data object", "timestamp string", "data.draft object"},
	"draft.commented":        {"event string", "data object", "timestamp string", "data.draft object", "data.comment object"},
	"draft.comment_resolved": {"event string", "data object", "timestamp string", "data.draft object",
		"data.comment object"},
	"source.failing":   {"event string", "data object", "timestamp string", "data.source object"},
	"source.recovered": {"event string", "data object", "timestamp string", "data.source object"},
	"webhook.paused":   {"event string", "data object", "timestamp string", "data.webhook object", "data.reason string"},
	"webhook.resumed":  {"event string", "data object", "timestamp string", "data.webhook object"},
	"budget.reached":   {"event string", "data object", "timestamp string", "data.budget object"},
	"reactions.completed": {"event string", "data object", "timestamp string", "data.document object",
		"data.personas number", "data.reacted number", "data.kept number", "data.failed number"},
	"summary.stale": {"event string", "data object", "timestamp string", "data.summary object"},
}

// linkMembers are the members of the link summary.
var linkMembers = []string{"link.id string", "link.slug string", "link.title string", "link.short_url string"}

// listMembers lists the members of an object in the format of documentedMembers.
func listMembers(t *testing.T, prefix string, object []byte) (all []string) {
	t.Helper()
	from := json.NewDecoder(bytes.NewReader(object))
	if _, err := from.Token(); err != nil {
		t.Fatal(err)
	}
	for from.More() {
		name, err := from.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := from.Decode(&value); err != nil {
			t.Fatal(err)
		}
		kind := map[byte]string{'"': "string", '{': "object", 't': "boolean", 'f': "boolean", 'n': "null",
			'[': "list"}[value[0]]
		if kind == "" {
			kind = "number"
		}
		all = append(all, prefix+name.(string)+" "+kind)
	}
	return all
}

func eventPayload(t *testing.T, e *model.Event) []byte {
	t.Helper()
	body, err := message.JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// payloadParts returns the raw members link, viewer and data of a payload.
func payloadParts(t *testing.T, body []byte) (p struct{ Link, Viewer, Data json.RawMessage }) {
	t.Helper()
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// unmarkedSample returns a sample without the test mark.
func unmarkedSample(name model.EventType) *model.Event {
	e := message.Sample(name)
	e.Timestamp = sampleTime
	var data map[string]json.RawMessage
	if err := json.Unmarshal(e.Data, &data); err != nil {
		panic(err)
	}
	delete(data, "test")
	e.Data, _ = json.Marshal(data)
	return e
}

// TestKinds checks that the table has every event that webhooks receive, with its descriptions.
func TestKinds(t *testing.T) {
	events := make([]model.EventType, len(message.Kinds))
	for i, kind := range message.Kinds {
		events[i] = kind.Event
		if kind.Summary == "" || kind.When == "" || kind.Body == nil || message.Sample(kind.Event) == nil {
			t.Errorf("%s is not described, or has no sample", kind.Event)
		}
		if isOfLink := message.Sample(kind.Event).Link != nil; isOfLink != kind.IsOfLink() {
			t.Errorf("the sample of %s has a link: %v", kind.Event, isOfLink)
		}
	}
	if !slices.Equal(events, model.EventTypes) {
		t.Errorf("the kinds are %v\nwant %v", events, model.EventTypes)
	}
}

func TestJSON(t *testing.T) {
	for _, name := range model.EventTypes {
		t.Run(string(name)+" is its sample", func(t *testing.T) {
			sample, err := os.ReadFile("testdata/" + string(name) + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var indented bytes.Buffer
			if err := json.Indent(&indented, eventPayload(t, unmarkedSample(name)), "", "  "); err != nil {
				t.Fatal(err)
			}
			if got := indented.String() + "\n"; got != string(sample) {
				t.Errorf("got\n%s\nwant\n%s", got, sample)
			}
		})
		t.Run(string(name)+" has the documented members", func(t *testing.T) {
			body := eventPayload(t, unmarkedSample(name))
			p := payloadParts(t, body)
			got, want := listMembers(t, "", body), documentedMembers[string(name)]
			if p.Link == nil {
				got = slices.Concat(got, listMembers(t, "data.", p.Data))
			} else {
				got = slices.Concat(got, listMembers(t, "viewer.", p.Viewer), listMembers(t, "link.", p.Link))
				want = slices.Concat(want, linkMembers)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
		t.Run(string(name)+" of a test starts with the test mark", func(t *testing.T) {
			body := eventPayload(t, message.Sample(name))
			if got := listMembers(t, "", body); !bytes.HasPrefix(body, []byte(`{"test":true,"event":`)) ||
				!slices.Equal(got[1:], documentedMembers[string(name)][:len(got)-1]) {
				t.Errorf("%s", body)
			}
		})
	}
	t.Run("undocumented fields are not sent", func(t *testing.T) {
		e := unmarkedSample(model.EventLinkOpened)
		e.Viewer = json.RawMessage(`{"os":"iOS","ip":"203.0.113.9","country":"DE"}`)
		want := `{"country":"DE","city":"","device":"","browser":"","os":"iOS","referrer":""}`
		if got := payloadParts(t, eventPayload(t, e)).Viewer; string(got) != want {
			t.Errorf("got %s", got)
		}
		e.Event = "link.closed"
		if body, err := message.JSON(e); err == nil {
			t.Errorf("an undocumented event is encoded as %s", body)
		}
	})
	t.Run("a variant is named only in a split test", func(t *testing.T) {
		e := unmarkedSample(model.EventConversion)
		e.Viewer = json.RawMessage(`{"type":"scroll_50","value":"50","session_id":"s","country":"","device":""}`)
		if got := string(payloadParts(t, eventPayload(t, e)).Viewer); got != string(e.Viewer) {
			t.Errorf("got %s", got)
		}
	})
	t.Run("form values are sent unchanged", func(t *testing.T) {
		e := unmarkedSample(model.EventFormSubmitted)
		e.Viewer = json.RawMessage(`{"id":"1","email":"","name":"","data":{"a":"<b> & \"c\"","n":12345678901234567890.10,"z":["1",null]},"created_at":""}`)
		if got := string(payloadParts(t, eventPayload(t, e)).Viewer); got != string(e.Viewer) {
			t.Errorf("got %s", got)
		}
		e.Viewer = nil
		// all but the session
		if got := listMembers(t, "viewer.", payloadParts(t, eventPayload(t, e)).Viewer); !slices.Equal(got,
			documentedMembers[e.Event][4:9]) {
			t.Errorf("without a viewer: %v", got)
		}
	})
	t.Run("the timestamp has the offset of UTC", func(t *testing.T) {
		e := unmarkedSample(model.EventLinkOpened)
		e.Timestamp = time.Date(2026, 1, 2, 1, 0, 0, 0, time.FixedZone("", 3600))
		if want := []byte(`"timestamp":"2026-01-02T00:00:00.000000+00:00"`); !bytes.Contains(eventPayload(t, e), want) {
			t.Errorf("%s", eventPayload(t, e))
		}
	})
	t.Run("an undocumented event has no sample", func(t *testing.T) {
		if e := message.Sample("link.closed"); e != nil {
			t.Errorf("%+v", e)
		}
		if a, b := message.Sample("conversion"), message.Sample("conversion"); a.ID == b.ID {
			t.Error("two tests have one id")
		}
	})
}
