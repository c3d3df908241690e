package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"rostrum/test/kit/process"
)

// watcher follows the workspace's events and resumes after the last id that it received, at a
// random gateway, whenever its stream ends.
type watcher struct {
	load   *load
	stream eventStream
	ended  chan struct{}
	mu     sync.Mutex
	ids    []string
}

// startWatchers opens the link once, so that there is a first event, and starts watchers after it.
func (l *load) startWatchers(count int) error {
	first, err := l.awaitFirstEvent()
	if err != nil {
		return err
	}
	for i := range count {
		w := &watcher{load: l, stream: eventStreams[i%len(eventStreams)], ended: make(chan struct{}),
			ids: []string{first}}
		l.watchers = append(l.watchers, w)
		go w.run()
	}
	return nil
}

func (l *load) awaitFirstEvent() (string, error) {
	l.openLink()
	for deadline := time.Now().Add(process.ReadyTimeout); time.Now().
		Before(deadline); time.Sleep(100 * time.Millisecond) {
		ids, err := l.readEvents(l.context, "")
		if err != nil {
			return "", err
		}
		if len(ids) > 0 {
			return ids[0], nil
		}
	}
	return "", errors.New("an opened link has no event")
}

// readEvents returns the ids of all events after the given one.
func (l *load) readEvents(ctx context.Context, after string) ([]string, error) {
	var ids []string
	for {
		var page struct {
			Events     []struct{ ID string }
			NextCursor string `json:"next_cursor"`
		}
		path := "/api/v1/events?first=100"
		if after != "" {
			path += "&after=" + after
		}
		if err := l.getJSON(ctx, path, &page); err != nil {
			return nil, err
		}
		for _, e := range page.Events {
			ids = append(ids, e.ID)
		}
		if len(page.Events) == 0 || page.Events[len(page.Events)-1].ID == after {
			return ids, nil
		}
		after = page.Events[len(page.Events)-1].ID
	}
}

func (w *watcher) run() {
	defer close(w.ended)
	for w.load.context.Err() == nil {
		w.follow()
		time.Sleep(rand.N(500 * time.Millisecond))
	}
}

// follow reads one stream until it ends; a stream is also dropped after a random time, as networks
// do.
func (w *watcher) follow() {
	ctx, cancel := context.WithTimeout(w.load.context, 5*time.Second+rand.N(time.Minute))
	defer cancel()
	w.stream(w.load, ctx, w.load.gateways[rand.N(len(w.load.gateways))], w.last(), w.addID)
}

func (w *watcher) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ids[len(w.ids)-1]
}

func (w *watcher) addID(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids = append(w.ids, id)
}

// compare returns a description of the first difference between the received ids and all ids, and
// how many are missing and repeated.
func (w *watcher) compare(all []string) (missing, repeated int, difference string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[string]int{}
	for _, id := range w.ids {
		seen[id]++
	}
	for _, id := range all {
		if seen[id] == 0 {
			missing++
		} else if seen[id] > 1 {
			repeated++
		}
	}
	for i, id := range all {
		if i >= len(w.ids) || w.ids[i] != id {
			return missing, repeated, fmt.Sprintf("event %d of %d is %s", i, len(all), id)
		}
	}
	return missing, repeated, ""
}
