package content

import (
	"context"

	"rostrum/api"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/style"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

// maxShownMarkers is the greatest number of style markers of an analysis.
const maxShownMarkers = 500

// AnalyzeText returns which of the points a text makes, and its markers of machine style. It goes
// by the words alone: it asks no text model and costs no run. It fails with validation_failed for
// more than 100 points, and stops with the context.
func (s *Service) AnalyzeText(ctx context.Context, in api.TextAnalysisInput) (*api.TextAnalysis, error) {
	given := in.PullThroughPriorities.Value()
	if err := checkPointCount(given); err != nil {
		return nil, err
	}
	points := make([]*model.DraftPriority, len(given))
	for i, point := range given {
		points[i] = &model.DraftPriority{Text: point.Text, Level: levelOf(point.Level.Value())}
	}
	return analyzeText(ctx, in.Content, points)
}

// AnalysesOf returns the analysis of each draft's current text with its points, reading all texts
// in one statement. It is nil for a draft without text or with over 100,000 characters. Points
// after the 100th are left out. It stops with the context.
func (s *Service) AnalysesOf(ctx context.Context, drafts []*model.Draft) ([]*api.TextAnalysis, error) {
	places := map[string][]int{}
	for i, draft := range drafts {
		places[draft.ID] = append(places[draft.ID], i)
	}
	stored, err := s.comparedDrafts(ctx, places, "metadata")
	if err != nil {
		return nil, err
	}
	out := make([]*api.TextAnalysis, len(drafts))
	for _, draft := range stored {
		points := draft.Metadata.PullThroughPriorities
		analysis, err := analyzeText(ctx, *draft.Content, points[:min(len(points), maxPoints)])
		if err != nil {
			return nil, err
		}
		for _, i := range places[draft.ID] {
			out[i] = analysis
		}
	}
	return out, nil
}

// HouseChecksOf returns what house rules find in each draft's current text, reading all texts in one
// statement and the rules in another. It is nil for a draft without text or with over 100,000
// characters.
func (s *Service) HouseChecksOf(ctx context.Context, drafts []*model.Draft) ([]*api.HouseCheck, error) {
	places := map[string][]int{}
	for i, draft := range drafts {
		places[draft.ID] = append(places[draft.ID], i)
	}
	stored, err := s.comparedDrafts(ctx, places)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(stored))
	for i, draft := range stored {
		texts[i] = *draft.Content
	}
	checks, err := s.house.CheckTexts(ctx, principal.Must(ctx).WorkspaceID, texts)
	if err != nil {
		return nil, err
	}
	out := make([]*api.HouseCheck, len(drafts))
	for i, draft := range stored {
		for _, at := range places[draft.ID] {
			out[at] = checks[i]
		}
	}
	return out, nil
}

func analyzeText(ctx context.Context, content string, points []*model.DraftPriority) (*api.TextAnalysis, error) {
	out := &api.TextAnalysis{Points: []*api.PointAnalysis{}, StyleMarkers: []*api.StyleMarker{}}
	err := slot.Compute(ctx, len(content)*(1+len(points)), func() {
		report := style.Analyze(content)
		out.StyleScore, out.StyleMarkerCount = report.Score, len(report.Occurrences)
		for _, found := range report.Occurrences[:min(len(report.Occurrences), maxShownMarkers)] {
			out.StyleMarkers = append(out.StyleMarkers,
				&api.StyleMarker{Passage: newPassage(found.Span), Weight: found.Weight})
		}
		read := offline.ReadText(content)
		for _, point := range points {
			if ctx.Err() == nil {
				out.Points = append(out.Points, analyzePoint(read, point))
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}

func analyzePoint(read *offline.Text, point *model.DraftPriority) *api.PointAnalysis {
	found := read.Find(point.Text)
	row := &api.PointAnalysis{Text: point.Text, Level: levelOf(&point.Level), Verdict: found.Verdict,
		MissingWords: []string{}}
	switch found.Verdict {
	case model.CoverageVerdictCovered, model.CoverageVerdictContradicted:
		row.Passage = newPassage(found.Evidence)
	case model.CoverageVerdictUnknown:
		if near, ok := read.FindNearest(point.Text); ok {
			row.Passage, row.MissingWords = newPassage(near.Evidence), near.Missing
		}
	}
	return row
}

func newPassage(span text.Span) *api.TextPassage {
	return &api.TextPassage{Text: span.Text, Start: span.Start, End: span.End}
}
