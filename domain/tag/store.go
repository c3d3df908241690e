package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

func (s *Service) tagByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.AutoTag, error) {
	t := new(model.AutoTag)
	err := db.NewSelect().Model(t).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return t, dbx.Err(err)
}

// lockTag locks and returns an auto-tag, or a manual filter's if manual is set. It returns
// errs.NotFound.
func (s *Service) lockTag(ctx context.Context, tx dbx.Tx, workspaceID, id string, manual bool) (*model.AutoTag, error) {
	t := new(model.AutoTag)
	q := tx.NewSelect().Model(t).Where("workspace_id = ? AND id = ? AND manual = ?", workspaceID, id, manual)
	return t, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

func (s *Service) tagsByID(ctx context.Context, db dbx.Reader, workspaceID string, ids []string) ([]*model.AutoTag,
	error) {
	rows := []*model.AutoTag{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).
		Order("name", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) insertTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	return nameConflict(t.Name, dbx.InsertRows(ctx, tx, []*model.AutoTag{t}))
}

// saveTag updates a tag, and its name and type in applied values. A manual filter's value is its
// name.
func (s *Service) saveTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	_, err := tx.NewUpdate().Model(t).ExcludeColumn("id", "workspace_id", "manual", "created_at").WherePK().Exec(ctx)
	if err != nil {
		return nameConflict(t.Name, dbx.Err(err))
	}
	q := tx.NewUpdate().Model((*model.AppliedAutoTag)(nil)).Set("name = ?", t.Name).Set("tag_type = ?", t.TagType).
		Where("workspace_id = ? AND auto_tag_id = ?", t.WorkspaceID, t.ID)
	if t.Manual {
		q = q.Set("extracted_value = ?", t.Name).Set("value_key = ?", t.NameKey)
	}
	_, err = q.Exec(ctx)
	return dbx.Err(err)
}

// nameConflict adds the taken name to a conflict error.
func nameConflict(name string, err error) error {
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "the name %q is taken", name)
	}
	return err
}

// deleteTag deletes a tag and its dependent rows; its hidden documents must be shown before.
func (s *Service) deleteTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	var documents []string
	if err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ?", t.WorkspaceID, t.ID).Returning("document_id").
		Scan(ctx, &documents); err != nil {
		return dbx.Err(err)
	}
	s.record(tx, t.WorkspaceID, documents)
	_, err := tx.NewDelete().Model(t).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// replaceExamples replaces the given examples of a tag; corrections are kept.
func replaceExamples(ctx context.Context, tx dbx.Tx, t *model.AutoTag, rows []*model.AutoTagExample) error {
	_, err := tx.NewDelete().Model((*model.AutoTagExample)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND source = ?", t.WorkspaceID, t.ID,
			model.AutoTagExampleSourceGiven).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	return dbx.InsertRows(ctx, tx, rows)
}

// saveExample stores a document as a tag's example and replaces an earlier one of the same
// document.
func saveExample(ctx context.Context, tx dbx.Tx, e *model.AutoTagExample) error {
	_, err := tx.NewInsert().Model(e).On("CONFLICT (auto_tag_id, document_id) DO UPDATE").
		Set("value = EXCLUDED.value, snippet = EXCLUDED.snippet, source = EXCLUDED.source, added_by = EXCLUDED.added_by, added_at = EXCLUDED.added_at").
		Returning("id").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*model.AutoTag)(nil)).Set("revision = revision + 1").Where("id = ?", e.AutoTagID).
		Exec(ctx)
	return dbx.Err(err)
}

// exampleOfDocument returns the example from a document; nil without one.
func (s *Service) exampleOfDocument(ctx context.Context, db dbx.Reader, t *model.AutoTag,
	documentID string) (*model.AutoTagExample, error) {
	e := new(model.AutoTagExample)
	err := db.NewSelect().Model(e).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", t.WorkspaceID, t.ID, documentID).Scan(ctx)
	return dbx.NilIfNotFound(e, err)
}

