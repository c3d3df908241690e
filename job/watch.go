package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/live"
	"rostrum/model"
)

// Watch follows a job. Without after it gives the job as it is, as a SNAPSHOT, and then each event once and in order; with after it gives the
// events behind that position instead of a snapshot, or STALE and a SNAPSHOT when they are not kept or the job has not come so far. Behind
// the event that ends the job comes END, at the same position; like STALE and SNAPSHOT it is not stored. The channel is closed
// after END and when the context ends. A reader may be as slow as it likes. It fails with errs.NotFound when the workspace has no such job.
func (s *Service) Watch(ctx context.Context, workspaceID, jobID string, after *int) (<-chan *model.JobEvent, error) {
	reader := s.feeds.Enter(ctx, s.source(workspaceID, jobID))
	job, err := s.Get(ctx, workspaceID, jobID)
	if err == nil && job == nil {
		err = errMissing()
	}
	if err != nil {
		reader.Leave()
		return nil, err
	}
	return reader.Follow(ctx, begin(job, after)), nil
}

// begin is the place from which a job is followed.
func begin(job *model.Job, after *int) live.Place[*model.JobEvent] {
	at := live.Place[*model.JobEvent]{Seen: int64(job.Position), Behind: job.Ended()}
	switch {
	case after == nil:
		at.First = []*model.JobEvent{told(job, model.JobEventKindSnapshot)}
	case *after < 0 || *after > job.Position:
		at.First = stale(job)
	default:
		at.Seen, at.Behind = int64(*after), true
	}
	return at
}

// told is what is said of a job as it is, and not stored.
func told(job *model.Job, kind model.JobEventKind) *model.JobEvent {
	return &model.JobEvent{Position: job.Position, Kind: kind, Job: job}
}

func stale(job *model.Job) []*model.JobEvent {
	return []*model.JobEvent{told(job, model.JobEventKindStale), told(job, model.JobEventKindSnapshot)}
}

// ending adds that nothing follows where the job has ended.
func ending(events []*model.JobEvent, job *model.Job) []*model.JobEvent {
	if job.Ended() {
		events = append(events, told(job, model.JobEventKindEnd))
	}
	return events
}

// source is where the watchers of a job have its events from.
func (s *Service) source(workspaceID, jobID string) live.Source[*model.JobEvent] {
	return live.Source[*model.JobEvent]{
		Topic: jobTopic(jobID),
		Open:  func(payload []byte) live.Stretch[*model.JobEvent] { return open(workspaceID, payload) },
		Read: func(ctx context.Context, behind int64) (live.Stretch[*model.JobEvent], error) {
			return s.read(ctx, workspaceID, jobID, int(behind))
		},
		At:   func(e *model.JobEvent) int64 { return int64(e.Position) },
		Last: func(e *model.JobEvent) bool { return e.Kind == model.JobEventKindEnd },
	}
}

// open reads news. Those that do not carry the job say how far the database must be read.
func open(workspaceID string, payload []byte) live.Stretch[*model.JobEvent] {
	var n news
	if json.Unmarshal(payload, &n) != nil {
		return live.Stretch[*model.JobEvent]{Partial: true}
	}
	carried := live.Stretch[*model.JobEvent]{Behind: int64(n.Position) - 1, To: int64(n.Position)}
	event := n.event(workspaceID)
	if carried.Partial = event == nil; !carried.Partial {
		carried.Entries = ending([]*model.JobEvent{event}, event.Job)
	}
	return carried
}

// read gives what the database has behind a position; it fails with errs.NotFound when the job is no more.
func (s *Service) read(ctx context.Context, workspaceID, jobID string, behind int) (live.Stretch[*model.JobEvent], error) {
	found := live.Stretch[*model.JobEvent]{Behind: int64(behind), To: int64(behind)}
	head, err := s.Get(ctx, workspaceID, jobID, "position", "status")
	if err != nil || head != nil && head.Position == behind && !head.Ended() {
		return found, err
	}
	job, err := s.Get(ctx, workspaceID, jobID)
	if err == nil && job == nil {
		err = errMissing()
	}
	if err != nil {
		return found, err
	}
	events, complete, err := s.between(ctx, job, behind)
	switch {
	case err != nil:
		return found, err
	case !complete:
		events = stale(job)
	case len(events) > 0:
		found.To = int64(events[len(events)-1].Position)
		found.Partial = found.To < int64(job.Position)
	}
	if !complete {
		found.To = int64(job.Position)
	}
	if !found.Partial {
		events = ending(events, job)
	}
	found.Entries = events
	return found, nil
}

// pollInterval is how long followers wait for news before the database is read.
func (s *Service) pollInterval() time.Duration { return s.live.Pause(s.timing.check, s.timing.poll) }
