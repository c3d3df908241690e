package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

// lockWorkspace makes changes to a workspace's auto-tags, filters and hidden documents follow one another. It comes before any row that
// refers to the workspace is written, a new job's too: such a row holds the workspace by its foreign key, and two transactions that do and
// then want all of it wait for each other. Only a job that runs is locked before. It is an update that changes nothing, since one waits for other changes only: a selected lock
// would wait for every row that is being written with a foreign key to the workspace as well.
func (s *Service) lockWorkspace(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error) {
	w := new(model.Workspace)
	err := tx.NewUpdate().Model(w).Set("hidden_count = hidden_count").Where("id = ?", id).Returning("*").Scan(ctx)
	return w, dbx.Err(err)
}

func (s *Service) page(ctx context.Context, workspaceID string, w dbx.Window) ([]*model.AutoTag, error) {
	q := s.db.NewSelect().Model((*model.AutoTag)(nil)).Where("workspace_id = ? AND NOT manual", workspaceID)
	return dbx.Read[model.AutoTag](ctx, s.db, w.Apply(q))
}

func (s *Service) countTags(ctx context.Context, workspaceID string) (int, error) {
	n, err := s.db.NewSelect().Model((*model.AutoTag)(nil)).Where("workspace_id = ? AND NOT manual", workspaceID).Count(ctx)
	return int(n), dbx.Err(err)
}

func (s *Service) tagByID(ctx context.Context, db bun.IDB, workspaceID, id string) (*model.AutoTag, error) {
	t := new(model.AutoTag)
	err := db.NewSelect().Model(t).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return t, dbx.Err(err)
}

// forUpdate locks an auto-tag's row; manual says whether it must be a manual filter or must not.
func (s *Service) forUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string, manual bool) (*model.AutoTag, error) {
	t := new(model.AutoTag)
	q := tx.NewSelect().Model(t).Where("workspace_id = ? AND id = ? AND manual = ?", workspaceID, id, manual)
	return t, dbx.Err(s.db.Locked(q).Scan(ctx))
}

func (s *Service) tagsByID(ctx context.Context, db bun.IDB, workspaceID string, ids []string) ([]*model.AutoTag, error) {
	rows := []*model.AutoTag{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Order("name", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) insertTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	return taken(t.Name, insertAll(ctx, tx, []*model.AutoTag{t}))
}

// saveTag writes a tag, and its name and type where it has a value; a manual filter's value is its name.
func (s *Service) saveTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	_, err := tx.NewUpdate().Model(t).ExcludeColumn("id", "workspace_id", "manual", "created_at").WherePK().Exec(ctx)
	if err != nil {
		return taken(t.Name, dbx.Err(err))
	}
	q := tx.NewUpdate().Model((*model.AppliedAutoTag)(nil)).Set("name = ?", t.Name).Set("tag_type = ?", t.TagType).
		Where("workspace_id = ? AND auto_tag_id = ?", t.WorkspaceID, t.ID)
	if t.Manual {
		q = q.Set("extracted_value = ?", t.Name).Set("value_key = ?", t.NameKey)
	}
	_, err = q.Exec(ctx)
	return dbx.Err(err)
}

// taken says which name it is that another one has.
func taken(name string, err error) error {
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "another one is named %q", name)
	}
	return err
}

// deleteTag removes a tag with all that hangs on it; what it hides must have been shown before.
func deleteTag(ctx context.Context, tx dbx.Tx, t *model.AutoTag) error {
	if _, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ?", t.WorkspaceID, t.ID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	_, err := tx.NewDelete().Model(t).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// insertBatch is how many rows one statement inserts.
const insertBatch = 500

func insertAll[T any](ctx context.Context, tx dbx.Tx, rows []*T) error {
	for len(rows) > 0 {
		batch := rows[:min(len(rows), insertBatch)]
		if _, err := tx.NewInsert().Model(&batch).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		rows = rows[len(batch):]
	}
	return nil
}

func insertExamples(ctx context.Context, tx dbx.Tx, rows []*model.AutoTagExample) error {
	return insertAll(ctx, tx, rows)
}

// replaceExamples changes those of the definition; what people have corrected stays.
func replaceExamples(ctx context.Context, tx dbx.Tx, t *model.AutoTag, rows []*model.AutoTagExample) error {
	_, err := tx.NewDelete().Model((*model.AutoTagExample)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND source = ?", t.WorkspaceID, t.ID, model.TagSourceGiven).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	return insertExamples(ctx, tx, rows)
}

// learn takes a document as an example of a value; a document is one example of a tag at most, the latest.
func learn(ctx context.Context, tx dbx.Tx, e *model.AutoTagExample) error {
	_, err := tx.NewInsert().Model(e).On("CONFLICT (auto_tag_id, document_id) DO UPDATE").
		Set("value = EXCLUDED.value, snippet = EXCLUDED.snippet, source = EXCLUDED.source, added_by = EXCLUDED.added_by, added_at = EXCLUDED.added_at").
		Returning("id").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*model.AutoTag)(nil)).Set("revision = revision + 1").Where("id = ?", e.AutoTagID).Exec(ctx)
	return dbx.Err(err)
}

