package model

import (
	"context"
	"io"
)

// ContentEventKind says what a step of a text that is being written is.
type ContentEventKind string

// The values of ContentEventKind.
const (
	ContentEventKindDelta  ContentEventKind = "delta"
	ContentEventKindEnd    ContentEventKind = "end"
	ContentEventKindFailed ContentEventKind = "failed"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ContentEventKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ContentEventKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ContentEventKind(s)
	return err
}
