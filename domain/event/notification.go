package event

import (
	"context"
	"encoding/json"

	"rostrum/model"
	"rostrum/platform/live"
)

// maxNotificationSize is the approximate limit for the events in a notification, in bytes. Larger
// events are read from the database.
const maxNotificationSize = 16 << 10

// eventNotification carries consecutive events to the watchers of a workspace.
type eventNotification struct {
	From   int64             `json:"from"`             // position of the first event
	To     int64             `json:"to"`               // position of the last event
	Events []json.RawMessage `json:"events,omitempty"` // empty if they were too large
}

func topicName(workspaceID string) string { return "event." + workspaceID }

// publishEvents publishes committed events to all processes.
func (s *Service) publishEvents(ctx context.Context, events []*model.Event) {
	byWorkspace := map[string][]*model.Event{}
	for _, e := range events {
		byWorkspace[e.WorkspaceID] = append(byWorkspace[e.WorkspaceID], e)
	}
	for id, own := range byWorkspace {
		for _, n := range splitNotifications(own) {
			payload, _ := json.Marshal(n) //nolint:errchkjson // numbers, and JSON that was just made
			s.live.Publish(ctx, topicName(id), payload)
		}
	}
}

// splitNotifications splits the events of a workspace into notifications of limited size.
func splitNotifications(events []*model.Event) []eventNotification {
	var all []eventNotification
	size := 0
	for _, e := range events {
		text, err := json.Marshal(e)
		if err != nil || len(text) > maxNotificationSize {
			all, size = append(all, eventNotification{From: e.Position, To: e.Position}), maxNotificationSize
			continue
		}
		if size += len(text); len(all) == 0 || size > maxNotificationSize {
			all, size = append(all, eventNotification{From: e.Position}), len(text)
		}
		last := &all[len(all)-1]
		last.To, last.Events = e.Position, append(last.Events, text)
	}
	return all
}

// decodeNotification decodes a notification. The batch is partial if the events must be read from
// the database.
func decodeNotification(payload []byte) live.Batch[*model.Event] {
	var n eventNotification
	if json.Unmarshal(payload, &n) != nil {
		return live.Batch[*model.Event]{Partial: true}
	}
	s := live.Batch[*model.Event]{AfterPosition: n.From - 1, To: n.To, Partial: len(n.Events) == 0}
	for _, text := range n.Events {
		e := new(model.Event)
		if json.Unmarshal(text, e) != nil {
			return live.Batch[*model.Event]{AfterPosition: s.AfterPosition, To: s.To, Partial: true}
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}
