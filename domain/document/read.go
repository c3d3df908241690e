package document

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// ByIDs reads the named columns (all when none is named) of the workspace's documents of these ids, in no order; ids that name none are
// left out.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error) {
	rows := []*model.Document{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Scan(ctx)
	return rows, dbx.Err(err)
}

// Mentioning reads the named columns of the workspace's documents whose title or text has any of the words, at most that many: those with all
// of the words first, and the latest ones first. What personas wrote is left out, so that nobody cites what was made up from the rest.
func (s *Service) Mentioning(ctx context.Context, workspaceID string, words []string, most int, columns ...string) ([]*model.Document, error) {
	if len(words) == 0 {
		return []*model.Document{}, nil
	}
	read := func(narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]*model.Document, error) {
		rows := []*model.Document{}
		q := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ?", workspaceID)
		q = s.db.Lacking(narrow(q), "tags", model.TagGenerated)
		err := q.Order("created_at DESC", "id DESC").Limit(int64(most)).Scan(ctx)
		return rows, dbx.Err(err)
	}
	rows, err := read(func(q *bun.SelectQuery) *bun.SelectQuery {
		return s.db.Matching(q, "document", strings.Join(words, " "))
	})
	if err != nil || len(rows) == most {
		return rows, err
	}
	some, err := read(func(q *bun.SelectQuery) *bun.SelectQuery { return s.db.MatchingAny(q, "document", words) })
	for _, doc := range some {
		again := slices.ContainsFunc(rows, func(row *model.Document) bool { return row.ID == doc.ID })
		if !again && len(rows) < most {
			rows = append(rows, doc)
		}
	}
	return rows, err
}

// Keep stores a text as the document of an id that the caller has made, in the caller's transaction; what is stored already stays.
func (s *Service) Keep(ctx context.Context, tx dbx.Tx, workspaceID, id string, in model.CreateDocumentInput) error {
	there, err := tx.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).Exists(ctx)
	if err != nil || there {
		return dbx.Err(err)
	}
	doc := s.fresh(workspaceID, in)
	doc.ID = id
	return s.Insert(ctx, tx, doc)
}
