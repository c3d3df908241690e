package tag

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// maxBulkTags is the maximum number of auto-tags whose values a bulk update sets.
const maxBulkTags = 20

// errChangedSince is the reason why values of a bulk update are not taken back.
var errChangedSince = errs.New(errs.Conflict, "a value of an auto-tag was changed after the update")

// CheckValues returns the values that a bulk update sets, as they are stored. It returns
// errs.ValidationFailed naming every unknown auto-tag and every value that its auto-tag cannot have.
func (s *Service) CheckValues(ctx context.Context, workspaceID string,
	given []*api.BulkAutoTagValueInput) ([]model.BulkAutoTagValue, error) {
	if len(given) > maxBulkTags {
		return nil, errs.Invalid(errs.BodyField("too_long", "must have at most 20 values", "set", "autoTagValues"))
	}
	ids := make([]string, len(given))
	for i, v := range given {
		ids[i] = v.AutoTagID
	}
	tags, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	values := make([]model.BulkAutoTagValue, len(given))
	var invalid errs.FieldErrors
	for i, v := range given {
		field, reason := "autoTagId", ""
		of := slices.IndexFunc(tags, func(t *model.AutoTag) bool { return t.ID == v.AutoTagID && !t.Manual })
		switch {
		case of < 0:
			reason = "is not an auto-tag of this workspace"
		case slices.Contains(ids[:i], v.AutoTagID):
			reason = "is given twice"
		case !v.Value.IsSet():
			field, reason = "value", "is required: null removes the value"
		default:
			field = "value"
			values[i].AutoTagID = v.AutoTagID
			values[i].Value, reason = storedValue(tags[of], v.Value.Value())
		}
		if reason != "" {
			invalid.Body("value_error", reason, "set", "autoTagValues", i, field)
		}
	}
	return values, invalid.Err()
}

// storedValue returns a value as the auto-tag stores it, or the reason why it cannot; nil is none.
func storedValue(t *model.AutoTag, said *string) (*string, string) {
	if said == nil {
		return nil, ""
	}
	if strings.TrimSpace(*said) == "" {
		return nil, "must not be blank: null removes the value"
	}
	value, reason := readValue(t, *said)
	if reason == notAllowed {
		reason = "is not an allowed value of the auto-tag"
	}
	return &value, reason
}

// States returns what documents have of auto-tags: one state for each pair, in the order of the
// auto-tags.
func (s *Service) States(ctx context.Context, db dbx.Reader, workspaceID string, documentIDs,
	tagIDs []string) (map[string][]model.AutoTagState, error) {
	var applied []*model.AppliedAutoTag
	var reviews []*model.AutoTagReview
	for _, rows := range []any{&applied, &reviews} {
		err := db.NewSelect().Model(rows).Where("workspace_id = ? AND document_id IN ? AND auto_tag_id IN ?", workspaceID,
			bun.Tuple(documentIDs), bun.Tuple(tagIDs)).Scan(ctx)
		if err != nil {
			return nil, dbx.Err(err)
		}
	}
	states := map[string][]model.AutoTagState{}
	for _, documentID := range documentIDs {
		for _, id := range tagIDs {
			states[documentID] = append(states[documentID], model.AutoTagState{AutoTagID: id})
		}
	}
	for _, row := range applied {
		states[row.DocumentID][slices.Index(tagIDs, row.AutoTagID)].Applied = row
	}
	for _, row := range reviews {
		states[row.DocumentID][slices.Index(tagIDs, row.AutoTagID)].Review = row
	}
	return states, nil
}

// SetValues sets and removes values in a document, which the caller's transaction must not have
// locked yet. It returns what the document had and has of the auto-tags. It returns errs.NotFound for
// an unknown document, and errs.InvalidState for an auto-tag that was deleted meanwhile.
func (s *Service) SetValues(ctx context.Context, tx dbx.Tx, workspaceID, documentID string,
	values []model.BulkAutoTagValue) (before, after []model.AutoTagState, err error) {
	if _, err := s.accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, nil, err
	}
	doc, err := s.documentByID(ctx, tx, workspaceID, documentID)
	if err != nil {
		return nil, nil, err
	}
	ids := (&model.BulkValues{AutoTagValues: values}).AutoTagIDs()
	states, err := s.States(ctx, tx, workspaceID, []string{documentID}, ids)
	if err != nil {
		return nil, nil, err
	}
	before = states[documentID]
	for i, v := range values {
		state, err := s.setValue(ctx, tx, doc, before[i], v)
		if err != nil {
			return nil, nil, err
		}
		after = append(after, state)
	}
	_, err = s.updateHidden(ctx, tx, workspaceID, []string{documentID})
	return before, after, err
}

