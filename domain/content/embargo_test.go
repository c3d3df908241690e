package content_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/content"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// TestDrafts_reads_under_embargo checks that reads of drafts under embargo are noted, and fail if
// they cannot be noted.
func TestDrafts_reads_under_embargo(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		if err := job.Migrate(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		jobs, err := job.New(job.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{}),
			Queues: map[string]int{content.Queue: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", RunLimit: 1, CreatedAt: model.Now()}).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		var noted []string
		var failure error
		audit := func(_ context.Context, action string, ids []string) error {
			if action == "draft.read" {
				noted = append(noted, ids...)
			}
			return failure
		}
		s := content.New(content.Config{
			DB: db, Jobs: jobs, Count: func(text string) (int, int) { return 1, len(text) }, Audit: audit,
			RecordChange: func(dbx.Tx, string, string, string) {},
		})
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: "w"})
		save := func(until time.Time) string {
			out, err := s.Save(ctx, api.SaveDraftInput{
				Title: graphql.OmittableOf(new("Merger")), Content: graphql.OmittableOf(new("We buy the salmon line.")),
				Visibility:     graphql.OmittableOf(new(model.VisibilityEmbargoed)),
				EmbargoedUntil: graphql.OmittableOf(&until),
			})
			if err != nil {
				t.Fatal(err)
			}
			return out.Draft.ID
		}
		secret, passed := save(time.Now().AddDate(1, 0, 0)), save(time.Now().AddDate(-1, 0, 0))
		reads := map[string]struct {
			read func() error
			want []string
		}{
			"one":    {func() error { _, err := s.Draft(ctx, secret); return err }, []string{secret}},
			"passed": {func() error { _, err := s.Draft(ctx, passed); return err }, nil},
			"a list": {func() error { _, err := s.Drafts(ctx, model.PageArgs{First: new(5)}, nil, nil); return err },
				[]string{secret}},
			"by id": {func() error { _, err := s.DraftsByID(ctx, "w", []string{secret, passed}); return err },
				[]string{secret}},
			"no text": {func() error {
				_, err := s.Draft(ctx, secret, "id", "visibility", "embargoed_until")
				return err
			}, nil},
			"its present": {func() error {
				_, err := s.Save(ctx, api.SaveDraftInput{DraftID: graphql.OmittableOf(&secret)})
				return err
			}, []string{secret}},
		}
		for name, c := range reads {
			noted, failure = nil, nil
			if err := c.read(); err != nil || !slices.Equal(noted, c.want) {
				t.Errorf("%s: %v is noted, want %v (%v)", name, noted, c.want, err)
			}
			failure = errors.New("the log is full")
			if err := c.read(); errors.Is(err, failure) != (c.want != nil) {
				t.Errorf("%s: a read that cannot be noted returns %v", name, err)
			}
		}
	})
}
