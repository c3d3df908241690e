package audience_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rostrum/dbx"
	"rostrum/domain/audience"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestCalibrationsOf compares a persona's ratings with people's in one statement, without extracts,
// which have no rating, and without other workspaces.
func TestCalibrationsOf(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		personas := b.createPersonas(3)
		for i, pair := range [][2]float64{{4, 3}, {3, 3}, {2, 1}, {5, 1}} {
			basis := model.ReactionBasisModel
			if pair[0] == 5 {
				basis = model.ReactionBasisExtract
			}
			b.storeRated("w", personas[0], i, pair, basis)
		}
		b.storeRated("w", personas[1], 0, [2]float64{2, 4}, model.ReactionBasisModel)
		if _, err := db.NewInsert().Model(&model.Workspace{ID: "other", MarketLanguage: "en", RunLimit: 100,
			CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.storeRated("other", personas[2], 0, [2]float64{2, 4}, model.ReactionBasisModel)
		ctx, statements := dbx.WithCounter(b.ctx)
		found, err := b.CalibrationsOf(ctx, []string{personas[2], personas[0], personas[1]})
		if err != nil {
			t.Fatal(err)
		}
		want := []*model.RatingCalibration{
			{},
			// the differences are 1, 0 and 1: 0.5, 1 and 0.5 from the means of the others
			{Ratings: 3, Bias: new(0.67), MeanError: new(0.67), CorrectedError: new(0.67)},
			{Ratings: 1, Bias: new(-2.0), MeanError: new(2.0)},
		}
		if difference := cmp.Diff(want, found); difference != "" {
			t.Error(difference)
		}
		if n := statements.Load(); n != 1 {
			t.Errorf("%d statements", n)
		}
	})
}

// storeRated stores a persona's rating of a text, none of an extract, and that of people.
func (b *testBundle) storeRated(workspaceID, personaID string, text int, ratings [2]float64, basis model.ReactionBasis) {
	b.t.Helper()
	rating := &ratings[0]
	if basis == model.ReactionBasisExtract {
		rating = nil
	}
	subject := fmt.Sprintf("doc_%d", text)
	row := &model.Reaction{
		ID: model.NewID(model.ReactionPrefix), WorkspaceID: workspaceID, PersonaID: personaID, SubjectID: subject,
		Version: subject, Status: model.ReactionStatusCompleted,
		Rating: rating, ObservedRating: &ratings[1], Basis: basis,
		CreatedAt: model.Now(),
		Themes:    []string{}, Risks: []string{}, Actions: []string{}, Quotes: []*model.ReactionQuote{},
		SourceDocumentIDs: []string{},
	}
	if _, err := b.db.NewInsert().Model(row).Exec(b.ctx); err != nil {
		b.t.Fatal(err)
	}
}
