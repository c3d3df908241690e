package dbx

import "context"

// FlushFunc receives the values of a batch in the order in which they were added, before the
// commit. Its error rolls the transaction back.
type FlushFunc func(ctx context.Context, tx Tx, values []any) error

// commitBatches are the batches of a transaction, in the order of their first values.
type commitBatches struct {
	keys    []any
	batches map[any]*commitBatch
}

type commitBatch struct {
	values []any
	flush  FlushFunc
}

// BeforeCommit adds a value to the batch of key. The flush of the batch's first value receives all
// of them as the transaction's last work. Use it for a row that many transactions write, for
// example a counter, because the row is then locked last and briefly. flush must not call
// BeforeCommit.
func (tx Tx) BeforeCommit(key, value any, flush FlushFunc) {
	b := tx.before.batches[key]
	if b == nil {
		if b = (&commitBatch{flush: flush}); tx.before.batches == nil {
			tx.before.batches = map[any]*commitBatch{}
		}
		tx.before.keys, tx.before.batches[key] = append(tx.before.keys, key), b
	}
	b.values = append(b.values, value)
}

// BeforeOthers is BeforeCommit for a batch that is flushed before all others.
func (tx Tx) BeforeOthers(key, value any, flush FlushFunc) {
	isNew := tx.before.batches[key] == nil
	if tx.BeforeCommit(key, value, flush); isNew {
		keys := tx.before.keys
		tx.before.keys = append([]any{key}, keys[:len(keys)-1]...)
	}
}

func (c *commitBatches) flush(ctx context.Context, tx Tx) error {
	for _, key := range c.keys {
		b := c.batches[key]
		if err := b.flush(ctx, tx, b.values); err != nil {
			return err
		}
	}
	return nil
}
