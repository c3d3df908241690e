package model

import (
	"context"
	"io"
)

// MarshalGQLContext writes the value in the case of the face that answers.
func (v Plan) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *Plan) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = Plan(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v MediaProvenance) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *MediaProvenance) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = MediaProvenance(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ProcessingStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ProcessingStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ProcessingStatus(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v ProcessingErrorCode) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *ProcessingErrorCode) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = ProcessingErrorCode(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v IngestContentType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *IngestContentType) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = IngestContentType(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v DocumentSort) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *DocumentSort) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = DocumentSort(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v JobStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *JobStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = JobStatus(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v JobEventKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *JobEventKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = JobEventKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v DocumentEventKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *DocumentEventKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = DocumentEventKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v Scope) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *Scope) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = Scope(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v AuditActorKind) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *AuditActorKind) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = AuditActorKind(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v PausedReason) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *PausedReason) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = PausedReason(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v DeliveryStatus) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *DeliveryStatus) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = DeliveryStatus(s)
	return err
}

// MarshalGQLContext writes the value in the case of the face that answers.
func (v DeliveryErrorCode) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(v))
}

// UnmarshalGQLContext reads the schema's name of the value.
func (v *DeliveryErrorCode) UnmarshalGQLContext(_ context.Context, in any) error {
	s, err := readEnum(in)
	*v = DeliveryErrorCode(s)
	return err
}
