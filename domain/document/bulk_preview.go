package document

import (
	"context"
	"slices"

	"rostrum/model"
	"rostrum/model/optional"
)

const (
	// previewBatch is the number of documents that a preview reads at once.
	previewBatch = 500
	// previewSample is the number of documents whose changes a preview shows.
	previewSample = 10
)

// bulkColumns are the columns that a preview reads.
var bulkColumns = []string{"id", "workspace_id", "visibility", "embargoed_until", "company", "company_id", "executive",
	"executive_id", "communication_type", "extracted_date", "origins", "processing_status", "character_count"}

// previewBulk returns what the bulk update would change. It changes nothing.
func (s *Service) previewBulk(ctx context.Context, workspaceID string, request bulkRequest) (*model.BulkPreview, error) {
	preview := &model.BulkPreview{Fields: []model.BulkFieldCount{}, Sample: []model.BulkChangedDocument{},
		Skips: []model.BulkSkip{}}
	if err := s.resolveNames(ctx, workspaceID, request.values); err != nil {
		return nil, err
	}
	counts := map[previewField]int{}
	for ids := range slices.Chunk(request.ids, previewBatch) {
		docs, err := s.ByIDs(ctx, workspaceID, ids, bulkColumns...)
		if err != nil {
			return nil, err
		}
		byID := map[string]*model.Document{}
		for _, doc := range docs {
			byID[doc.ID] = doc
		}
		tags, err := s.previewTags(ctx, workspaceID, ids, request.values)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			previewDocument(ctx, preview, counts, request, id, byID[id], tags[id])
		}
	}
	preview.Fields = countFields(counts, request.values.AutoTagIDs())
	return preview, nil
}

// previewField is a field of documents, or an auto-tag.
type previewField struct {
	field     model.BulkField
	autoTagID string
}

// countFields returns the counts of a preview in the order in which it shows fields.
func countFields(counts map[previewField]int, tagIDs []string) []model.BulkFieldCount {
	fields := []model.BulkFieldCount{}
	for _, field := range bulkOrder {
		if n := counts[previewField{field: field}]; n > 0 {
			fields = append(fields, model.BulkFieldCount{Field: field, Count: n})
		}
	}
	for _, id := range tagIDs {
		if n := counts[previewField{model.BulkFieldAutoTag, id}]; n > 0 {
			fields = append(fields, model.BulkFieldCount{Field: model.BulkFieldAutoTag, AutoTagID: &id, Count: n})
		}
	}
	return fields
}

// previewTags returns what documents have of the auto-tags whose values would be set.
func (s *Service) previewTags(ctx context.Context, workspaceID string, documentIDs []string,
	v *model.BulkValues) (map[string][]model.AutoTagState, error) {
	if v == nil || len(v.AutoTagValues) == 0 {
		return nil, nil
	}
	return s.tagValues.States(ctx, s.db, workspaceID, documentIDs, v.AutoTagIDs())
}

// bulkOrder is the order in which a preview shows fields.
var bulkOrder = []model.BulkField{model.BulkFieldVisibility, model.BulkFieldEmbargoedUntil, model.BulkFieldCompany,
	model.BulkFieldExecutive, model.BulkFieldCommunicationType, model.BulkFieldExtractedDate}

// resolveNames replaces the names of values by those that the workspace has for the same company and
// executive, as an update does.
func (s *Service) resolveNames(ctx context.Context, workspaceID string, v *model.BulkValues) error {
	if v == nil || s.canonical == nil {
		return nil
	}
	resolve := func(kind model.PartyKind, name **string) error {
		if *name == nil {
			return nil
		}
		names, err := s.canonical(ctx, workspaceID, kind, **name)
		if err == nil {
			*name = &names[0]
		}
		return err
	}
	if err := resolve(model.PartyKindCompany, &v.CompanyName); err != nil {
		return err
	}
	return resolve(model.PartyKindExecutive, &v.ExecutiveName)
}

// previewDocument adds what would become of one document to the preview; doc is nil if there is
// none, and tags are what it has of the auto-tags whose values would be set.
func previewDocument(ctx context.Context, preview *model.BulkPreview, counts map[previewField]int,
	request bulkRequest, id string, doc *model.Document, tags []model.AutoTagState) {
	changes, reason := previewChanges(request, doc, tags)
	switch {
	case reason != nil:
		skip, _ := skipOf(ctx, id, reason)
		if preview.SkippedCount++; len(preview.Skips) < maxBulkSkips {
			preview.Skips = append(preview.Skips, skip)
		}
		return
	case request.values != nil && len(changes) == 0:
		preview.UnchangedCount++
		return
	}
	for _, change := range changes {
		counts[previewField{change.Field, optional.ValueOr(change.AutoTagID, "")}]++
	}
	if preview.ChangedCount++; len(preview.Sample) < previewSample {
		preview.Sample = append(preview.Sample, model.BulkChangedDocument{DocumentID: id, Changes: changes})
	}
}

// previewChanges returns the changes of fields of a document, or why it is left alone.
func previewChanges(request bulkRequest, doc *model.Document, tags []model.AutoTagState) ([]model.BulkFieldChange,
	error) {
	changes := []model.BulkFieldChange{}
	switch {
	case doc == nil:
		return nil, errBulkMissing
	case request.action == model.BulkActionDelete:
		return changes, nil
	case isIngesting(doc):
		return nil, errBulkIngesting
	case request.values == nil && optional.ValueOr(doc.CharacterCount, 0) == 0:
		return nil, errBulkNoText
	case request.values == nil:
		return changes, nil
	}
	before := snapshotOf(doc)
	if err := applyAttributes(doc, updateOf(request.values)); err != nil {
		return nil, err
	}
	after := snapshotOf(doc)
	after.CompanyID, after.ExecutiveID = nil, nil // the names are resolved, the ids are not
	fields := differingFields(before, after, bulkFields(request.values))
	slices.SortFunc(fields, func(a, b model.BulkField) int {
		return slices.Index(bulkOrder, a) - slices.Index(bulkOrder, b)
	})
	for _, field := range fields {
		changes = append(changes, model.BulkFieldChange{Field: field, Before: bulkText(before, field),
			After: bulkText(after, field)})
	}
	return append(changes, tagChanges(tags, request.values.AutoTagValues)...), nil
}

// tagChanges returns the changes of values of auto-tags, given what a document has of them.
func tagChanges(states []model.AutoTagState, values []model.BulkAutoTagValue) []model.BulkFieldChange {
	var changes []model.BulkFieldChange
	for i, v := range values {
		if before := states[i].Value(); !sameText(before, v.Value) {
			changes = append(changes, model.BulkFieldChange{Field: model.BulkFieldAutoTag, AutoTagID: &v.AutoTagID,
				Before: before, After: v.Value})
		}
	}
	return changes
}

// differingTags returns the auto-tags with different values.
func differingTags(before, after []model.AutoTagState) []string {
	var differing []string
	for i, of := range before {
		if !sameText(of.Value(), after[i].Value()) {
			differing = append(differing, of.AutoTagID)
		}
	}
	return differing
}

// isIngesting reports whether a job still fills in the document.
func isIngesting(doc *model.Document) bool {
	return doc.ProcessingStatus != nil && *doc.ProcessingStatus != model.ProcessingStatusFailed
}
