package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/model"
	"rostrum/platform/live"
)

// Watch returns a channel of a job's events. Without after it sends a SNAPSHOT of the job and then
// each event once, in order. With after it continues after that position; if this is not possible
// it sends STALE and a SNAPSHOT first. After the job's last event it sends END with the same
// position. END, STALE and SNAPSHOT are not stored. The channel is closed after END and when the
// context ends. A reader may be slow. It returns errs.NotFound if the workspace has no such job.
func (s *Service) Watch(ctx context.Context, workspaceID, jobID string, after *int) (<-chan *model.JobEvent, error) {
	reader := s.feeds.Join(ctx, s.eventSource(workspaceID, jobID))
	job, err := s.Get(ctx, workspaceID, jobID)
	if err == nil && job == nil {
		err = errMissing()
	}
	if err != nil {
		reader.Cancel()
		return nil, err
	}
	return reader.Start(ctx, startPosition(job, after)), nil
}

// startPosition returns where a subscriber starts.
func startPosition(job *model.Job, after *int) live.StartPosition[*model.JobEvent] {
	at := live.StartPosition[*model.JobEvent]{AfterPosition: int64(job.Position), HasMore: job.Ended()}
	switch {
	case after == nil:
		at.First = []*model.JobEvent{stateEvent(job, model.JobEventKindSnapshot)}
	case *after < 0 || *after > job.Position:
		at.First = staleEvents(job)
	default:
		at.AfterPosition, at.HasMore = int64(*after), true
	}
	return at
}

// stateEvent returns an event with the job's current state, which is not stored.
func stateEvent(job *model.Job, kind model.JobEventKind) *model.JobEvent {
	return &model.JobEvent{JobID: job.ID, Position: job.Position, Kind: kind, State: job}
}

func staleEvents(job *model.Job) []*model.JobEvent {
	return []*model.JobEvent{stateEvent(job, model.JobEventKindStale), stateEvent(job, model.JobEventKindSnapshot)}
}

// appendEnd adds an END event if the job has ended.
func appendEnd(events []*model.JobEvent, job *model.Job) []*model.JobEvent {
	if job.Ended() {
		events = append(events, stateEvent(job, model.JobEventKindEnd))
	}
	return events
}

// eventSource returns the feed's source of a job's events.
func (s *Service) eventSource(workspaceID, jobID string) live.FeedSource[*model.JobEvent] {
	return live.FeedSource[*model.JobEvent]{
		Topic:  jobTopic(jobID),
		Decode: func(payload []byte) live.Batch[*model.JobEvent] { return openNotification(workspaceID, payload) },
		Read: func(ctx context.Context, after int64) (live.Batch[*model.JobEvent], error) {
			return s.readEvents(ctx, workspaceID, jobID, int(after))
		},
		PositionOf: func(e *model.JobEvent) int64 { return int64(e.Position) },
		IsLast:     func(e *model.JobEvent) bool { return e.Kind == model.JobEventKindEnd },
	}
}

// openNotification decodes a notification. If it does not carry the job, the batch is partial:
// readers load the events up to its position from the database.
func openNotification(workspaceID string, payload []byte) live.Batch[*model.JobEvent] {
	var n jobNotification
	if json.Unmarshal(payload, &n) != nil {
		return live.Batch[*model.JobEvent]{Partial: true}
	}
	carried := live.Batch[*model.JobEvent]{AfterPosition: int64(n.Position) - 1, To: int64(n.Position)}
	event := n.rebuildEvent(workspaceID)
	if carried.Partial = event == nil; !carried.Partial {
		carried.Entries = appendEnd([]*model.JobEvent{event}, event.State)
	}
	return carried
}

// readEvents reads the events after a position from the database. It returns errs.NotFound if the
// job was deleted.
func (s *Service) readEvents(ctx context.Context, workspaceID, jobID string, after int) (live.Batch[*model.JobEvent],
	error) {
	found := live.Batch[*model.JobEvent]{AfterPosition: int64(after), To: int64(after)}
	head, err := s.Get(ctx, workspaceID, jobID, "position", "status")
	if err != nil || head != nil && head.Position == after && !head.Ended() {
		return found, err
	}
	job, err := s.Get(ctx, workspaceID, jobID)
	if err == nil && job == nil {
		err = errMissing()
	}
	if err != nil {
		return found, err
	}
	events, complete, err := s.eventsBetween(ctx, job, after)
	switch {
	case err != nil:
		return found, err
	case !complete:
		events = staleEvents(job)
	case len(events) > 0:
		found.To = int64(events[len(events)-1].Position)
		found.Partial = found.To < int64(job.Position)
	}
	if !complete {
		found.To = int64(job.Position)
	}
	if !found.Partial {
		events = appendEnd(events, job)
	}
	found.Entries = events
	return found, nil
}

// pollInterval returns how long subscribers wait for a notification before they read the database.
func (s *Service) pollInterval() time.Duration {
	return s.live.PollInterval(s.timing.check, s.timing.poll)
}
