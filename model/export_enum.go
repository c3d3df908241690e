package model

import (
	"context"
	"io"
)

// ExportFormat is a kind of file (shared/spec/operations.md, "Closed values").
type ExportFormat string

// The values of ExportFormat.
const (
	ExportFormatPdf  ExportFormat = "pdf"
	ExportFormatDocx ExportFormat = "docx"
	ExportFormatHTML ExportFormat = "html"
	ExportFormatMd   ExportFormat = "md"
	ExportFormatTxt  ExportFormat = "txt"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ExportFormat) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ExportFormat) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ExportFormat(s)
	return err
}
