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

// TestAuditQuotes checks that reads of drafts under embargo are noted, and fail if they cannot be
// noted.
func TestAuditQuotes(t *testing.T) {
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
		ids := []string{secret, passed}
		if _, err := s.AuditQuotes(ctx, "w", ids); err != nil || !slices.Equal(noted, []string{secret}) {
			t.Errorf("%v is noted, want %s (%v)", noted, secret, err)
		}
		failure = errors.New("the log is full")
		if _, err := s.AuditQuotes(ctx, "w", ids); !errors.Is(err, failure) {
			t.Errorf("a read that cannot be noted returns %v", err)
		}
	})
}

// TestReads collects the drafts that a context reads words of.
func TestReads(t *testing.T) {
	t.Parallel()
	until := time.Now().AddDate(1, 0, 0)
	for name, c := range map[string]struct {
		draft model.Draft
		want  []string
	}{
		"under embargo":  {model.Draft{ID: "a", Title: "x", Visibility: model.VisibilityEmbargoed, EmbargoedUntil: &until}, []string{"a"}},
		"not known":      {model.Draft{ID: "a", Title: "x"}, []string{"a"}},
		"internal":       {model.Draft{ID: "a", Title: "x", Visibility: model.VisibilityInternal}, nil},
		"without a text": {model.Draft{ID: "a", Visibility: model.VisibilityEmbargoed}, nil},
	} {
		var set model.ReadSet
		if err := c.draft.AfterScanRow(model.WithReads(t.Context(), &set)); err != nil {
			t.Fatal(err)
		}
		if _, drafts := set.Take(); !slices.Equal(drafts, c.want) {
			t.Errorf("%s: %v is read, want %v", name, drafts, c.want)
		}
	}
}
