package visibility_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
// markup and line breaks, and by what was made from it.
func TestWarnings(t *testing.T) {
	t.Parallel()
	texts := []visibility.Embargoed{{
		Kind: "document", ID: "doc_1", Addresses: []string{"https://kestrel.example/merger"}, Until: now,
		Prints: visibility.PrintsOf("Kestrel buys the salmon line",
			"Short one. Kestrel Foods buys the salmon line in Hull for 40 million pounds."),
	}}
	got := visibility.Warnings([]visibility.Material{
		{Addresses: []string{"https://kestrel.example/merger/"}},
		{Text: "KESTREL BUYS\nTHE SALMON LINE"},
		{Text: "News: Kestrel Foods buys the  salmon line in Hull — for 40 million pounds!"},
		{Text: "Short one.", Addresses: []string{"", "https://kestrel.example/"}},
		{Sources: []string{"dft_1", "doc_1"}},
	}, texts)
	for i, want := range []int{1, 1, 1, 0, 1} {
		if len(got[i]) != want {
			t.Errorf("material %d has the warnings %q", i, got[i])
		}
	}
}

// TestPrints_have_no_limit finds a sentence of the last of many texts, and at the end of a long one.
func TestPrints_have_no_limit(t *testing.T) {
	t.Parallel()
	const last = "The lighthouse keeper sells the old harbour to nobody at all."
	texts := make([]visibility.Embargoed, 3_000)
	for i := range texts {
		texts[i] = visibility.Embargoed{Kind: "document", ID: strconv.Itoa(i), Until: now,
			Prints: visibility.PrintsOf("", fmt.Sprintf("Sentence number %d is about the quarter of some company.", i))}
	}
	long := strings.Repeat("This sentence is repeated until the text is very long indeed. ", 4_000)
	texts[len(texts)-1].Prints = visibility.PrintsOf("", long+last)
	got := visibility.Warnings([]visibility.Material{
		{Text: "They say: the lighthouse keeper sells the old harbour to nobody at all!"},
		{Text: "Sentence number 2100 is about the quarter of some company, is it?"}, {Text: "Nothing of that."}}, texts)
	for i, want := range []string{"document 2999 ", "document 2100 ", ""} {
		if len(got[i]) > 1 || (len(got[i]) == 1) != (want != "") || want != "" && !strings.HasPrefix(got[i][0], want) {
			t.Errorf("material %d has the warnings %q", i, got[i])
		}
	}
}

// TestPrints_Of reads each text once, unless it changes.
func TestPrints_Of(t *testing.T) {
	t.Parallel()
	prints, read := visibility.NewPrints(), 0
	ask := func(key string) []visibility.Print {
		got, err := prints.Of(t.Context(), []visibility.StoredText{{ID: "doc_1", Key: key}},
			func(_ context.Context, ids []string) (map[string][]visibility.Print, error) {
				read += len(ids)
				said := "A sentence that is long enough to be one " + key
				return map[string][]visibility.Print{"doc_1": visibility.PrintsOf("", said)}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		return got["doc_1"]
	}
	for i, words := range []string{"a", "a", "b"} {
		if found, want := len(ask(words)), 1+i/2; found != 1 || read != want {
			t.Errorf("call %d found %d warnings and has read the texts %d times, want %d", i, found, read, want)
		}
	}
}
