package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// estimator returns the cost of an operation; ok is false if its input is not given.
type estimator func(ctx context.Context) (cost *model.Estimate, ok bool, err error)

// estimateWith returns the estimator of one field of EstimateInput.
func estimateWith[T any](input graphql.Omittable[*T],
	estimate func(context.Context, T) (*model.Estimate, error)) estimator {
	return func(ctx context.Context) (*model.Estimate, bool, error) {
		if input.Value() == nil {
			return nil, false, nil
		}
		cost, err := estimate(ctx, *input.Value())
		return cost, true, err
	}
}

// estimateOperation returns the cost of the operation that has an input. It returns
// errs.ValidationFailed if there is none, and the operation's errors for an invalid input.
func (r *Resolver) estimateOperation(ctx context.Context, in api.EstimateInput) (*model.Estimate, error) {
	s := r.Services
	for _, estimate := range []estimator{
		estimateWith(in.GenerateContent, s.Content.EstimateGenerate),
		estimateWith(in.EnhanceContent, s.Content.EstimateEnhance),
		estimateWith(in.RewriteSegments, s.Content.EstimateRewrite),
		estimateWith(in.RewritePhrases, s.Content.EstimateRewrite),
		estimateWith(in.RemoveMachineStyle, s.Content.EstimateRestyling),
		estimateWith(in.CheckCoverage, s.Content.EstimateCoverage),
		estimateWith(in.AskPersona, s.Persona.EstimateAsk), estimateWith(in.DraftPersona, s.Persona.EstimateDraft),
		estimateWith(in.StartPersonaBuild, s.Persona.EstimateBuild),
		estimateWith(in.GeneratePersonaContent, s.Persona.EstimateContent),
		estimateWith(in.StartPersonaHealthCheck, s.Persona.EstimateHealthCheck),
		estimateWith(in.GenerateAudienceSummary, s.Audience.EstimateSummary),
		estimateWith(in.StartReactions, s.Audience.EstimateReactions),
		estimateWith(in.StartNarrativeTest, s.Audience.EstimateNarrativeTest),
		estimateWith(in.ExtractSignals, s.Executive.EstimateSignals),
		estimateWith(in.CompareInsights, s.Executive.EstimateCompare),
		estimateWith(in.ApplyAutoTags, s.Tag.EstimateApply),
		estimateWith(in.StartFilterBackfill, s.Tag.EstimateBackfill),
		estimateWith(in.IngestDocument, s.Ingest.EstimateIngest),
		estimateWith(in.IngestSource, s.Ingest.EstimateSource),
	} {
		if cost, ok, err := estimate(ctx); ok {
			return cost, err
		}
	}
	return nil, errs.Invalid(errs.BodyField("missing", "exactly one operation is required", "operation"))
}
