package document_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/errs"
	"rostrum/model"
)

// facetBundle makes random changes of the documents and auto-tags of a workspace.
type facetBundle struct {
	*testBundle
	workspaceID string
	random      *rand.Rand
}

func newFacetBundle(t *testing.T, db *dbx.DB, workspaceID string, seed uint64) *facetBundle {
	t.Helper()
	b := &facetBundle{testBundle: setup(t, db, workspaceID), workspaceID: workspaceID,
		random: rand.New(rand.NewPCG(seed, 1))}
	b.Relate(document.Related{TagValues: func(workspaceID string) *bun.SelectQuery {
		return db.NewSelect().TableExpr("document_auto_tag").Column("document_id", "auto_tag_id", "value_key",
			"extracted_value").
			Where("workspace_id = ? AND coalesce(tag_type, '') <> ?", workspaceID, model.ContentFilter)
	}})
	return b
}

// with returns a copy with other random changes, for another goroutine.
func (b *facetBundle) with(seed uint64) *facetBundle {
	out := *b
	out.random = rand.New(rand.NewPCG(seed, 2))
	return &out
}

// pickName returns a name, an empty one, or nil. Some names differ only in case, and there are more
// than a facet has values.
func (b *facetBundle) pickName(kind string) *string {
	names := []*string{nil, ptr(""), ptr("Überland " + kind), ptr("überland " + kind), ptr("ACME " + kind),
		ptr("Acme " + kind), ptr("acme " + kind)}
	if i := b.random.IntN(40); i < len(names) {
		return names[i]
	}
	return ptr(fmt.Sprintf("%s %d", kind, b.random.IntN(25)))
}

func (b *facetBundle) pickStatus() *model.ProcessingStatus {
	all := []*model.ProcessingStatus{nil, nil, ptr(model.ProcessingStatusFailed), ptr(model.ProcessingStatusFetching),
		ptr(model.ProcessingStatusEnhancing)}
	return all[b.random.IntN(len(all))]
}

func (b *facetBundle) pickLabels() []string {
	return [][]string{{}, {}, {"a"}, {"a", model.TagGenerated}}[b.random.IntN(4)]
}

func (b *facetBundle) newDocument() *model.Document {
	now := model.Now()
	return &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: b.workspaceID, Title: "T",
		CommunicationType: b.pickName("type"), Company: b.pickName("company"),
		Executive: b.pickName("executive"), Language: b.pickName("language"), ProcessingStatus: b.pickStatus(),
		Tags:                     b.pickLabels(),
		IsNarrativeTestingUpload: []*bool{nil, nil, ptr(false), ptr(true)}[b.random.IntN(4)],
		Visibility:               model.VisibilityPublic, CreatedAt: now, UpdatedAt: now,
	}
}

// pickDocument returns the id of a document, or "" if there is none.
func (b *facetBundle) pickDocument() (id string, err error) {
	var ids []string
	err = b.db.NewSelect().Model((*model.Document)(nil)).Column("id").Where("workspace_id = ?", b.workspaceID).
		Order("id").Scan(b.ctx, &ids)
	if len(ids) > 0 {
		id = ids[b.random.IntN(len(ids))]
	}
	return id, err
}

// newValue returns the value of one of three auto-tags in a document.
func (b *facetBundle) newValue(documentID string) *model.AppliedAutoTag {
	value, now := *cmp.Or(b.pickName("value"), ptr("")), model.Now()
	return &model.AppliedAutoTag{
		ID: model.NewID("val"), WorkspaceID: b.workspaceID, DocumentID: documentID,
		AutoTagID: fmt.Sprintf("atg_%d", b.random.IntN(3)), Name: "n",
		TagType: b.pickType(), ExtractedValue: value, ValueKey: strings.ToLower(value), CreatedAt: &now,
	}
}

func (b *facetBundle) pickType() *string {
	return []*string{nil, ptr("topic"), ptr("topic"), ptr(model.ContentFilter)}[b.random.IntN(4)]
}

// facetStep is a random change. Its document is one that exists.
type facetStep func(b *facetBundle, documentID string) error

// singleSteps change one document, so concurrent steps cannot deadlock.
var singleSteps = map[string]facetStep{
	"create": func(b *facetBundle, _ string) error {
		return b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			return b.Insert(ctx, tx, b.newDocument())
		})
	},
	"amend": func(b *facetBundle, id string) error {
		next, column := b.newDocument(), b.random.IntN(8)
		return b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			_, err := b.Amend(ctx, tx, b.workspaceID, id, func(doc *model.Document) error {
				changeColumn(doc, next, column)
				return nil
			})
			return err
		})
	},
	"hide": func(b *facetBundle, id string) error {
		return b.update("document", "hidden = NOT hidden", "id = ?", id)
	},
	"add value": func(b *facetBundle, id string) error {
		_, err := b.db.NewInsert().Model(b.newValue(id)).On("CONFLICT (document_id, auto_tag_id) DO UPDATE").
			Set("extracted_value = EXCLUDED.extracted_value, value_key = EXCLUDED.value_key, tag_type = EXCLUDED.tag_type").Exec(b.ctx)
		return err
	},
	"change value": func(b *facetBundle, id string) error {
		v := b.newValue(id)
		return b.update("document_auto_tag", "extracted_value = ?, value_key = ?, tag_type = ?",
			"document_id = ? AND auto_tag_id = ?", v.ExtractedValue, v.ValueKey, v.TagType, id, v.AutoTagID)
	},
	"remove values": func(b *facetBundle, id string) error {
		_, err := b.db.NewDelete().Model((*model.AppliedAutoTag)(nil)).Where("document_id = ?", id).Exec(b.ctx)
		return err
	},
	"delete": func(b *facetBundle, id string) error {
		if b.random.IntN(3) > 0 { // else few documents are left
			return nil
		}
		_, err := b.Delete(b.ctx, id)
		return err
	},
}

