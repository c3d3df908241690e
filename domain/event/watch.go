package event

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// Stale is the name of what a watcher is given, under the id that it asked behind, in place of events that are kept no longer.
const Stale = "stale"

// readAtOnce is how many events a watcher reads at a time.
const readAtOnce = 500

// watcher follows one workspace's feed for one reader.
type watcher struct {
	service     *Service
	workspaceID string
	types       []string
	news        *live.Subscription
	out         chan *model.Event
	seen        int64 // the position up to which the reader has everything
}

// Watch follows the workspace's feed until the context ends: each event that has one of the types, or any without types, once and in order.
// With after it begins behind that event, else with the next one that happens. Where events behind after are kept no longer it gives
// one named [Stale], and goes on with the oldest. A reader may be as slow as it likes. It fails with errs.ValidationFailed as Page does.
func (s *Service) Watch(ctx context.Context, workspaceID string, after *string, types []string) (<-chan *model.Event, error) {
	if err := checkTypes(types); err != nil {
		return nil, err
	}
	w := &watcher{
		service: s, workspaceID: workspaceID, types: types,
		news: s.live.Subscribe(topic(workspaceID)), out: make(chan *model.Event),
	}
	stale, err := w.begin(ctx, after)
	if err != nil {
		w.news.Close()
		return nil, err
	}
	go w.follow(ctx, stale)
	return w.out, nil
}

// begin finds the place to follow from, and what to say first when it is not the one that was asked for.
func (w *watcher) begin(ctx context.Context, after *string) (stale *model.Event, err error) {
	if after == nil {
		end, err := w.service.end(ctx, w.workspaceID)
		if err == nil {
			w.seen = end.Position
		}
		return nil, err
	}
	w.seen, err = w.service.place(ctx, w.workspaceID, *after)
	if !errs.Is(err, errs.CursorGone) {
		return nil, err
	}
	w.seen = 0
	return &model.Event{ID: *after, WorkspaceID: w.workspaceID, Event: Stale, Timestamp: model.Now()}, nil
}

func (w *watcher) follow(ctx context.Context, stale *model.Event) {
	defer close(w.out)
	defer w.news.Close()
	if stale != nil && !w.send(ctx, stale) {
		return
	}
	take := func(payload []byte) (fits, goOn bool) { return w.take(ctx, payload) }
	for w.read(ctx) && w.news.Listen(ctx, w.service.pollInterval(), take) {
	}
}

// read gives the reader what the database has behind what it has seen; false ends the watching.
func (w *watcher) read(ctx context.Context) bool {
	end, err := w.service.end(ctx, w.workspaceID)
	if err != nil {
		return ctx.Err() == nil // the database is away: the next round asks again
	}
	for w.seen < end.Position {
		events, err := w.service.between(ctx, w.workspaceID, w.seen, end.Position, w.types, readAtOnce)
		if err != nil {
			return ctx.Err() == nil
		}
		if !w.give(ctx, events) {
			return false
		}
		if len(events) < readAtOnce {
			w.seen = end.Position
		}
	}
	return true
}

// take passes one piece of news on. It fits when it was seen already or comes next; only then the database need not be read.
func (w *watcher) take(ctx context.Context, payload []byte) (fits, goOn bool) {
	var n news
	if json.Unmarshal(payload, &n) != nil {
		return false, true
	}
	if n.To <= w.seen {
		return true, true
	}
	events := n.open()
	if n.From > w.seen+1 || len(events) == 0 {
		return false, true
	}
	return true, w.give(ctx, events)
}

// give passes on the events that the reader has not seen and asks for.
func (w *watcher) give(ctx context.Context, events []*model.Event) bool {
	for _, e := range events {
		if e.Position <= w.seen {
			continue
		}
		if (len(w.types) == 0 || slices.Contains(w.types, e.Event)) && !w.send(ctx, e) {
			return false
		}
		w.seen = e.Position
	}
	return true
}

func (w *watcher) send(ctx context.Context, e *model.Event) bool {
	select {
	case <-ctx.Done():
		return false
	case w.out <- e:
		return true
	}
}

// pollInterval is how long a watcher waits for news before it reads the database.
func (s *Service) pollInterval() time.Duration {
	if s.live.Connected() {
		return s.timing.check
	}
	return s.timing.poll
}
