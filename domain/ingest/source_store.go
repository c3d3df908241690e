package ingest

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// insertSource stores a source; the workspace must be locked. It returns errs.Conflict at the limit
// of sources and for an address that the workspace has.
func insertSource(ctx context.Context, tx dbx.Tx, src *model.Source) error {
	n, err := tx.NewSelect().Model((*model.Source)(nil)).Where("workspace_id = ?", src.WorkspaceID).Count(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n >= maxSubscriptions {
		return errs.New(errs.Conflict, "the workspace has %d sources already; delete one first", maxSubscriptions)
	}
	_, err = tx.NewInsert().Model(src).Exec(ctx)
	return sourceErr(err)
}

// sourceErr names what is in conflict.
func sourceErr(err error) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "the workspace has a source with this address already")
	}
	return err
}

// lockSource returns a source and locks it for the transaction. It returns errs.NotFound for an
// unknown id.
func (s *Service) lockSource(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Source, error) {
	src := new(model.Source)
	err := s.db.ForUpdate(tx.NewSelect().Model(src).Where("workspace_id = ? AND id = ?", workspaceID, id)).Scan(ctx)
	return src, dbx.Err(err)
}

// saveSource stores all columns of a locked source.
func saveSource(ctx context.Context, tx dbx.Tx, src *model.Source) error {
	_, err := tx.NewUpdate().Model(src).WherePK().Where("workspace_id = ?", src.WorkspaceID).Exec(ctx)
	return sourceErr(err)
}

func deleteSource(ctx context.Context, tx dbx.Tx, src *model.Source) error {
	_, err := tx.NewDelete().Model(src).WherePK().Where("workspace_id = ?", src.WorkspaceID).Exec(ctx)
	return dbx.Err(err)
}

// whereDue selects the sources that are due and that no process polls.
func whereDue(q *bun.SelectQuery, now time.Time) *bun.SelectQuery {
	return q.Where("next_poll_at <= ?", now).Where("(lease_until IS NULL OR lease_until <= ?)", now)
}

// claimSource leases the source that is due for the longest time, without those of the busy
// workspaces. It returns nil if there is none.
func (s *Service) claimSource(ctx context.Context, busy []string) (*model.Source, error) {
	now := s.now()
	due := func(q *bun.SelectQuery) *bun.SelectQuery {
		if len(busy) > 0 {
			q = q.Where("workspace_id NOT IN (?)", bun.List(busy))
		}
		return whereDue(q, now)
	}
	// Reading first costs an idle file no lock of its writer.
	isDue, err := due(s.db.NewSelect().Model((*model.Source)(nil))).Exists(ctx)
	if err != nil || !isDue {
		return nil, dbx.Err(err)
	}
	var claimed []*model.Source
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		q := due(tx.NewSelect().Model(&claimed)).Order("next_poll_at", "id").Limit(1)
		if err := s.db.ForUpdateSkipLocked(q).Scan(ctx); err != nil || len(claimed) == 0 {
			return dbx.Err(err)
		}
		src := claimed[0]
		src.LeaseUntil, src.LeaseToken = new(now.Add(pollLease)), src.LeaseToken+1
		_, err := tx.NewUpdate().Model(src).Column("lease_until", "lease_token").WherePK().Exec(ctx)
		return dbx.Err(err)
	})
	if err != nil || len(claimed) == 0 {
		return nil, err
	}
	return claimed[0], nil
}

// lockLeased is lockSource for a poll. It returns errLeaseLost if the source was deleted, or if
// another poll has its lease.
func (s *Service) lockLeased(ctx context.Context, tx dbx.Tx, polled *model.Source) (*model.Source, error) {
	src, err := s.lockSource(ctx, tx, polled.WorkspaceID, polled.ID)
	if errs.Is(err, errs.NotFound) || err == nil && src.LeaseToken != polled.LeaseToken {
		return nil, errLeaseLost
	}
	return src, err
}

// endLeases ends all leases, for a process that alone owns its file: its predecessor has stopped.
func (s *Service) endLeases(ctx context.Context) error {
	_, err := s.db.NewUpdate().Model((*model.Source)(nil)).Set("lease_until = NULL").
		Where("lease_until IS NOT NULL").Exec(ctx)
	return dbx.Err(err)
}