// manySteps change many documents with one statement.
var manySteps = map[string]facetStep{
	"insert many": func(b *facetBundle, _ string) error {
		docs := []*model.Document{b.newDocument(), b.newDocument(), b.newDocument(), b.newDocument()}
		_, err := b.db.NewInsert().Model(&docs).Exec(b.ctx)
		return err
	},
	"add many values": func(b *facetBundle, _ string) error {
		var ids []string
		err := b.db.NewSelect().Model((*model.Document)(nil)).Column("id").Where("workspace_id = ?", b.workspaceID).
			Scan(b.ctx, &ids)
		if err != nil || len(ids) == 0 {
			return err
		}
		values := make([]*model.AppliedAutoTag, len(ids))
		for i, id := range ids {
			values[i] = b.newValue(id)
		}
		_, err = b.db.NewInsert().Model(&values).On("CONFLICT (document_id, auto_tag_id) DO NOTHING").Exec(b.ctx)
		return err
	},
	"hide many": func(b *facetBundle, _ string) error {
		return b.update("document", "hidden = NOT hidden", "workspace_id = ?", b.workspaceID)
	},
	"rename company": func(b *facetBundle, _ string) error {
		return b.update("document", "company = ?", "workspace_id = ? AND company = ?", b.pickName("company"),
			b.workspaceID, b.pickName("company"))
	},
	"change type": func(b *facetBundle, _ string) error {
		return b.update("document_auto_tag", "tag_type = ?", "workspace_id = ? AND auto_tag_id = ?", b.pickType(),
			b.workspaceID, "atg_1")
	},
	"delete auto-tag": func(b *facetBundle, _ string) error {
		_, err := b.db.NewDelete().Model((*model.AppliedAutoTag)(nil)).Where("workspace_id = ? AND auto_tag_id = ?",
			b.workspaceID, "atg_2").Exec(b.ctx)
		return err
	},
	"delete many": func(b *facetBundle, _ string) error {
		_, err := b.db.NewDelete().Model((*model.Document)(nil)).Where("workspace_id = ? AND language = ?",
			b.workspaceID, b.pickName("language")).Exec(b.ctx)
		return err
	},
	"fold": func(b *facetBundle, _ string) error {
		if err := b.FoldFacets(b.ctx, 1); err != nil {
			return err
		}
		if n, err := b.db.NewSelect().Table("document_facet").Where("NOT is_sum").Count(b.ctx); n != 0 || err != nil {
			return fmt.Errorf("%d changes are left (%w)", n, err)
		}
		return nil
	},
}

// changeColumn copies one of the columns that facets count.
func changeColumn(doc, next *model.Document, column int) {
	switch column {
	case 0:
		doc.CommunicationType = next.CommunicationType
	case 1:
		doc.Company = next.Company
	case 2:
		doc.Executive = next.Executive
	case 3:
		doc.Language = next.Language
	case 4:
		doc.ProcessingStatus = next.ProcessingStatus
	case 5:
		doc.Tags = next.Tags
	case 6:
		doc.IsNarrativeTestingUpload = next.IsNarrativeTestingUpload
	case 7:
		doc.Title += "." // which none counts
	}
}

// update runs an UPDATE with the arguments of the set and of the condition.
func (b *facetBundle) update(table, set, where string, args ...any) error {
	n := strings.Count(set, "?")
	_, err := b.db.NewUpdate().TableExpr(table).Set(set, append([]any(nil), args[:n]...)...).Where(where, args[n:]...).
		Exec(b.ctx)
	return err
}

// runStep runs a random change of the steps. It ignores that another goroutine has deleted the
// document.
func (b *facetBundle) runStep(steps map[string]facetStep) (name string, err error) {
	names := make([]string, 0, len(steps))
	for name := range steps {
		names = append(names, name)
	}
	slices.Sort(names)
	name = names[b.random.IntN(len(names))]
	step := steps[name]
	id, err := b.pickDocument()
	if id == "" {
		name, step = "create", singleSteps["create"]
	}
	if err == nil {
		if err = step(b, id); err != nil && strings.Contains(err.Error(), "deadlock detected") {
			err = step(b, id) // Postgres ended one of two transactions
		}
	}
	if err != nil && (errs.Is(err, errs.NotFound) || strings.Contains(strings.ToLower(err.Error()), "foreign key")) {
		err = nil
	}
	return name, err
}