// examplesByTag returns the examples of tags, newest first.
func examplesByTag(ctx context.Context, db dbx.Reader, workspaceID string,
	tagIDs []string) (map[string][]*model.AutoTagExample, error) {
	out := map[string][]*model.AutoTagExample{}
	if len(tagIDs) == 0 {
		return out, nil
	}
	var rows []*model.AutoTagExample
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND auto_tag_id IN ?", workspaceID, bun.Tuple(tagIDs)).
		Order("added_at DESC", "id DESC").Scan(ctx)
	for _, e := range rows {
		out[e.AutoTagID] = append(out[e.AutoTagID], e)
	}
	return out, dbx.Err(err)
}

// enabledTagIDs returns the tags to read every ingested document for: enabled auto-tags and manual
// filters.
func (s *Service) enabledTagIDs(ctx context.Context, db dbx.Reader, workspaceID string) ([]string, error) {
	var ids []string
	filters := s.db.NewSelect().Model((*model.CommsFilter)(nil)).Column("auto_tag_id").
		Where("workspace_id = ? AND enabled", workspaceID)
	err := db.NewSelect().Model((*model.AutoTag)(nil)).Column("id").
		Where("workspace_id = ? AND (NOT manual AND enabled OR manual AND id IN (?))", workspaceID, filters).
		Order("name", "id").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// loadDefinitions returns auto-tags by name, with their examples and known values.
func (s *Service) loadDefinitions(ctx context.Context, workspaceID string, ids []string) ([]*tagDefinition, error) {
	rows, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	examples, err := examplesByTag(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	tags := make([]*tagDefinition, len(rows))
	for i, t := range rows {
		tags[i] = newDefinition(t, examples[t.ID])
	}
	known, err := s.knownValues(ctx, s.db, workspaceID, openIDs(tags))
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		t.known = known[t.ID]
	}
	return tags, nil
}

func newDefinition(t *model.AutoTag, examples []*model.AutoTagExample) *tagDefinition {
	d := &tagDefinition{AutoTag: t, examples: examples[:min(len(examples), maxExamples)]}
	if len(d.examples) == 0 {
		return d
	}
	snippets := make([]string, len(d.examples))
	for i, e := range d.examples {
		snippets[i] = e.Snippet
		if t.Manual {
			e.Value = t.Name // the name may have changed since
		}
	}
	d.index = text.NewIndex(snippets)
	return d
}

// maxKnownValues limits the values of an auto-tag that are compared for the same meaning.
const maxKnownValues = 200

// knownValues returns the values of auto-tags in documents, most frequent first.
func (s *Service) knownValues(ctx context.Context, db dbx.Reader, workspaceID string,
	tagIDs []string) (map[string][]string, error) {
	known := map[string][]string{}
	for _, id := range tagIDs {
		values, err := s.listValues(ctx, db, workspaceID, id, "", maxKnownValues)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			known[id] = append(known[id], v.Value)
		}
	}
	return known, nil
}

// listValues returns a tag's values with counts, most frequent first. Values with the same key are
// merged.
func (s *Service) listValues(ctx context.Context, db dbx.Reader, workspaceID, tagID, words string,
	limit int) ([]*model.FilterTagValue, error) {
	rows := []*model.FilterTagValue{}
	q := s.valuesLike(db, workspaceID, tagID, words).
		ColumnExpr("min(extracted_value) AS value, count(*) AS document_count").
		Group("value_key").OrderExpr("count(*) DESC, value_key").Limit(int64(limit))
	return rows, dbx.Err(q.Scan(ctx, &rows))
}

func (s *Service) valuesLike(db dbx.Reader, workspaceID, tagID, words string) *bun.SelectQuery {
	q := db.NewSelect().Model((*model.AppliedAutoTag)(nil)).Where("workspace_id = ? AND auto_tag_id = ?", workspaceID,
		tagID)
	if key := keyOf(words); key != "" {
		q = q.Where("value_key LIKE ? ESCAPE '!'", "%"+likeEscaper.Replace(key)+"%")
	}
	return q
}

func (s *Service) countValues(ctx context.Context, workspaceID, tagID, words string) (int, error) {
	var n int
	err := s.valuesLike(s.db, workspaceID, tagID, words).ColumnExpr("count(DISTINCT value_key)").Scan(ctx, &n)
	return n, dbx.Err(err)
}
