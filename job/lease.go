package job

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// holdings are the runs of this process, each under its job's id. A run is added before it takes its job, so that a
// cancellation finds it at any time; it counts as held once it has.
type holdings struct {
	mu   sync.Mutex
	runs map[*Run]string
}

func (h *holdings) add(run *Run, jobID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs[run] = jobID
}

func (h *holdings) remove(run *Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.runs, run)
}

// took notes that the run has its job.
func (h *holdings) took(run *Run, job *model.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	run.Job, run.percent, run.note = job, job.Progress, model.ValueOr(job.Note, "")
}

func (h *holdings) all() []*Run {
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

// drop ends the context of the job's runs in this process.
func (h *holdings) drop(jobID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for run, id := range h.runs {
		if id == jobID {
			run.cancel(ErrLost)
		}
	}
}

func (s *Service) leaseEnd() *time.Time {
	t := model.Now().Add(s.timing.lease)
	return &t
}

// renew prolongs the leases of this process's runs, and ends the context of those that have lost theirs.
func (s *Service) renew(ctx context.Context) {
	for _, run := range s.held.all() {
		held, err := s.prolong(ctx, run)
		if err != nil {
			report(ctx, "renew a job's lease", err)
			return
		}
		if !held {
			run.cancel(ErrLost)
		}
	}
}

func (s *Service) prolong(ctx context.Context, run *Run) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timing.renew)
	defer cancel()
	result, err := s.db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", s.leaseEnd()).
		Where("id = ? AND lease_token = ? AND status = ?", run.Job.ID, run.Job.LeaseToken, model.JobStatusRunning).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}

// report logs the failure of what runs in the background and comes round again; one that the end of the process causes is none.
func report(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "could not "+what, "error", err)
	}
}
