package document

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// readBulkValues returns the values to set; nil if the action sets none. It returns
// errs.ValidationFailed for values without a field, without the action or with half an embargo.
func readBulkValues(action model.BulkAction, in *api.BulkSetInput) (*model.BulkValues, error) {
	switch isUpdate := action == model.BulkActionUpdate; {
	case isUpdate && in == nil:
		return nil, errs.Invalid(errs.BodyField("missing", "is required to change fields", "set"))
	case !isUpdate && in != nil:
		return nil, errs.Invalid(errs.BodyField("value_error", "is only allowed with the action UPDATE", "set"))
	case !isUpdate:
		return nil, nil
	}
	v := &model.BulkValues{Visibility: in.Visibility.Value()}
	setBulkValue(v, &v.EmbargoedUntil, in.EmbargoedUntil, model.BulkFieldEmbargoedUntil)
	setBulkValue(v, &v.CompanyName, trimmed(in.Company), model.BulkFieldCompany)
	setBulkValue(v, &v.ExecutiveName, trimmed(in.Executive), model.BulkFieldExecutive)
	setBulkValue(v, &v.CommunicationType, trimmed(in.CommunicationType), model.BulkFieldCommunicationType)
	setBulkValue(v, &v.ExtractedDate, in.ExtractedDate, model.BulkFieldExtractedDate)
	if len(bulkFields(v)) == 0 && len(in.AutoTagValues.Value()) == 0 {
		return nil, errs.Invalid(errs.BodyField("missing", "must have at least one field", "set"))
	}
	return v, checkBulkEmbargo(v)
}

// readTagValues adds the values of auto-tags to those of fields, which are nil if the action sets
// none.
func (s *Service) readTagValues(ctx context.Context, workspaceID string, v *model.BulkValues,
	in *api.BulkSetInput) error {
	if v == nil || len(in.AutoTagValues.Value()) == 0 {
		return nil
	}
	var err error
	v.AutoTagValues, err = s.tagValues.CheckValues(ctx, workspaceID, in.AutoTagValues.Value())
	return err
}

// checkBulkEmbargo returns errs.ValidationFailed for an embargo and an end that no document can have
// together.
func checkBulkEmbargo(v *model.BulkValues) error {
	isCleared := slices.Contains(v.ClearedFields, model.BulkFieldEmbargoedUntil)
	switch isEmbargo := optional.ValueOr(v.Visibility, "") == model.VisibilityEmbargoed; {
	case isEmbargo && v.EmbargoedUntil == nil:
		return errs.Invalid(errs.BodyField("missing", "is required for an embargoed text", "set", "embargoedUntil"))
	case v.Visibility != nil && !isEmbargo && v.EmbargoedUntil != nil:
		return errs.Invalid(errs.BodyField("value_error", "is only allowed for an embargoed text", "set",
			"embargoedUntil"))
	case v.Visibility == nil && isCleared:
		return errs.Invalid(errs.BodyField("value_error", "is only cleared with another visibility", "set",
			"embargoedUntil"))
	}
	return nil
}

// trimmed returns a text without white space at its ends; an empty one clears the field.
func trimmed(given graphql.Omittable[*string]) graphql.Omittable[*string] {
	if !given.IsSet() {
		return given
	}
	return graphql.OmittableOf(optional.Trimmed(given.Value()))
}

func setBulkValue[T any](v *model.BulkValues, to **T, given graphql.Omittable[*T], field model.BulkField) {
	if *to = given.Value(); given.IsSet() && *to == nil {
		v.ClearedFields = append(v.ClearedFields, field)
	}
}

// bulkFields returns the fields that the values change. A visibility changes the end of the embargo
// too.
func bulkFields(v *model.BulkValues) []model.BulkField {
	fields := slices.Clone(v.ClearedFields)
	add := func(isGiven bool, added ...model.BulkField) {
		if isGiven {
			fields = append(fields, added...)
		}
	}
	add(v.Visibility != nil, model.BulkFieldVisibility, model.BulkFieldEmbargoedUntil)
	add(v.EmbargoedUntil != nil, model.BulkFieldEmbargoedUntil)
	add(v.CompanyName != nil, model.BulkFieldCompany)
	add(v.ExecutiveName != nil, model.BulkFieldExecutive)
	add(v.CommunicationType != nil, model.BulkFieldCommunicationType)
	add(v.ExtractedDate != nil, model.BulkFieldExtractedDate)
	slices.Sort(fields)
	return slices.Compact(fields)
}

