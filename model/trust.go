package model

import (
	"context"
	"fmt"
	"io"
)

// TrustedDocuments says what happens to a text sent to the graph that is not a stored operation.
type TrustedDocuments string

// The values of TrustedDocuments; the empty one means off.
const (
	TrustedDocumentsOff     TrustedDocuments = "off"
	TrustedDocumentsLog     TrustedDocuments = "log"
	TrustedDocumentsEnforce TrustedDocuments = "enforce"
)

// UnmarshalText reads a setting.
func (v *TrustedDocuments) UnmarshalText(text []byte) error {
	switch given := TrustedDocuments(text); given {
	case TrustedDocumentsOff, TrustedDocumentsLog, TrustedDocumentsEnforce:
		*v = given
		return nil
	}
	return fmt.Errorf("%q is none of off, log and enforce", text)
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v TrustedDocuments) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *TrustedDocuments) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = TrustedDocuments(s)
	return err
}
