package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/dbx"
	"rostrum/live"
	"rostrum/model"
)

// feedOverlap is how far back a feed reads again, for changes that were committed late or by a clock that is behind.
const feedOverlap = 5 * time.Second

// feed follows all jobs of a workspace for one reader.
type feed struct {
	service     *Service
	workspaceID string
	news        *live.Subscription
	out         chan *model.Job
	since       time.Time      // changes before it have been given
	seen        map[string]int // the position that was given of each job that changed lately
	changed     map[string]time.Time
}

// WatchWorkspace gives each job of the workspace whenever it has changed, until the context ends. A reader that is slower
// than the changes gets a job's latest state and not each one between.
func (s *Service) WatchWorkspace(ctx context.Context, workspaceID string) (<-chan *model.Job, error) {
	f := &feed{
		service: s, workspaceID: workspaceID, news: s.live.Subscribe(workspaceTopic(workspaceID)), out: make(chan *model.Job),
		since: model.Now(), seen: map[string]int{}, changed: map[string]time.Time{},
	}
	var before []*model.Job
	if err := f.changes(ctx, &before); err != nil {
		f.news.Close()
		return nil, err
	}
	for _, job := range before {
		f.mark(job)
	}
	go f.follow(ctx)
	return f.out, nil
}

func (f *feed) follow(ctx context.Context) {
	defer close(f.out)
	defer f.news.Close()
	for f.listen(ctx) && f.read(ctx) {
	}
}

// listen passes news on until the database must be read; false ends the feed.
func (f *feed) listen(ctx context.Context) bool {
	return f.news.Listen(ctx, f.service.pollInterval(), func(payload []byte) (fits, goOn bool) { return f.take(ctx, payload) })
}

// take passes one piece of news on; it fits unless it does not carry the job.
func (f *feed) take(ctx context.Context, payload []byte) (fits, goOn bool) {
	var n news
	if json.Unmarshal(payload, &n) != nil {
		return false, true
	}
	event := n.event(f.workspaceID)
	if event == nil {
		return false, true
	}
	return true, f.emit(ctx, event.Job)
}

// read gives what the database says has changed lately and the reader does not have.
func (f *feed) read(ctx context.Context) bool {
	now := model.Now()
	var jobs []*model.Job
	if err := f.changes(ctx, &jobs); err != nil {
		return ctx.Err() == nil // the database is away: the next round asks again
	}
	for _, job := range jobs {
		if !f.emit(ctx, job) {
			return false
		}
	}
	f.since = now
	f.forget(now.Add(-2 * feedOverlap))
	return true
}

func (f *feed) changes(ctx context.Context, into *[]*model.Job) error {
	return dbx.Err(f.service.db.NewSelect().Model(into).
		Where("workspace_id = ? AND updated_at >= ?", f.workspaceID, f.since.Add(-feedOverlap)).Order("updated_at").Scan(ctx))
}

func (f *feed) emit(ctx context.Context, job *model.Job) bool {
	if job.Position <= f.seen[job.ID] {
		return true
	}
	select {
	case <-ctx.Done():
		return false
	case f.out <- job:
		f.mark(job)
		return true
	}
}

func (f *feed) mark(job *model.Job) {
	f.seen[job.ID], f.changed[job.ID] = job.Position, job.UpdatedAt
}

// forget drops what is too old to be read again.
func (f *feed) forget(before time.Time) {
	for id, at := range f.changed {
		if at.Before(before) {
			delete(f.seen, id)
			delete(f.changed, id)
		}
	}
}
