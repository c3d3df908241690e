package ingest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/domain/ingest"
	"rostrum/errs"
	"rostrum/platform/fetch"
)

// respelled returns another spelling of an address.
func respelled(address string) string {
	return strings.Replace(address, "http://", " HTTP://", 1) + "#news"
}

// TestSource_of_another_spelling refuses a second source of an address that is only spelled otherwise.
func TestSource_of_another_spelling(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		src := b.create(nil)
		again := graphql.OmittableOf(new(respelled(src.URL)))
		if _, err := b.CreateSource(b.ctx, api.CreateSourceInput{URL: again}); !errs.Is(err, errs.Conflict) {
			t.Errorf("the same address in another spelling: %v", err)
		}
		found, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: again})
		if err != nil || found.SourceID == nil || *found.SourceID != src.ID || found.URL != src.URL {
			t.Errorf("the preview is %+v, %v", found, err)
		}
		b.feed.change(func() { b.feed.etag = `"one"` })
		b.feed.add("/a", "A\u009b31mharbour", "1")
		if read := b.poll(src.ID, 0); read.ETag != `"one"` {
			t.Fatalf("after a poll: %+v", read)
		}
		updated, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID, URL: again})
		if err != nil || updated.Source.ETag != `"one"` || updated.Source.URL != src.URL {
			t.Errorf("after an update of the spelling: %+v, %v", updated, err)
		}
		if found, err = b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: again}); err != nil ||
			*found.Entries[0].Title != "A 31mharbour" {
			t.Errorf("the entries are %+v, %v", found, err)
		}
	})
}

// TestSource_of_a_prefix_of_another_spelling does not read a page anew whose links are only spelled
// otherwise.
func TestSource_of_a_prefix_of_another_spelling(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		n := newNewsroom(t)
		n.set("release/b", "release/a")
		src := b.createPage(n, "/press/release/", nil)
		before := b.poll(src.ID, 0)
		after, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID,
			LinkPrefix: graphql.OmittableOf(new(respelled(*before.LinkPrefix)))})
		if err != nil || *after.Source.LinkPrefix != *before.LinkPrefix || !after.Source.IsKnown ||
			after.Source.ETag != before.ETag {
			t.Errorf("%+v, %v", after, err)
		}
		after, err = b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID,
			LinkPrefix: graphql.OmittableOf(new(n.URL + "/press/"))})
		if err != nil || after.Source.IsKnown {
			t.Errorf("another prefix: %+v, %v", after, err)
		}
	})
}

// TestSourceErrorOf_time tells a site that does not answer from a source that is too long.
func TestSourceErrorOf_time(t *testing.T) {
	t.Parallel()
	hangs := &fetch.Error{Kind: fetch.Timeout, Cause: fmt.Errorf("get: %w", context.DeadlineExceeded)}
	ended, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for want, ctx := range map[string]context.Context{"the site did not answer in time": t.Context(),
		"the source was not read within 4 minutes": ended} {
		if got := ingest.SourceErrorOf(ctx, hangs); !strings.HasPrefix(got.Message, want) || !got.Retryable ||
			got.Code != "timeout" {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
}