// exampleIn reads the example that a document is of a tag; nil when it is none.
func (s *Service) exampleIn(ctx context.Context, db bun.IDB, t *model.AutoTag, documentID string) (*model.AutoTagExample, error) {
	e := new(model.AutoTagExample)
	err := db.NewSelect().Model(e).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", t.WorkspaceID, t.ID, documentID).Scan(ctx)
	return dbx.OrNone(e, err)
}

// examplesOf reads the examples of tags, newest first.
func examplesOf(ctx context.Context, db bun.IDB, workspaceID string, tagIDs []string) (map[string][]*model.AutoTagExample, error) {
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

// standing are the tags that every ingested document is looked through for: enabled auto-tags and enabled manual filters.
func (s *Service) standing(ctx context.Context, db bun.IDB, workspaceID string) ([]string, error) {
	var ids []string
	filters := s.db.NewSelect().Model((*model.CommsFilter)(nil)).Column("auto_tag_id").Where("workspace_id = ? AND enabled", workspaceID)
	err := db.NewSelect().Model((*model.AutoTag)(nil)).Column("id").
		Where("workspace_id = ? AND (NOT manual AND enabled OR manual AND id IN (?))", workspaceID, filters).
		Order("name", "id").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// definitions reads auto-tags with all that a reader of documents needs to know of them, by name.
func (s *Service) definitions(ctx context.Context, workspaceID string, ids []string) ([]*definition, error) {
	rows, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	examples, err := examplesOf(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	tags := make([]*definition, len(rows))
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

func newDefinition(t *model.AutoTag, examples []*model.AutoTagExample) *definition {
	d := &definition{AutoTag: t, examples: examples[:min(len(examples), maxExamples)]}
	if len(d.examples) == 0 {
		return d
	}
	snippets := make([]string, len(d.examples))
	for i, e := range d.examples {
		snippets[i] = e.Snippet
		if t.Manual {
			e.Value = t.Name // which may have changed since
		}
	}
	d.index = text.NewIndex(snippets)
	return d
}

// maxKnown bounds how many values of an auto-tag are looked at for one that means the same.
const maxKnown = 200

// knownValues gives the values that auto-tags have in documents, most frequent first.
func (s *Service) knownValues(ctx context.Context, db bun.IDB, workspaceID string, tagIDs []string) (map[string][]string, error) {
	known := map[string][]string{}
	for _, id := range tagIDs {
		values, err := s.values(ctx, db, workspaceID, id, "", maxKnown)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			known[id] = append(known[id], v.Value)
		}
	}
	return known, nil
}

// values counts a tag's values, most frequent first. Those that differ in their spelling only are one.
func (s *Service) values(ctx context.Context, db bun.IDB, workspaceID, tagID, words string, limit int) ([]*model.FilterTagValue, error) {
	rows := []*model.FilterTagValue{}
	q := s.valuesLike(db, workspaceID, tagID, words).
		ColumnExpr("min(extracted_value) AS value, count(*) AS document_count").
		Group("value_key").OrderExpr("count(*) DESC, value_key").Limit(int64(limit))
	return rows, dbx.Err(q.Scan(ctx, &rows))
}

func (s *Service) valuesLike(db bun.IDB, workspaceID, tagID, words string) *bun.SelectQuery {
	q := db.NewSelect().Model((*model.AppliedAutoTag)(nil)).Where("workspace_id = ? AND auto_tag_id = ?", workspaceID, tagID)
	if key := keyOf(words); key != "" {
		q = q.Where("value_key LIKE ? ESCAPE '!'", "%"+literally.Replace(key)+"%")
	}
	return q
}

func (s *Service) countValues(ctx context.Context, workspaceID, tagID, words string) (int, error) {
	var n int
	err := s.valuesLike(s.db, workspaceID, tagID, words).ColumnExpr("count(DISTINCT value_key)").Scan(ctx, &n)
	return n, dbx.Err(err)
}
