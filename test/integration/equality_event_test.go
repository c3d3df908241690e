package integration

import (
	"testing"

	"rostrum/domain/webhook/message"
	"rostrum/model"
)

func init() {
	addArea(map[string]call{
		"listEvents": {method: "GET", path: "/events?after=$seen&types=conversion,form.submitted&first=2",
			variables: `{"after": "$seen", "types": ["CONVERSION", "FORM_SUBMITTED"], "first": 2}`,
			accept:    "application/json"},
		"watchEvents": {method: "GET", path: "/events?after=$seen&types=form.submitted",
			variables: `{"after": "$seen", "types": ["FORM_SUBMITTED"]}`, accept: stream, frames: 1},
	}, prepareEvents)
}

// prepareEvents appends an event of each kind at one instant, after an event that was read.
func prepareEvents(t *testing.T, s *state) {
	t.Helper()
	events := []*model.Event{message.Sample(model.EventLinkOpened)}
	for _, name := range model.EventTypes {
		events = append(events, message.Sample(name))
	}
	s.app.NewFeed(t).Add(t, events...)
	s.ids["$seen"] = events[0].ID
}