// updateOf returns the values as the update of one document.
func updateOf(v *model.BulkValues) api.UpdateDocumentInput {
	in := api.UpdateDocumentInput{}
	if v.Visibility != nil {
		in.Visibility = graphql.OmittableOf(v.Visibility)
	}
	give(&in.EmbargoedUntil, v, v.EmbargoedUntil, model.BulkFieldEmbargoedUntil)
	give(&in.Company, v, v.CompanyName, model.BulkFieldCompany)
	give(&in.Executive, v, v.ExecutiveName, model.BulkFieldExecutive)
	give(&in.CommunicationType, v, v.CommunicationType, model.BulkFieldCommunicationType)
	give(&in.ExtractedDate, v, v.ExtractedDate, model.BulkFieldExtractedDate)
	return in
}

func give[T any](to *graphql.Omittable[*T], v *model.BulkValues, value *T, field model.BulkField) {
	if value != nil || slices.Contains(v.ClearedFields, field) {
		*to = graphql.OmittableOf(value)
	}
}

// snapshotOf returns the fields of a document that bulk updates change.
func snapshotOf(doc *model.Document) *model.BulkSnapshot {
	return &model.BulkSnapshot{
		Visibility: doc.Visibility, EmbargoedUntil: doc.EmbargoedUntil,
		Company: doc.Company, CompanyID: doc.CompanyID, Executive: doc.Executive, ExecutiveID: doc.ExecutiveID,
		CommunicationType: doc.CommunicationType, ExtractedDate: doc.ExtractedDate, Origins: doc.Origins,
	}
}

// restoreFields sets the fields of a document to those of a snapshot.
func restoreFields(doc *model.Document, old *model.BulkSnapshot, fields []model.BulkField) {
	for _, field := range fields {
		switch field {
		case model.BulkFieldVisibility:
			doc.Visibility, doc.Origins.Visibility = old.Visibility, old.Origins.Visibility
		case model.BulkFieldEmbargoedUntil:
			doc.EmbargoedUntil = old.EmbargoedUntil
		case model.BulkFieldCompany:
			doc.Company, doc.Origins.Company = old.Company, old.Origins.Company
		case model.BulkFieldExecutive:
			doc.Executive, doc.Origins.Executive = old.Executive, old.Origins.Executive
		case model.BulkFieldCommunicationType:
			doc.CommunicationType, doc.Origins.CommunicationType = old.CommunicationType, old.Origins.CommunicationType
		case model.BulkFieldExtractedDate:
			doc.ExtractedDate, doc.Origins.ExtractedDate = old.ExtractedDate, old.Origins.ExtractedDate
		}
	}
}

// differingFields returns the fields with different values. A company or an executive that was only
// renamed is the same.
func differingFields(a, b *model.BulkSnapshot, fields []model.BulkField) []model.BulkField {
	var differing []model.BulkField
	for _, field := range fields {
		if !sameBulkField(a, b, field) {
			differing = append(differing, field)
		}
	}
	return differing
}

func sameBulkField(a, b *model.BulkSnapshot, field model.BulkField) bool {
	switch field {
	case model.BulkFieldVisibility:
		return a.Visibility == b.Visibility
	case model.BulkFieldEmbargoedUntil:
		return sameTime(a.EmbargoedUntil, b.EmbargoedUntil)
	case model.BulkFieldCompany:
		return sameParty(a.CompanyID, b.CompanyID, a.Company, b.Company)
	case model.BulkFieldExecutive:
		return sameParty(a.ExecutiveID, b.ExecutiveID, a.Executive, b.Executive)
	case model.BulkFieldCommunicationType:
		return sameText(a.CommunicationType, b.CommunicationType)
	case model.BulkFieldExtractedDate:
		return sameTime(a.ExtractedDate, b.ExtractedDate)
	}
	return true
}

func sameParty(aID, bID, a, b *string) bool {
	if aID != nil && bID != nil {
		return *aID == *bID
	}
	return sameText(a, b)
}

func sameText(a, b *string) bool { return optional.ValueOr(a, "") == optional.ValueOr(b, "") }

// sameTime reports whether times are the same to the millisecond, because the database rounds them.
func sameTime(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Sub(*b).Abs() < time.Millisecond
}

// bulkText returns a field's value as a text; nil if it is empty.
func bulkText(of *model.BulkSnapshot, field model.BulkField) *string {
	asTime := func(at *time.Time) *string {
		if at == nil {
			return nil
		}
		return optional.NonEmpty(at.UTC().Format(time.RFC3339))
	}
	switch field {
	case model.BulkFieldVisibility:
		return optional.NonEmpty(strings.ToUpper(string(of.Visibility)))
	case model.BulkFieldEmbargoedUntil:
		return asTime(of.EmbargoedUntil)
	case model.BulkFieldCompany:
		return of.Company
	case model.BulkFieldExecutive:
		return of.Executive
	case model.BulkFieldCommunicationType:
		return of.CommunicationType
	}
	return asTime(of.ExtractedDate)
}
