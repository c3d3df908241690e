package policy

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"rostrum/platform/principal"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	var counted []string
	p := New(Config{Schema: loopSchema, CountUsage: func(_ context.Context, fields []string) {
		counted = append(counted, fields...)
	}})
	a := analyzeText(t, p, `{ title documents { nodes { label ...D } } } fragment D on Document { label again: label id }`)
	if want := []string{"Query.title", "Document.label"}; !slices.Equal(a.deprecated, want) {
		t.Fatalf("the deprecated fields are %v, want %v", a.deprecated, want)
	}
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: "wsp_1", KeyID: "key_1"})
	p.countUsage(ctx, a.deprecated)
	p.countUsage(WithCheckedInput(ctx), a.deprecated)
	p.countUsage(t.Context(), a.deprecated)
	p.countUsage(ctx, analyzeText(t, p, `{ documents { nodes { id } } }`).deprecated)
	if !slices.Equal(counted, a.deprecated) {
		t.Errorf("counted are %v, want one request with %v", counted, a.deprecated)
	}
}

func TestUsage_labels_are_bounded(t *testing.T) {
	t.Parallel()
	var labels usageLabels
	for i := range maxKeyLabels {
		if id := strconv.Itoa(i); labels.labelOf(id) != id {
			t.Fatalf("key %s has no label of its own", id)
		}
	}
	if got := labels.labelOf("one more"); got != otherLabel {
		t.Errorf("the label of one more key is %q", got)
	}
	if got := labels.labelOf("0"); got != "0" {
		t.Errorf("the label of a known key is %q", got)
	}
	if got := labels.labelOf(""); got != sessionLabel {
		t.Errorf("the label of a session is %q", got)
	}
}
