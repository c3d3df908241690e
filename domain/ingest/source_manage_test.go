package ingest_test

import (
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

func TestPreviewSource(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		b.feed.add("/a", "A", "a")
		src := b.create(nil)
		b.poll(src.ID, 0)
		out, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: graphql.OmittableOf(&src.URL)})
		if err != nil {
			t.Fatal(err)
		}
		if *out.Kind != model.SourceKindFeed || out.Name != "News" || *out.SourceID != src.ID || len(out.Entries) != 1 ||
			*out.Entries[0].Title != "A" || out.Entries[0].DocumentID == nil {
			t.Errorf("a known feed: %+v", out)
		}
		b.feed.change(func() { b.feed.body = "\x00\x01" })
		for _, address := range []string{src.URL, b.feed.URL + "/missing", "ftp://example.com/", "http://10.0.0.1/"} {
			_, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: graphql.OmittableOf(&address)})
			if !errs.Is(err, errs.ValidationFailed) || errs.From(err).Fields[0].Pointer != "#/url" {
				t.Errorf("%s: %v", address, err)
			}
		}
		b.wantDocuments("/a")
	})
}

func TestUpdateSource_of_a_version(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		src := b.create(nil)
		update := func(name string, versions ...string) error {
			_, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID, Name: graphql.OmittableOf(&name),
				IfVersion: graphql.OmittableOf(versions)})
			return err
		}
		if polled := b.poll(src.ID, 0); polled.Version != src.Version {
			t.Errorf("a poll makes the version %s of %s", polled.Version, src.Version)
		}
		if err := update("A", src.Version); err != nil {
			t.Fatal(err)
		}
		if err := update("B", src.Version); !errs.Is(err, errs.PreconditionFailed) {
			t.Errorf("a stale version: %v", err)
		}
		now, err := b.Source(b.ctx, src.ID)
		if err != nil || now.Name != "A" || now.Version == src.Version || !now.UpdatedAt.Equal(b.at) {
			t.Errorf("%+v, %v", now, err)
		}
		for _, versions := range [][]string{{src.Version, now.Version}, {"*"}, nil} {
			if err := update("C", versions...); err != nil {
				t.Errorf("%q: %v", versions, err)
			}
		}
	})
}

func TestSource_validation(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		src := b.create(nil)
		_, err := b.CreateSource(b.ctx, api.CreateSourceInput{URL: graphql.OmittableOf(&src.URL)})
		if !errs.Is(err, errs.Conflict) {
			t.Errorf("the same address twice: %v", err)
		}
		_, err = b.CreateSource(b.ctx, api.CreateSourceInput{URL: graphql.OmittableOf(new("http://10.0.0.1/feed")),
			Visibility: graphql.OmittableOf(new(model.VisibilityEmbargoed)), Tags: graphql.OmittableOf([]string{" "})})
		var fields []string
		for _, field := range errs.From(err).Fields {
			fields = append(fields, field.Pointer)
		}
		if want := []string{"#/url", "#/visibility", "#/tags/0"}; !slices.Equal(fields, want) {
			t.Errorf("the invalid fields are %q", fields)
		}
		for _, in := range []api.UpdateSourceInput{{SourceID: src.ID},
			{SourceID: src.ID, Name: graphql.OmittableOf[*string](nil)}} {
			if _, err := b.UpdateSource(b.ctx, in); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("%+v: %v", in, err)
			}
		}
		theirs := principal.With(t.Context(), principal.Principal{WorkspaceID: "other"})
		if found, err := b.Source(theirs, src.ID); found != nil || err != nil {
			t.Errorf("another workspace reads it: %v, %v", found, err)
		}
		if _, err := b.DeleteSource(theirs, src.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace deletes it: %v", err)
		}
		if _, err := b.PollSource(theirs, src.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace polls it: %v", err)
		}
		if _, err := b.DeleteSource(b.ctx, src.ID); err != nil {
			t.Fatal(err)
		}
		if got := b.changes.actions; !slices.Equal(got, []string{"source.created", "source.deleted"}) {
			t.Errorf("the audit log has %q", got)
		}
	})
}
