package event

import (
	"context"
	"encoding/json"

	"rostrum/live"
	"rostrum/model"
)

// largestNews is about how many bytes of events one piece of news carries; what does not fit is read from the database.
const largestNews = 16 << 10

// news are events on their way to the watchers of a workspace, in order and without gaps.
type news struct {
	From   int64             `json:"from"`             // the position of the first
	To     int64             `json:"to"`               // and of the last
	Events []json.RawMessage `json:"events,omitempty"` // absent when they were too large
}

func topic(workspaceID string) string { return "event." + workspaceID }

// announce carries committed events to every process.
func (s *Service) announce(ctx context.Context, events []*model.Event) {
	byWorkspace := map[string][]*model.Event{}
	for _, e := range events {
		byWorkspace[e.WorkspaceID] = append(byWorkspace[e.WorkspaceID], e)
	}
	for id, own := range byWorkspace {
		for _, n := range pieces(own) {
			payload, _ := json.Marshal(n) //nolint:errchkjson // numbers, and JSON that was just made
			s.live.Publish(ctx, topic(id), payload)
		}
	}
}

// pieces cuts one workspace's events into news of a bounded size.
func pieces(events []*model.Event) []news {
	var all []news
	size := 0
	for _, e := range events {
		text, err := json.Marshal(e)
		if err != nil || len(text) > largestNews {
			all, size = append(all, news{From: e.Position, To: e.Position}), largestNews
			continue
		}
		if size += len(text); len(all) == 0 || size > largestNews {
			all, size = append(all, news{From: e.Position}), len(text)
		}
		last := &all[len(all)-1]
		last.To, last.Events = e.Position, append(last.Events, text)
	}
	return all
}

// open reads news. Those that carry no events say how far the database must be read.
func open(payload []byte) live.Stretch[*model.Event] {
	var n news
	if json.Unmarshal(payload, &n) != nil {
		return live.Stretch[*model.Event]{Partial: true}
	}
	s := live.Stretch[*model.Event]{Behind: n.From - 1, To: n.To, Partial: len(n.Events) == 0}
	for _, text := range n.Events {
		e := new(model.Event)
		if json.Unmarshal(text, e) != nil {
			return live.Stretch[*model.Event]{Behind: s.Behind, To: s.To, Partial: true}
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}
