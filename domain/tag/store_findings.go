package tag

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// tagCheck records that a document was read, or is queued, for a revision of an auto-tag.
type tagCheck struct {
	bun.BaseModel `bun:"table:auto_tag_check"`

	AutoTagID   string          `bun:"auto_tag_id,pk"`
	DocumentID  string          `bun:"document_id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	Revision    int             `bun:"revision"` // of the auto-tag
	State       string          `bun:"state"`
	JobID       *string         `bun:"job_id"`
	Verdict     json.RawMessage `bun:"verdict,type:jsonb,nullzero"` // findings of a dry run that are not stored yet
}

// The states of a check.
const (
	checkQueued  = "queued"  // waits for a backfill
	checkDryRun  = "dry_run" // waits for a dry run, which stores nothing: still a candidate, but not queued twice
	checkPreview = "preview" // read by a dry run
	checkFailed  = "failed"  // a text model returned an error for the document; it is retried after all others
	checkDone    = "done"
)

func newCheck(t *model.AutoTag, documentID string) *tagCheck {
	return &tagCheck{AutoTagID: t.ID, DocumentID: documentID, WorkspaceID: t.WorkspaceID, Revision: t.Revision,
		State: checkDone}
}

// savedChecks limits the rows of one statement.
const savedChecks = 500

func saveChecks(ctx context.Context, tx dbx.Tx, rows []*tagCheck) error {
	for batch := range slices.Chunk(rows, savedChecks) {
		if err := saveBatch(ctx, tx, batch); err != nil {
			return err
		}
	}
	return nil
}

func saveBatch(ctx context.Context, tx dbx.Tx, rows []*tagCheck) error {
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (auto_tag_id, document_id) DO UPDATE").
		Set("revision = EXCLUDED.revision, state = EXCLUDED.state, job_id = EXCLUDED.job_id, verdict = EXCLUDED.verdict").Exec(ctx)
	return dbx.Err(err)
}

// documentIDs returns the ids of documents that still exist.
func (s *Service) documentIDs(ctx context.Context, tx dbx.Tx, workspaceID string,
	results []*documentFindings) (map[string]bool, error) {
	existing := map[string]bool{}
	if len(results) == 0 {
		return existing, nil
	}
	ids := make([]string, len(results))
	for i, v := range results {
		ids[i] = v.documentID
	}
	found, err := s.documents.FindByIDs(ctx, tx, workspaceID, ids, "id")
	for _, doc := range found {
		existing[doc.ID] = true
	}
	return existing, err
}

// decidedPairs returns the pairs that a person has decided on.
func (s *Service) decidedPairs(ctx context.Context, tx dbx.Tx, workspaceID string,
	documents []string) (map[tagPair]bool, error) {
	out := map[tagPair]bool{}
	var rows []*model.AppliedAutoTag
	err := tx.NewSelect().Model(&rows).Column("document_id", "auto_tag_id").
		Where("workspace_id = ? AND document_id IN ? AND source <> ?", workspaceID, bun.Tuple(documents),
			model.AutoTagSourceModel).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	for _, r := range rows {
		out[tagPair{r.DocumentID, r.AutoTagID}] = true
	}
	var rejected []*model.AutoTagReview
	err = tx.NewSelect().Model(&rejected).Column("document_id", "auto_tag_id").
		Where("workspace_id = ? AND document_id IN ? AND state = ?", workspaceID, bun.Tuple(documents),
			model.ReviewRejected).Scan(ctx)
	for _, r := range rejected {
		out[tagPair{r.DocumentID, r.AutoTagID}] = true
	}
	return out, dbx.Err(err)
}

// deleteFindings deletes the earlier findings of models.
func deleteFindings(ctx context.Context, tx dbx.Tx, workspaceID string, documents, tags []string) error {
	_, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND document_id IN ? AND auto_tag_id IN ? AND source = ?",
			workspaceID, bun.Tuple(documents), bun.Tuple(tags), model.AutoTagSourceModel).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewDelete().Model((*model.AutoTagReview)(nil)).
		Where("workspace_id = ? AND document_id IN ? AND auto_tag_id IN ? AND state = ?",
			workspaceID, bun.Tuple(documents), bun.Tuple(tags), model.ReviewPending).Exec(ctx)
	return dbx.Err(err)
}

func whereDocuments(q *bun.SelectQuery, documents []string) *bun.SelectQuery {
	if documents == nil {
		return q
	}
	return q.Where("document_id IN ?", bun.Tuple(documents))
}

// appliedValues returns the values of tags in some documents, or in all if documents is nil.
func (s *Service) appliedValues(
	ctx context.Context, tx dbx.Tx, workspaceID string, tagIDs, documents []string,
) ([]*model.AppliedAutoTag, error) {
	var rows []*model.AppliedAutoTag
	if len(tagIDs) == 0 {
		return nil, nil
	}
	q := tx.NewSelect().Model(&rows).Column("document_id", "auto_tag_id", "value_key").
		Where("workspace_id = ? AND auto_tag_id IN ?", workspaceID, bun.Tuple(tagIDs))
	return rows, dbx.Err(whereDocuments(q, documents).Scan(ctx))
}

func (s *Service) hiddenPairs(ctx context.Context, tx dbx.Tx, workspaceID string, documents []string) (map[tagPair]bool,
	error) {
	var rows []*model.HiddenDocument
	err := whereDocuments(tx.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID), documents).Scan(ctx)
	out := make(map[tagPair]bool, len(rows))
	for _, r := range rows {
		out[tagPair{r.DocumentID, r.AutoTagID}] = true
	}
	return out, dbx.Err(err)
}

func deletePairs(ctx context.Context, tx dbx.Tx, workspaceID string, pairs []tagPair) error {
	byTag := map[string][]string{}
	for _, p := range pairs {
		byTag[p.tagID] = append(byTag[p.tagID], p.documentID)
	}
	for tagID, documents := range byTag {
		_, err := tx.NewDelete().Model((*model.HiddenDocument)(nil)).
			Where("workspace_id = ? AND auto_tag_id = ? AND document_id IN ?", workspaceID, tagID,
				bun.Tuple(documents)).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}
