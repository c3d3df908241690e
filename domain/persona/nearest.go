package persona

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"rostrum/llm"
	"rostrum/model"
)

// NearestFunc returns up to most passages that are nearest to a text in meaning and that a persona
// may have read. With ids it searches only these documents. Without an embedding model it returns
// none. It returns errs.ModelFailed and errs.ModelTimeout.
type NearestFunc func(ctx context.Context, workspaceID, text string, documentIDs []string, mayReadInternal bool,
	most int) ([]*model.PassageMatch, error)

// maxNear is the number of passages near a question that are candidates for a prompt.
const maxNear = 20

// nearestLimit limits the search by meaning. After that a prompt has passages that share words.
var nearestLimit = llm.Limit{Time: 10 * time.Second}

// passagePlace is a passage's document and start.
type passagePlace struct {
	documentID string
	start      int
}

// nearPassages are the scores of the passages near a question, by their places.
type nearPassages map[passagePlace]float64

// nearestPassages returns the passages near a question, only of the named documents if there are
// any. It returns none if the embedding model fails.
func (s *Service) nearestPassages(ctx context.Context, p *model.Persona, question string, named []string) (nearPassages,
	error) {
	matches, err := llm.Within(ctx, nearestLimit, func(ctx context.Context) ([]*model.PassageMatch, error) {
		return s.nearest(ctx, p.WorkspaceID, question, named, p.MayReadInternal, maxNear)
	})
	if ctx.Err() == nil && llm.IsFailure(err) {
		return nil, nil
	}
	near := nearPassages{}
	for _, match := range matches {
		near[passagePlace{match.DocumentID, match.Start}] = match.Score
	}
	return near, err
}

// mentioningOrNear returns the documents that share words with a question, and then the documents
// with a passage near it.
func (s *Service) mentioningOrNear(ctx context.Context, p *model.Persona, question string,
	near nearPassages) ([]*model.Document, error) {
	docs, err := s.documents.Mentioning(ctx, p.WorkspaceID, searchWords(question), maxCandidates, p.MayReadInternal,
		readColumns...)
	if err != nil {
		return nil, err
	}
	var missing []string
	for place := range near {
		if !slices.ContainsFunc(docs, func(doc *model.Document) bool { return doc.ID == place.documentID }) {
			missing = append(missing, place.documentID)
		}
	}
	found, err := s.documents.ReadableByIDs(ctx, p.WorkspaceID, distinctIDs(missing), p.MayReadInternal, readColumns...)
	// the newest first, as the documents by words
	slices.SortFunc(found, func(a, b *model.Document) int { return cmp.Compare(b.ID, a.ID) })
	return append(docs, found...), err
}

// addScores adds the scores by meaning to the scores by words, and orders the passages again. Both
// are shares of the question from 0 to 1. They are combined as if they were independent: 1 - (1 -
// words) * (1 - meaning).
func (n nearPassages) addScores(all []passage) []passage {
	if len(n) == 0 {
		return all
	}
	for _, p := range all {
		score := n[passagePlace{p.item.DocumentID, p.item.Start}]
		p.item.Score = math.Round(100*(1-(1-p.item.Score)*(1-score))) / 100
	}
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.item.Score, a.item.Score) })
	return all
}
