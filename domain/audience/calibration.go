package audience

import (
	"context"
	"fmt"
	"math"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// fewestRatings is the number of ratings from which on the error of corrected ratings is measured.
const fewestRatings = 3

// RateReaction stores how people took the text of a reaction; without a rating it removes this. It
// returns errs.NotFound, errs.ValidationFailed for a rating out of range, and errs.InvalidState for a
// failed reaction.
func (s *Service) RateReaction(ctx context.Context, in api.RateReactionInput) (*api.RateReactionPayload, error) {
	p, observed := principal.Must(ctx), in.Rating.Value()
	if observed != nil && (*observed < 1 || *observed > 5) {
		var invalid errs.FieldErrors
		invalid.Body("out_of_range", "must be from 1 to 5", "rating")
		return nil, invalid.Err()
	}
	reaction, err := s.reactionByID(ctx, p.WorkspaceID, in.ReactionID)
	if err == nil && reaction.Status == model.ReactionStatusFailed {
		return nil, errs.New(errs.InvalidState, "the persona could not react: start the reaction again first")
	}
	if err == nil {
		reaction.ObservedRating = observed
		err = s.saveObservedRating(ctx, reaction)
	}
	if err == nil {
		err = s.announceStale(ctx, p.WorkspaceID)
	}
	if errs.Is(err, errs.NotFound) {
		return nil, errs.New(errs.NotFound, "there is no reaction %s in this workspace", in.ReactionID)
	}
	if err != nil {
		return nil, fmt.Errorf("rate reaction %s: %w", in.ReactionID, err)
	}
	return &api.RateReactionPayload{Reaction: reaction}, nil
}

// saveObservedRating stores the observed rating of a reaction. A newer reaction has another id, so
// it returns errs.NotFound for a replaced one.
func (s *Service) saveObservedRating(ctx context.Context, r *model.Reaction) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		s.RecordChange(tx, r.WorkspaceID, model.EventObjectChanged, r.SubjectID)
		return dbx.Err(tx.NewUpdate().Model(r).Column("observed_rating").WherePK().Returning("id").Scan(ctx))
	})
}

// personaCalibration is the calibration of a persona as the database computes it.
type personaCalibration struct {
	PersonaID string
	Ratings   int
	Bias      float64
	MeanError float64
	Scatter   float64 // mean distance of a difference, times the ratings, from the sum of all differences
}

// CalibrationsOf compares each persona's ratings with people's, in the order of the personas. It
// runs a single query.
func (s *Service) CalibrationsOf(ctx context.Context, personaIDs []string) ([]*model.RatingCalibration, error) {
	rows := []*personaCalibration{}
	err := s.DB.NewSelect().TableExpr("(?) AS compared",
		s.selectDifferences(principal.Must(ctx).WorkspaceID, personaIDs)).
		ColumnExpr("persona_id, max(ratings) AS ratings, avg(difference) AS bias, avg(abs(difference)) AS mean_error").
		ColumnExpr("avg(abs(difference * ratings - total)) AS scatter").GroupExpr("persona_id").Scan(ctx, &rows)
	if err != nil {
		return nil, dbx.Err(err)
	}
	byPersona := make(map[string]*model.RatingCalibration, len(rows))
	for _, row := range rows {
		byPersona[row.PersonaID] = row.calibration()
	}
	out := make([]*model.RatingCalibration, len(personaIDs))
	for i, id := range personaIDs {
		if out[i] = byPersona[id]; out[i] == nil {
			out[i] = &model.RatingCalibration{}
		}
	}
	return out, nil
}

// selectDifferences returns a query of the differences between personas' and people's ratings.
func (s *Service) selectDifferences(workspaceID string, personaIDs []string) *bun.SelectQuery {
	return s.DB.NewSelect().Model((*model.Reaction)(nil)).
		ColumnExpr("persona_id, rating - observed_rating AS difference").
		ColumnExpr("count(*) OVER (PARTITION BY persona_id) AS ratings").
		ColumnExpr("sum(rating - observed_rating) OVER (PARTITION BY persona_id) AS total").
		Where("workspace_id = ? AND persona_id IN ?", workspaceID, bun.Tuple(personaIDs)).
		Where("rating IS NOT NULL AND observed_rating IS NOT NULL")
}

// calibration returns the figures to two decimals. CorrectedError is the error that remains if each
// rating is corrected by the mean difference of the others.
func (c *personaCalibration) calibration() *model.RatingCalibration {
	out := &model.RatingCalibration{Ratings: c.Ratings, Bias: new(roundHundredth(c.Bias)),
		MeanError: new(roundHundredth(c.MeanError))}
	if c.Ratings >= fewestRatings {
		out.CorrectedError = new(roundHundredth(c.Scatter / float64(c.Ratings-1)))
	}
	return out
}

// RatingsOf returns the ratings of personas' reactions to the current texts of documents, by people
// or else by a text model.
func (s *Service) RatingsOf(ctx context.Context, workspaceID string, personaIDs,
	documentIDs []string) ([]*model.DocumentRating, error) {
	rows := []*model.DocumentRating{}
	if len(personaIDs) == 0 || len(documentIDs) == 0 {
		return rows, nil
	}
	err := s.CurrentReactions(workspaceID).ColumnExpr("r.persona_id").
		Where("r.persona_id IN ? AND r.document_id IN ?", bun.Tuple(personaIDs), bun.Tuple(documentIDs)).
		Where("coalesce(r.observed_rating, r.rating) IS NOT NULL").OrderExpr("r.document_id, r.persona_id").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

func roundHundredth(x float64) float64 { return math.Round(x*100) / 100 }
