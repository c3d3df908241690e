package job

import (
	"context"
	"time"

	"rostrum/dbx"
)

// NamedTask is a queued task.
type NamedTask struct {
	Name string    `json:"name"`
	Ref  string    `json:"ref"`
	At   time.Time `json:"at"` // earliest start
}

// OpenTasks returns the tasks that have not ended, also those that a worker runs.
func OpenTasks(ctx context.Context, db dbx.Reader) ([]NamedTask, error) {
	tasks := []NamedTask{}
	err := db.NewSelect().Table("river_job").ColumnExpr("args ->> 'name' AS name").ColumnExpr("args ->> 'ref' AS ref").
		ColumnExpr("scheduled_at AS at").Where("kind = ? AND finalized_at IS NULL", taskKind).Order("id").Scan(ctx, &tasks)
	return tasks, dbx.Err(err)
}

// RestoreTasks queues tasks that OpenTasks returned, in one transaction.
func (s *Service) RestoreTasks(ctx context.Context, tasks []NamedTask) error {
	byName := map[string][]TaskArgs{}
	for _, task := range tasks {
		byName[task.Name] = append(byName[task.Name], TaskArgs{Ref: task.Ref, At: task.At})
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		for name, args := range byName {
			if err := s.EnqueueTasks(ctx, tx, name, args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetRows makes the jobs that have not ended wait for new rows of the queue, after they were stored
// in another database. Processes queue them again as those whose rows were lost.
func ForgetRows(ctx context.Context, tx dbx.Tx) error {
	_, err := tx.NewUpdate().Table("job").Set("queue_id = NULL").Where("queue_id IS NOT NULL").Exec(ctx)
	return dbx.Err(err)
}
