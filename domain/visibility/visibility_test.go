package visibility_test

import (
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
)

var now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// TestCurrent checks that an embargo ends at its time.
func TestCurrent(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		until time.Time
		want  model.Visibility
	}{
		{now.Add(time.Microsecond), model.VisibilityEmbargoed}, {now, model.VisibilityPublic},
		{now.Add(-time.Hour), model.VisibilityPublic},
	} {
		if got := visibility.Current(model.VisibilityEmbargoed, &one.until, now); got != one.want {
			t.Errorf("an embargo until %v is %s at %v, want %s", one.until, got, now, one.want)
		}
	}
	if got := visibility.Current(model.VisibilityInternal, nil, now); got != model.VisibilityInternal {
		t.Errorf("an internal text is %s", got)
	}
}

// TestChange checks that an embargo and its end are set and cleared together.
func TestChange(t *testing.T) {
	t.Parallel()
	embargoed, internal, later := model.VisibilityEmbargoed, model.VisibilityInternal, now.Add(time.Hour)
	var noTime *time.Time
	for name, one := range map[string]struct {
		stored model.Visibility
		until  *time.Time
		change visibility.Change
		want   model.Visibility // empty if the change is invalid
	}{
		"default": {want: model.VisibilityPublic},
		"embargo": {change: visibility.Change{Visibility: graphql.OmittableOf(&embargoed),
			Until: graphql.OmittableOf(&later)}, want: embargoed},
		"embargo without end": {change: visibility.Change{Visibility: graphql.OmittableOf(&embargoed)}},
		"end without embargo": {change: visibility.Change{Until: graphql.OmittableOf(&later)}},
		"end cleared": {stored: embargoed, until: &later,
			change: visibility.Change{Until: graphql.OmittableOf(noTime)}},
		"embargo lifted": {stored: embargoed, until: &later,
			change: visibility.Change{Visibility: graphql.OmittableOf(&internal)}, want: internal},
		"nothing": {stored: embargoed, until: &later, want: embargoed},
	} {
		stored, until := one.stored, one.until
		err := one.change.Apply(&stored, &until, model.VisibilityPublic)
		switch {
		case one.want == "" && !errs.Is(err, errs.ValidationFailed):
			t.Errorf("%s: %v", name, err)
		case one.want != "" && (err != nil || stored != one.want || (until != nil) != (stored == embargoed)):
			t.Errorf("%s: %s until %v: %v", name, stored, until, err)
		}
	}
}

// TestWarnings checks that a text is recognized by its address, title or a sentence, whatever the
// markup and line breaks.
func TestWarnings(t *testing.T) {
	t.Parallel()
	texts := []visibility.Embargoed{{
		Name: "document doc_1", Title: "Kestrel buys the salmon line",
		Content:   "Short one. Kestrel Foods buys the salmon line in Hull for 40 million pounds.",
		Addresses: [3]string{"https://kestrel.example/merger"}, Until: now,
	}}
	got := visibility.Warnings([]visibility.Material{
		{Addresses: []string{"https://kestrel.example/merger/"}},
		{Text: "KESTREL BUYS\nTHE SALMON LINE"},
		{Text: "News: Kestrel Foods buys the  salmon line in Hull — for 40 million pounds!"},
		{Text: "Short one.", Addresses: []string{"", "https://kestrel.example/"}},
	}, texts)
	for i, want := range []int{1, 1, 1, 0} {
		if len(got[i]) != want {
			t.Errorf("material %d has the warnings %q", i, got[i])
		}
	}
}
