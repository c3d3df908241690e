package job

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"rostrum/dbx"
	"rostrum/model"
)

var runSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name: "rostrum_job_seconds", Help: "Runs of jobs by type and how they ended: completed, failed, cancelled, or retrying, which will run again.",
	Buckets: []float64{.05, .2, 1, 5, 20, 60, 300, 1800},
}, []string{"type", "outcome"})

// observeRun adds the end of a run that began at start to the metrics of its type.
func observeRun(jobType string, outcome model.JobStatus, start time.Time) {
	runSeconds.WithLabelValues(jobType, string(outcome)).Observe(time.Since(start).Seconds())
}

// maxCounted limits the open jobs that Open counts, so that a long queue costs no more.
const maxCounted = 10_000

// OpenJobs are the jobs of a type and a status that have not ended.
type OpenJobs struct {
	Type   string          `bun:"job_type"`
	Status model.JobStatus `bun:"status"`
	Count  int             `bun:"count"`
	Oldest time.Time       `bun:"oldest"` // when the first of them was created
}

// Open returns the jobs of all workspaces that have not ended, by type and status. It counts 10,000
// at most, in no order.
func (s *Service) Open(ctx context.Context) ([]*OpenJobs, error) {
	some := s.db.NewSelect().Model((*model.Job)(nil)).Column("job_type", "status", "created_at").
		Where("completed_at IS NULL").Limit(maxCounted)
	var found []*OpenJobs
	err := s.db.NewSelect().TableExpr("(?) AS open", some).Column("job_type", "status").
		ColumnExpr("count(*) AS count, min(created_at) AS oldest").Group("job_type", "status").Scan(ctx, &found)
	return found, dbx.Err(err)
}
