package document

import (
	"context"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
)

// trialExpr is true for trial texts under the alias: texts under narrative test and texts by
// personas. The indexes document_trial, document_communication and document_attributed have the
// same expression.
const trialExpr = `(?.is_narrative_testing_upload IS TRUE OR replace(CAST(?.tags AS text), '"` + model.TagGenerated +
	`"', '') <> CAST(?.tags AS text))`

// Trial returns the condition that a document under the alias is a trial text.
func Trial(alias string) schema.QueryWithArgs {
	name := bun.Ident(alias)
	return bun.SafeQuery(trialExpr, name, name, name)
}

// ReadableBy returns the condition that a persona may have read the document under the alias: it is
// no trial text, and it is public or past its embargo, or internal and the persona may read
// internal texts. mayReadInternal is a bool or a condition. Every text given to a persona is
// selected by this condition, except the one that it is asked about.
func (s *Service) ReadableBy(alias string, mayReadInternal any) schema.QueryWithArgs {
	name := bun.Ident(alias)
	return bun.SafeQuery("(? OR ?.visibility = ? AND ?) AND NOT ?",
		visibility.Condition(alias, model.VisibilityPublic, s.db.Now()), name, model.VisibilityInternal,
		mayReadInternal, Trial(alias))
}

// ReadableByIDs returns the documents with the ids that a persona may have read, in no order. If
// columns are named, it reads only these.
func (s *Service) ReadableByIDs(ctx context.Context, workspaceID string, ids []string, mayReadInternal bool,
	columns ...string) ([]*model.Document, error) {
	rows := []*model.Document{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Column(columns...).Where("workspace_id = ? AND id IN ?", workspaceID,
		bun.Tuple(ids)).
		Where("?", s.ReadableBy("document", mayReadInternal)).Scan(ctx)
	return rows, dbx.Err(err)
}

// Visibilities returns the present visibility of each document.
func (s *Service) Visibilities(docs []*model.Document) []model.Visibility {
	now, out := s.db.Now(), make([]model.Visibility, len(docs))
	for i, doc := range docs {
		out[i] = visibility.Current(doc.Visibility, doc.EmbargoedUntil, now)
	}
	return out
}

// setVisibility sets the fields of a new document. Without a request's word the text's head decides,
// and else, when the document is stored, the workspace's default. It returns errs.ValidationFailed
// unless an embargo and its end are given together.
func (s *Service) setVisibility(doc *model.Document, in api.CreateDocumentInput, found TextAnalysis) error {
	change := visibility.Change{Visibility: in.Visibility, Until: in.EmbargoedUntil}
	change.SetOrigin(doc, model.AttributionOriginGiven)
	if err := change.Apply(&doc.Visibility, &doc.EmbargoedUntil, ""); err != nil {
		return err
	}
	if found.IsRestricted {
		visibility.Restrict(doc, found.RestrictedUntil, s.db.Now())
	}
	return nil
}

// setDefaultVisibility sets who may know a new document of which neither the request nor the text
// says it. An embargo that the text names is no reason to publish what a workspace keeps internal.
func setDefaultVisibility(doc *model.Document, byDefault model.Visibility) {
	isOfText := doc.Origins.Visibility.IsOfText() && byDefault == model.VisibilityInternal
	if doc.Visibility == "" || isOfText {
		doc.Visibility, doc.EmbargoedUntil = byDefault, nil
	}
}
