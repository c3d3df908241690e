package model

import (
	"context"
	"io"
)

// LinkKind says what a link gives its viewers.
type LinkKind string

// The values of LinkKind.
const (
	LinkKindRedirect LinkKind = "redirect"
	LinkKindFile     LinkKind = "file"
	LinkKindPage     LinkKind = "page"
)

// ConversionType says what a viewer did (shared/spec/operations.md, "Shapes").
type ConversionType string

// The values of ConversionType.
const (
	ConversionTypeCtaClick  ConversionType = "cta_click"
	ConversionTypeScroll25  ConversionType = "scroll_25"
	ConversionTypeScroll50  ConversionType = "scroll_50"
	ConversionTypeScroll75  ConversionType = "scroll_75"
	ConversionTypeScroll100 ConversionType = "scroll_100"
	ConversionTypeCustom    ConversionType = "custom"
)

// ConversionTypes lists the values of ConversionType.
var ConversionTypes = []ConversionType{
	ConversionTypeCtaClick, ConversionTypeScroll25, ConversionTypeScroll50, ConversionTypeScroll75, ConversionTypeScroll100,
	ConversionTypeCustom,
}

// FormFieldType says what a form's field takes.
type FormFieldType string

// The values of FormFieldType.
const (
	FormFieldTypeText     FormFieldType = "text"
	FormFieldTypeEmail    FormFieldType = "email"
	FormFieldTypeTel      FormFieldType = "tel"
	FormFieldTypeURL      FormFieldType = "url"
	FormFieldTypeNumber   FormFieldType = "number"
	FormFieldTypeDate     FormFieldType = "date"
	FormFieldTypeTextarea FormFieldType = "textarea"
	FormFieldTypeCheckbox FormFieldType = "checkbox"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v LinkKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *LinkKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = LinkKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ConversionType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ConversionType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ConversionType(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v FormFieldType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *FormFieldType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = FormFieldType(s)
	return err
}