// setValue stores a value that the document does not have yet, or a rejection in the place of the
// one that it has.
func (s *Service) setValue(ctx context.Context, tx dbx.Tx, doc *model.Document, state model.AutoTagState,
	v model.BulkAutoTagValue) (model.AutoTagState, error) {
	if optional.ValueOr(state.Value(), "") == optional.ValueOr(v.Value, "") {
		return state, nil
	}
	t, err := s.tagByID(ctx, tx, doc.WorkspaceID, v.AutoTagID)
	if errs.Is(err, errs.NotFound) {
		err = errs.New(errs.InvalidState, "the auto-tag %s was deleted", v.AutoTagID)
	}
	if err != nil {
		return state, err
	}
	next := model.AutoTagState{AutoTagID: t.ID}
	if v.Value == nil {
		next.Review = newRejection(t, doc.ID)
		return next, s.replaceState(ctx, tx, t, doc.ID, next)
	}
	value, reason := storedValue(t, v.Value)
	if reason != "" {
		return state, errs.New(errs.InvalidState, "%q %s", *v.Value, reason)
	}
	c := &decision{tag: t, document: doc, row: newAppliedTag(t, doc.ID, *value, model.AutoTagSourceCorrection)}
	c.replaceValue(*value)
	next.Applied = c.row
	return next, s.replaceState(ctx, tx, t, doc.ID, next)
}

// replaceState stores what a document has of an auto-tag.
func (s *Service) replaceState(ctx context.Context, tx dbx.Tx, t *model.AutoTag, documentID string,
	state model.AutoTagState) error {
	if err := deleteReview(ctx, tx, t.WorkspaceID, t.ID, documentID); err != nil {
		return err
	}
	if err := deleteApplied(ctx, tx, t.WorkspaceID, t.ID, documentID); err != nil {
		return err
	}
	if state.Review != nil {
		if err := dbx.InsertRows(ctx, tx, []*model.AutoTagReview{state.Review}); err != nil {
			return err
		}
	}
	if state.Applied == nil {
		return nil
	}
	return dbx.InsertRows(ctx, tx, []*model.AppliedAutoTag{state.Applied})
}

// RestoreValues gives a document back what it had of auto-tags before SetValues. It returns
// errs.Conflict if a value was changed since. The values of an auto-tag that was deleted since stay
// deleted. The caller's transaction must not have locked the document yet.
func (s *Service) RestoreValues(ctx context.Context, tx dbx.Tx, workspaceID, documentID string, before,
	after []model.AutoTagState) error {
	if _, err := s.accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return err
	}
	ids := make([]string, len(before))
	for i, state := range before {
		ids[i] = state.AutoTagID
	}
	tags, err := s.tagsByID(ctx, tx, workspaceID, ids)
	if err != nil {
		return err
	}
	states, err := s.States(ctx, tx, workspaceID, []string{documentID}, ids)
	if err != nil {
		return err
	}
	for i, now := range states[documentID] {
		of := slices.IndexFunc(tags, func(t *model.AutoTag) bool { return t.ID == before[i].AutoTagID })
		if of < 0 {
			continue
		}
		if !isSameState(now, after[i]) {
			return errChangedSince
		}
		if isSameState(before[i], after[i]) {
			continue
		}
		if err := s.restoreState(ctx, tx, tags[of], documentID, before[i]); err != nil {
			return err
		}
	}
	_, err = s.updateHidden(ctx, tx, workspaceID, []string{documentID})
	return err
}

// restoreState stores a former state with the present name and type of the auto-tag.
func (s *Service) restoreState(ctx context.Context, tx dbx.Tx, t *model.AutoTag, documentID string,
	state model.AutoTagState) error {
	if state.Applied != nil {
		state.Applied.Name, state.Applied.TagType = t.Name, &t.TagType
	}
	return s.replaceState(ctx, tx, t, documentID, state)
}

// isSameState reports whether the values were stored by the same decision.
func isSameState(a, b model.AutoTagState) bool {
	if a.Applied == nil || b.Applied == nil {
		return a.Applied == b.Applied
	}
	return a.Applied.ID == b.Applied.ID && a.Applied.ExtractedValue == b.Applied.ExtractedValue &&
		a.Applied.Source == b.Applied.Source
}
