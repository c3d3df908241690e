package tag

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// check says that a document was looked through for an auto-tag as it was then, or is about to be.
type check struct {
	bun.BaseModel `bun:"table:auto_tag_check"`

	AutoTagID   string          `bun:"auto_tag_id,pk"`
	DocumentID  string          `bun:"document_id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	Revision    int             `bun:"revision"` // of the auto-tag
	State       string          `bun:"state"`
	JobID       *string         `bun:"job_id"`
	Verdict     json.RawMessage `bun:"verdict,type:jsonb,nullzero"` // of a look whose finding is not kept yet
}

// The states of a check.
const (
	checkQueued  = "queued"  // a backfill will look
	checkPreview = "preview" // a dry run has looked
	checkFailed  = "failed"  // a text model failed on the document, which is tried again after all others
	checkDone    = "done"
)

func newCheck(t *model.AutoTag, documentID string) *check {
	return &check{AutoTagID: t.ID, DocumentID: documentID, WorkspaceID: t.WorkspaceID, Revision: t.Revision, State: checkDone}
}

func saveChecks(ctx context.Context, tx dbx.Tx, rows []*check) error {
	for len(rows) > 0 {
		batch := rows[:min(len(rows), insertBatch)]
		_, err := tx.NewInsert().Model(&batch).On("CONFLICT (auto_tag_id, document_id) DO UPDATE").
			Set("revision = EXCLUDED.revision, state = EXCLUDED.state, job_id = EXCLUDED.job_id, verdict = EXCLUDED.verdict").Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		rows = rows[len(batch):]
	}
	return nil
}

// documentIDs tells which of the verdicts' documents are still there.
func (s *Service) documentIDs(ctx context.Context, tx dbx.Tx, workspaceID string, verdicts []*verdict) (map[string]bool, error) {
	there := map[string]bool{}
	if len(verdicts) == 0 {
		return there, nil
	}
	ids := make([]string, len(verdicts))
	for i, v := range verdicts {
		ids[i] = v.documentID
	}
	var found []string
	err := tx.NewSelect().Model((*model.Document)(nil)).Column("id").
		Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Scan(ctx, &found)
	for _, id := range found {
		there[id] = true
	}
	return there, dbx.Err(err)
}

// decided are the pairs of which a person has said what holds.
func (s *Service) decided(ctx context.Context, tx dbx.Tx, workspaceID string, documents []string) (map[pair]bool, error) {
	out := map[pair]bool{}
	var rows []*model.AppliedAutoTag
	err := tx.NewSelect().Model(&rows).Column("document_id", "auto_tag_id").
		Where("workspace_id = ? AND document_id IN ? AND source <> ?", workspaceID, bun.Tuple(documents), model.TagSourceModel).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	for _, r := range rows {
		out[pair{r.DocumentID, r.AutoTagID}] = true
	}
	var rejected []*model.AutoTagReview
	err = tx.NewSelect().Model(&rejected).Column("document_id", "auto_tag_id").
		Where("workspace_id = ? AND document_id IN ? AND state = ?", workspaceID, bun.Tuple(documents), model.ReviewRejected).Scan(ctx)
	for _, r := range rejected {
		out[pair{r.DocumentID, r.AutoTagID}] = true
	}
	return out, dbx.Err(err)
}

// forget removes what models said before.
func forget(ctx context.Context, tx dbx.Tx, workspaceID string, documents, tags []string) error {
	_, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND document_id IN ? AND auto_tag_id IN ? AND source = ?",
			workspaceID, bun.Tuple(documents), bun.Tuple(tags), model.TagSourceModel).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewDelete().Model((*model.AutoTagReview)(nil)).
		Where("workspace_id = ? AND document_id IN ? AND auto_tag_id IN ? AND state = ?",
			workspaceID, bun.Tuple(documents), bun.Tuple(tags), model.ReviewPending).Exec(ctx)
	return dbx.Err(err)
}

func among(q *bun.SelectQuery, documents []string) *bun.SelectQuery {
	if documents == nil {
		return q
	}
	return q.Where("document_id IN ?", bun.Tuple(documents))
}

// appliedValues reads which values tags have: in some documents, or in all when none is named.
func (s *Service) appliedValues(
	ctx context.Context, tx dbx.Tx, workspaceID string, tagIDs, documents []string,
) ([]*model.AppliedAutoTag, error) {
	var rows []*model.AppliedAutoTag
	if len(tagIDs) == 0 {
		return nil, nil
	}
	q := tx.NewSelect().Model(&rows).Column("document_id", "auto_tag_id", "value_key").
		Where("workspace_id = ? AND auto_tag_id IN ?", workspaceID, bun.Tuple(tagIDs))
	return rows, dbx.Err(among(q, documents).Scan(ctx))
}

func (s *Service) hiddenPairs(ctx context.Context, tx dbx.Tx, workspaceID string, documents []string) (map[pair]bool, error) {
	var rows []*model.HiddenDocument
	err := among(tx.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID), documents).Scan(ctx)
	out := make(map[pair]bool, len(rows))
	for _, r := range rows {
		out[pair{r.DocumentID, r.AutoTagID}] = true
	}
	return out, dbx.Err(err)
}

func dropPairs(ctx context.Context, tx dbx.Tx, workspaceID string, pairs []pair) error {
	byTag := map[string][]string{}
	for _, p := range pairs {
		byTag[p.tagID] = append(byTag[p.tagID], p.documentID)
	}
	for tagID, documents := range byTag {
		_, err := tx.NewDelete().Model((*model.HiddenDocument)(nil)).
			Where("workspace_id = ? AND auto_tag_id = ? AND document_id IN ?", workspaceID, tagID, bun.Tuple(documents)).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}
