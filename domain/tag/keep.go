package tag

import (
	"context"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// pair is an auto-tag in a document.
type pair struct{ documentID, tagID string }

// keeping is what is written of verdicts.
type keeping struct {
	applied []*model.AppliedAutoTag
	reviews []*model.AutoTagReview
	checks  []*check
}

// keep writes what was found: a sure value is applied, another waits for review, and what a person has decided stays. Documents
// that filters hide by it leave the list in the same transaction, which must not have locked a document yet. Auto-tags
// and documents that are gone meanwhile are left out. It may run again with the same verdicts.
func (s *Service) keep(ctx context.Context, tx dbx.Tx, workspaceID string, tags []*definition, verdicts []*verdict) (*change, error) {
	if _, err := s.lockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, err
	}
	tags, verdicts, err := s.present(ctx, tx, workspaceID, tags, verdicts)
	if err != nil || len(tags) == 0 || len(verdicts) == 0 {
		return &change{}, err
	}
	documents := make([]string, len(verdicts))
	for i, v := range verdicts {
		documents[i] = v.documentID
	}
	decided, err := s.decided(ctx, tx, workspaceID, documents)
	if err != nil {
		return nil, err
	}
	known, err := s.knownValues(ctx, tx, workspaceID, openIDs(tags))
	if err != nil {
		return nil, err
	}
	k := sift(tags, verdicts, decided, known)
	if err := forget(ctx, tx, workspaceID, documents, tagIDs(tags)); err != nil {
		return nil, err
	}
	if err := k.write(ctx, tx); err != nil {
		return nil, err
	}
	return s.refresh(ctx, tx, workspaceID, documents)
}

// sift decides what becomes of every finding. Values of auto-tags without a list are given in the spelling that is in use.
func sift(tags []*definition, verdicts []*verdict, decided map[pair]bool, known map[string][]string) *keeping {
	k := &keeping{}
	for _, v := range verdicts {
		for _, t := range tags {
			k.checks = append(k.checks, newCheck(t.AutoTag, v.documentID))
			f := v.of(t.ID)
			if f == nil || decided[pair{v.documentID, t.ID}] {
				continue
			}
			if len(choicesOf(t.AutoTag)) == 0 {
				known[t.ID] = reuse(t.TagType, known[t.ID], f)
			}
			k.add(t.AutoTag, v, f)
		}
	}
	return k
}

func (v *verdict) of(tagID string) *finding {
	i := slices.IndexFunc(v.found, func(f finding) bool { return f.TagID == tagID })
	if i < 0 {
		return nil
	}
	f := v.found[i]
	return &f
}

// reuse gives a finding a value that is in use already, where one means the same, and remembers a new one.
func reuse(kind string, known []string, f *finding) []string {
	if same, ok := reused(kind, known, f.Value); ok {
		f.Value = same
		return known
	}
	return append(known, f.Value)
}

func (k *keeping) add(t *model.AutoTag, v *verdict, f *finding) {
	if f.Confidence < t.MinConfidence {
		k.reviews = append(k.reviews, &model.AutoTagReview{
			ID: model.NewID(model.ReviewPrefix), WorkspaceID: t.WorkspaceID, DocumentID: v.documentID, AutoTagID: t.ID,
			State: model.ReviewPending, ExtractedValue: f.Value, ConfidenceScore: &f.Confidence, Model: &v.model,
			Quote: f.Quote, Start: f.Start, End: f.End, ExampleID: f.ExampleID, Similarity: f.Similarity, CreatedAt: model.Now(),
		})
		return
	}
	row := applied(t, v.documentID, f.Value, model.TagSourceModel)
	row.ConfidenceScore, row.Model = &f.Confidence, &v.model
	row.Quote, row.Start, row.End, row.ExampleID, row.Similarity = f.Quote, f.Start, f.End, f.ExampleID, f.Similarity
	k.applied = append(k.applied, row)
}

func applied(t *model.AutoTag, documentID, value, source string) *model.AppliedAutoTag {
	now := model.Now()
	return &model.AppliedAutoTag{
		ID: model.NewID(model.AppliedPrefix), WorkspaceID: t.WorkspaceID, DocumentID: documentID, AutoTagID: t.ID, Name: t.Name,
		TagType: &t.TagType, ExtractedValue: value, ValueKey: keyOf(value), CreatedAt: &now, Source: source,
	}
}

func (k *keeping) write(ctx context.Context, tx dbx.Tx) error {
	if err := insertAll(ctx, tx, k.applied); err != nil {
		return err
	}
	if err := insertAll(ctx, tx, k.reviews); err != nil {
		return err
	}
	return saveChecks(ctx, tx, k.checks)
}

// present leaves out what was deleted since it was read, and takes each auto-tag as it is now.
func (s *Service) present(
	ctx context.Context, tx dbx.Tx, workspaceID string, tags []*definition, verdicts []*verdict,
) ([]*definition, []*verdict, error) {
	now, err := s.tagsByID(ctx, tx, workspaceID, tagIDs(tags))
	if err != nil {
		return nil, nil, err
	}
	there, err := s.documentIDs(ctx, tx, workspaceID, verdicts)
	if err != nil {
		return nil, nil, err
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(t *definition) bool {
		return !slices.ContainsFunc(now, func(n *model.AutoTag) bool { return n.ID == t.ID })
	})
	verdicts = slices.DeleteFunc(slices.Clone(verdicts), func(v *verdict) bool { return !there[v.documentID] })
	return tags, verdicts, nil
}

func tagIDs(tags []*definition) []string {
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.ID
	}
	return ids
}

// openIDs are the auto-tags that may have any value.
func openIDs(tags []*definition) []string {
	var ids []string
	for _, t := range tags {
		if len(choicesOf(t.AutoTag)) == 0 {
			ids = append(ids, t.ID)
		}
	}
	return ids
}
