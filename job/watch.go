package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/live"
	"rostrum/model"
)

// watcher follows one job for one reader.
type watcher struct {
	service *Service
	base    *model.Job // for what does not change
	news    *live.Subscription
	out     chan *model.JobEvent
	seen    int // the position up to which the reader has everything
}

// Watch follows a job. Without after it gives the job as it is, as a SNAPSHOT, and then each event once and in order; with after it gives the
// events behind that position instead of a snapshot, or STALE and a SNAPSHOT when they are not kept or the job has not come so far. Behind
// the event that ends the job comes END, at the same position; like STALE and SNAPSHOT it is not stored. The channel is closed
// after END and when the context ends. A reader may be as slow as it likes. It fails with errs.NotFound when the workspace has no such job.
func (s *Service) Watch(ctx context.Context, workspaceID, jobID string, after *int) (<-chan *model.JobEvent, error) {
	w := &watcher{service: s, news: s.live.Subscribe(jobTopic(jobID)), out: make(chan *model.JobEvent)}
	job, err := s.Get(ctx, workspaceID, jobID)
	if err == nil && job == nil {
		err = errMissing()
	}
	if err != nil {
		w.news.Close()
		return nil, err
	}
	w.base = job
	go w.follow(ctx, after)
	return w.out, nil
}

func (w *watcher) follow(ctx context.Context, after *int) {
	defer close(w.out)
	defer w.news.Close()
	switch {
	case after == nil:
		if !w.snapshot(ctx, w.base) {
			return
		}
	case *after < 0 || *after > w.base.Position:
		if !w.stale(ctx, w.base) {
			return
		}
	default:
		w.seen = *after
	}
	for w.read(ctx) && w.listen(ctx) {
	}
}

// read gives the reader what the database has behind what it has seen; false ends the watching.
func (w *watcher) read(ctx context.Context) bool {
	head, err := w.service.Get(ctx, w.base.WorkspaceID, w.base.ID, "position", "status")
	if err != nil {
		return ctx.Err() == nil // the database is away: the next round asks again
	}
	if head == nil {
		return false
	}
	if head.Position == w.seen && !head.Ended() {
		return true
	}
	job, err := w.service.Get(ctx, w.base.WorkspaceID, w.base.ID)
	if err != nil || job == nil {
		return err != nil && ctx.Err() == nil
	}
	for w.seen < job.Position {
		events, complete, err := w.service.between(ctx, job, w.seen)
		switch {
		case err != nil:
			return ctx.Err() == nil
		case !complete && !w.stale(ctx, job), !w.emitAll(ctx, events):
			return false
		}
	}
	return !job.Ended() || w.end(ctx, job)
}

// listen passes news on until the database must be read; false ends the watching.
func (w *watcher) listen(ctx context.Context) bool {
	take := func(payload []byte) (fits, goOn bool) { return w.take(ctx, payload) }
	return w.news.Listen(ctx, w.service.pollInterval(), take)
}

// take passes one piece of news on. It fits when it was seen already or comes next; only then the database need not be read.
func (w *watcher) take(ctx context.Context, payload []byte) (fits, goOn bool) {
	var n news
	if json.Unmarshal(payload, &n) != nil {
		return false, true
	}
	if n.Position <= w.seen {
		return true, true
	}
	event := n.event(w.base.WorkspaceID)
	if n.Position != w.seen+1 || event == nil {
		return false, true
	}
	if !w.emit(ctx, event) {
		return true, false
	}
	return true, !event.Job.Ended() || w.end(ctx, event.Job)
}

func (w *watcher) stale(ctx context.Context, job *model.Job) bool {
	return w.emit(ctx, &model.JobEvent{Position: job.Position, Kind: model.JobEventKindStale, Job: job}) && w.snapshot(ctx, job)
}

func (w *watcher) snapshot(ctx context.Context, job *model.Job) bool {
	return w.emit(ctx, &model.JobEvent{Position: job.Position, Kind: model.JobEventKindSnapshot, Job: job})
}

// end says that nothing follows; it always ends the watching.
func (w *watcher) end(ctx context.Context, job *model.Job) bool {
	w.emit(ctx, &model.JobEvent{Position: job.Position, Kind: model.JobEventKindEnd, Job: job})
	return false
}

func (w *watcher) emitAll(ctx context.Context, events []*model.JobEvent) bool {
	for _, event := range events {
		if !w.emit(ctx, event) {
			return false
		}
	}
	return true
}

func (w *watcher) emit(ctx context.Context, event *model.JobEvent) bool {
	select {
	case <-ctx.Done():
		return false
	case w.out <- event:
		w.seen = event.Position
		return true
	}
}

// pollInterval is how long a follower waits for news before it reads the database.
func (s *Service) pollInterval() time.Duration {
	if s.live.Connected() {
		return s.timing.check
	}
	return s.timing.poll
}
