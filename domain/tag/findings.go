package tag

import (
	"context"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// tagPair identifies an auto-tag in a document.
type tagPair struct{ documentID, tagID string }

// findingRows are the rows that store findings.
type findingRows struct {
	applied []*model.AppliedAutoTag
	reviews []*model.AutoTagReview
	checks  []*tagCheck
}

// storeFindings stores findings. A value with enough confidence is applied, others are queued for
// review; a person's decisions stay. Newly hidden documents leave the list in the same transaction,
// which must not have locked a document yet. Deleted auto-tags and documents are skipped. It is
// idempotent.
func (s *Service) storeFindings(
	ctx context.Context, tx dbx.Tx, workspaceID string, tags []*tagDefinition, results []*documentFindings,
) (*hiddenChange, error) {
	if _, err := s.accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, err
	}
	tags, results, err := s.dropDeleted(ctx, tx, workspaceID, tags, results)
	if err != nil || len(tags) == 0 || len(results) == 0 {
		return &hiddenChange{}, err
	}
	documents := make([]string, len(results))
	for i, v := range results {
		documents[i] = v.documentID
	}
	decided, err := s.decidedPairs(ctx, tx, workspaceID, documents)
	if err != nil {
		return nil, err
	}
	known, err := s.knownValues(ctx, tx, workspaceID, openIDs(tags))
	if err != nil {
		return nil, err
	}
	k := newFindingRows(tags, results, decided, known)
	if err := deleteFindings(ctx, tx, workspaceID, documents, tagIDs(tags)); err != nil {
		return nil, err
	}
	if err := k.insertRows(ctx, tx); err != nil {
		return nil, err
	}
	return s.updateHidden(ctx, tx, workspaceID, documents)
}

// newFindingRows returns the rows for all findings. An open auto-tag's value gets the spelling that
// is in use.
func newFindingRows(tags []*tagDefinition, results []*documentFindings, decided map[tagPair]bool,
	known map[string][]string) *findingRows {
	k := &findingRows{}
	for _, v := range results {
		for _, t := range tags {
			k.checks = append(k.checks, newCheck(t.AutoTag, v.documentID))
			f := v.findingFor(t.ID)
			if f == nil || decided[tagPair{v.documentID, t.ID}] {
				continue
			}
			if len(choicesOf(t.AutoTag)) == 0 {
				known[t.ID] = reuseSpelling(t.TagType, known[t.ID], f)
			}
			k.addFinding(t.AutoTag, v, f)
		}
	}
	return k
}

func (v *documentFindings) findingFor(tagID string) *finding {
	i := slices.IndexFunc(v.findings, func(f finding) bool { return f.TagID == tagID })
	if i < 0 {
		return nil
	}
	f := v.findings[i]
	return &f
}

// reuseSpelling replaces a finding's value by a known equivalent one, or adds it to the known
// values.
func reuseSpelling(kind string, known []string, f *finding) []string {
	if same, ok := knownSpelling(kind, known, f.Value); ok {
		f.Value = same
		return known
	}
	return append(known, f.Value)
}

func (k *findingRows) addFinding(t *model.AutoTag, v *documentFindings, f *finding) {
	if f.Confidence < t.MinConfidence {
		k.reviews = append(k.reviews, &model.AutoTagReview{
			ID: model.NewID(model.ReviewPrefix), WorkspaceID: t.WorkspaceID, DocumentID: v.documentID, AutoTagID: t.ID,
			State: model.ReviewPending, ExtractedValue: f.Value, ConfidenceScore: &f.Confidence, Model: &v.model,
			Quote: f.Quote, Start: f.Start, End: f.End, ExampleID: f.ExampleID, Similarity: f.Similarity,
			CreatedAt: model.Now(),
		})
		return
	}
	row := newAppliedTag(t, v.documentID, f.Value, model.AutoTagSourceModel)
	row.ConfidenceScore, row.Model = &f.Confidence, &v.model
	row.Quote, row.Start, row.End, row.ExampleID, row.Similarity = f.Quote, f.Start, f.End, f.ExampleID, f.Similarity
	k.applied = append(k.applied, row)
}

func newAppliedTag(t *model.AutoTag, documentID, value string, source model.AutoTagSource) *model.AppliedAutoTag {
	now := model.Now()
	return &model.AppliedAutoTag{
		ID: model.NewID(model.AppliedPrefix), WorkspaceID: t.WorkspaceID, DocumentID: documentID, AutoTagID: t.ID,
		Name:    t.Name,
		TagType: &t.TagType, ExtractedValue: value, ValueKey: keyOf(value), CreatedAt: &now, Source: source,
	}
}

func (k *findingRows) insertRows(ctx context.Context, tx dbx.Tx) error {
	if err := dbx.InsertRows(ctx, tx, k.applied); err != nil {
		return err
	}
	if err := dbx.InsertRows(ctx, tx, k.reviews); err != nil {
		return err
	}
	return saveChecks(ctx, tx, k.checks)
}

// dropDeleted removes auto-tags and documents that were deleted since they were read.
func (s *Service) dropDeleted(
	ctx context.Context, tx dbx.Tx, workspaceID string, tags []*tagDefinition, results []*documentFindings,
) ([]*tagDefinition, []*documentFindings, error) {
	current, err := s.tagsByID(ctx, tx, workspaceID, tagIDs(tags))
	if err != nil {
		return nil, nil, err
	}
	existing, err := s.documentIDs(ctx, tx, workspaceID, results)
	if err != nil {
		return nil, nil, err
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(t *tagDefinition) bool {
		return !slices.ContainsFunc(current, func(n *model.AutoTag) bool { return n.ID == t.ID })
	})
	results = slices.DeleteFunc(slices.Clone(results),
		func(v *documentFindings) bool { return !existing[v.documentID] })
	return tags, results, nil
}

func tagIDs(tags []*tagDefinition) []string {
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.ID
	}
	return ids
}

// openIDs returns the ids of auto-tags without allowed values.
func openIDs(tags []*tagDefinition) []string {
	var ids []string
	for _, t := range tags {
		if len(choicesOf(t.AutoTag)) == 0 {
			ids = append(ids, t.ID)
		}
	}
	return ids
}
