package job

import (
	"context"
	"errors"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

// heldRuns holds this process's runs by job id. A run is added before it acquires its job, so that
// a cancellation always finds it. It counts as held once it has the job.
type heldRuns struct {
	mu   sync.Mutex
	runs map[*Run]string
}

func (h *heldRuns) addRun(run *Run, jobID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs[run] = jobID
}

func (h *heldRuns) removeRun(run *Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.runs, run)
}

// setJob marks the run as holder of its job.
func (h *heldRuns) setJob(run *Run, job *model.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	run.Job, run.percent, run.note = job, job.Progress, optional.ValueOr(job.Note, "")
}

func (h *heldRuns) listHeld() []*Run {
	h.mu.Lock()
	defer h.mu.Unlock()
	var held []*Run
	for run := range h.runs {
		if run.Job != nil {
			held = append(held, run)
		}
	}
	return held
}

// cancelJob cancels the contexts of the job's runs in this process.
func (h *heldRuns) cancelJob(jobID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for run, id := range h.runs {
		if id == jobID {
			run.cancel(ErrLost)
		}
	}
}

func (s *Service) leaseEnd() *time.Time {
	t := s.db.Now().Add(s.timing.lease)
	return &t
}

// renewLeases renews the leases of this process's runs. It cancels the runs that have lost theirs.
func (s *Service) renewLeases(ctx context.Context) error {
	unread := s.db.SyncClock(ctx)
	for _, run := range s.held.listHeld() {
		held, err := s.renewLease(ctx, run)
		if err != nil {
			return errors.Join(unread, err)
		}
		if !held {
			run.cancel(ErrLost)
		}
	}
	return unread
}

func (s *Service) renewLease(ctx context.Context, run *Run) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timing.renew)
	defer cancel()
	result, err := s.db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", s.leaseEnd()).
		Where("id = ? AND lease_token = ? AND status = ?", run.Job.ID, run.Job.LeaseToken, model.JobStatusRunning).
		Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}
