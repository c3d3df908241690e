package audience_test

import (
	"context"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/audience"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestMigration_marks_extracts migrates rows of the release before: ratings of extracts, and the
// summary that counted them. Those of a text model stay.
func TestMigration_marks_extracts(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		personas := b.createPersonas(2)
		ratings := [2]float64{3, 2}
		b.storeRated("w", personas[0], 0, ratings, model.ReactionBasisModel)
		b.storeRated("w", personas[1], 0, ratings, model.ReactionBasisExtract)
		counts := &model.StatusCounts{Neutral: 6, Pending: 1}
		for by, category := range map[string]string{"builtin-extractive-2": "words", "some-model": "model"} {
			grade, score := model.GradeC, 50.0
			row := &model.AudienceSummary{ID: model.NewID(model.SummaryPrefix), WorkspaceID: "w", Category: category,
				Filters: &model.AudienceFilters{}, FilterKey: "{}", StatusCounts: counts, ReactionCount: 6, Grade: &grade, GradeScore: &score,
				Model: by, Digest: "x", GeneratedAt: model.Now(), SourceDocumentIDs: []string{},
				SummaryJSON: &model.AudienceReport{Headline: "The audience's view is neutral.",
					OverallSentiment: new(model.ReactionSentimentNeutral), DataWindow: &model.DataWindow{Reactions: 6}}}
			if _, err := db.NewInsert().Model(row).Exec(b.ctx); err != nil {
				t.Fatal(err)
			}
		}
		for _, statement := range []string{"UPDATE reaction SET rating = 3, sentiment = 'neutral', confidence = 0",
			"DELETE FROM bun_migrations WHERE name = '20261225000200'"} {
			err := db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
				_, err := tx.NewRaw(statement).Exec(ctx)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.Migrate(b.ctx); err != nil {
			t.Fatal(err)
		}
		for basis, want := range map[string]int{"model": 1, "extract": 0} {
			if n := b.queryCount("SELECT count(rating) FROM reaction WHERE basis = '" + basis + "'"); n != want {
				t.Errorf("%d reactions of basis %s have a rating, want %d", n, basis, want)
			}
		}
		for category, graded := range map[string]bool{"words": false, "model": true} {
			got, err := b.Summary(b.ctx, category, nil)
			if err != nil {
				t.Fatal(err)
			}
			if (got.Grade != nil) != graded || (got.UngradedReason() == nil) != graded ||
				(got.SummaryJSON.OverallSentiment != nil) != graded || (got.StatusCounts.Unrated == 6) == graded ||
				got.SummaryJSON.DataWindow == nil || got.SummaryJSON.DataWindow.Reactions != 6 || !got.IsStale {
				t.Errorf("the summary of %s is %+v, %+v", category, got, got.SummaryJSON)
			}
		}
	})
}
