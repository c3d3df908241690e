package model

// ContentEventKind is the kind of an event in a stream of generated text.
type ContentEventKind string

// The values of ContentEventKind.
const (
	ContentEventKindDelta  ContentEventKind = "delta"
	ContentEventKindEnd    ContentEventKind = "end"
	ContentEventKindFailed ContentEventKind = "failed"
)