// knownEntries returns the keys of all entries that a source had, those of the feed too.
func knownEntries(ctx context.Context, tx dbx.Tx, sourceID string) (map[string]bool, []*model.SourceEntry, error) {
	var rows []*model.SourceEntry
	err := tx.NewSelect().Model(&rows).Column("entry_key", "feed_key", "is_waiting").Where("source_id = ?", sourceID).
		Scan(ctx)
	known := make(map[string]bool, 2*len(rows))
	for _, row := range rows {
		known[row.Key] = true
		if row.FeedKey != "" {
			known[row.FeedKey] = true
		}
	}
	return known, rows, dbx.Err(err)
}

// nextWaiting returns the first entry that is to become a document, or nil.
func nextWaiting(ctx context.Context, tx dbx.Tx, sourceID string) (*model.SourceEntry, error) {
	entry := new(model.SourceEntry)
	err := tx.NewSelect().Model(entry).Where("source_id = ? AND is_waiting", sourceID).Order("position").Limit(1).
		Scan(ctx)
	return dbx.NilIfNotFound(entry, err)
}

func saveEntry(ctx context.Context, tx dbx.Tx, entry *model.SourceEntry) error {
	_, err := tx.NewUpdate().Model(entry).Column("is_waiting", "document_id").WherePK().Exec(ctx)
	return dbx.Err(err)
}

func deleteEntries(ctx context.Context, tx dbx.Tx, sourceID string, keys []string) error {
	_, err := tx.NewDelete().Model((*model.SourceEntry)(nil)).
		Where("source_id = ? AND entry_key IN (?)", sourceID, bun.List(keys)).Exec(ctx)
	return dbx.Err(err)
}

// sourceChoices are the filter and the orders of lists of sources.
var sourceChoices = dbx.Choices[model.Source, api.SourceFilter, model.SourceOrderField]{
	Filter: dbx.Filter[api.SourceFilter]{
		dbx.MatchParts(func(f *api.SourceFilter) *string { return f.Q.Value() }, "name", "url"),
		dbx.MatchValue("kind", func(f *api.SourceFilter) *model.SourceKind { return f.Kind.Value() }),
		dbx.MatchBy(func(f *api.SourceFilter) *bool { return f.IsPaused.Value() },
			func(q *bun.SelectQuery, paused bool) *bun.SelectQuery {
				return q.Where("(paused_reason IS NOT NULL) = ?", paused)
			}),
		dbx.MatchValue("is_failing", func(f *api.SourceFilter) *bool { return f.IsFailing.Value() }),
	},
	Orders: dbx.NewOrders[model.SourceOrderField, model.Source](map[model.SourceOrderField]string{
		model.SourceOrderFieldCreatedAt: "created_at", model.SourceOrderFieldName: "name",
		model.SourceOrderFieldLastPolledAt: "last_polled_at", model.SourceOrderFieldNextPollAt: "next_poll_at",
	}),
}

// Sources returns one page of the workspace's sources that match the filter, oldest first unless an
// order is given. If columns are named, it reads only these. It returns errs.ValidationFailed for
// invalid arguments.
func (s *Service) Sources(ctx context.Context, args model.PageArgs, filter *api.SourceFilter, order *model.SourceOrder,
	columns ...string) (*model.SourceConnection, error) {
	p := principal.Must(ctx)
	list, err := sourceChoices.Apply(dbx.List[model.Source]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:   func(row *model.Source) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}, filter, order)
	if err != nil {
		return nil, err
	}
	return list.Page(ctx, s.db, args)
}

// Source returns a source, or nil if the workspace has none with this id.
func (s *Service) Source(ctx context.Context, id string) (*model.Source, error) {
	src := new(model.Source)
	err := s.db.NewSelect().Model(src).
		Where("workspace_id = ? AND id = ?", principal.Must(ctx).WorkspaceID, id).Scan(ctx)
	return dbx.NilIfNotFound(src, err)
}

// SourcesByID returns the workspace's sources with the ids (see dbx.ByIDs).
func (s *Service) SourcesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Source, error) {
	return dbx.ByIDs[model.Source](ctx, s.db, workspaceID, ids, columns...)
}

// sourceByURL returns the workspace's source with the address, or nil.
func (s *Service) sourceByURL(ctx context.Context, workspaceID, address string) (*string, error) {
	src := new(model.Source)
	err := s.db.NewSelect().Model(src).Column("id").Where("workspace_id = ? AND url = ?", workspaceID, address).Scan(ctx)
	if found, err := dbx.NilIfNotFound(src, err); found == nil {
		return nil, err
	}
	return optional.NonEmpty(src.ID), nil
}
