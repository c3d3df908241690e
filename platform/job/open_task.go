package job

import (
	"context"
	"encoding/json"
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
	var rows []struct {
		Args        string
		ScheduledAt time.Time
	}
	err := db.NewSelect().Table("river_job").ColumnExpr("CAST(args AS text) AS args").Column("scheduled_at").
		Where("kind = ? AND finalized_at IS NULL", taskKind).Order("id").Scan(ctx, &rows)
	if err != nil {
		return nil, dbx.Err(err)
	}
	tasks := make([]NamedTask, len(rows))
	for i, row := range rows {
		var args riverTask
		if err := json.Unmarshal([]byte(row.Args), &args); err != nil {
			return nil, err
		}
		tasks[i] = NamedTask{args.Name, args.Ref, row.ScheduledAt}
	}
	return tasks, nil
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
