package passage

import (
	"cmp"
	"context"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/platform/principal"
)

// searchLimit limits the call that embeds the searched text.
var searchLimit = llm.Limit{Time: 10 * time.Second}

// Search returns up to most passages of the caller's documents that are nearest to a text in
// meaning, best first. It leaves out texts under embargo, documents that a comms filter hides, and
// trial texts. With countPending it counts the documents that have passages without vectors. It
// returns errs.EngineRequired without an embedding model, errs.ModelFailed and errs.ModelTimeout.
func (s *Service) Search(ctx context.Context, search string, most int, countPending bool) (*model.PassageSearch,
	error) {
	if s.Embedder == nil {
		return nil, errs.New(errs.EngineRequired, "passages needs an embedding model, and none is configured: set LLM_BASE_URL and LLM_EMBEDDING_MODEL")
	}
	shown := bun.SafeQuery("? AND NOT d.hidden", s.Documents.ReadableBy("d", true))
	in, out := passageSearch{principal.Must(ctx).WorkspaceID, shown, most}, &model.PassageSearch{}
	var err error
	if countPending { // before the search, so that each document that it does not find for this reason is counted
		if out.PendingDocumentCount, err = s.countPending(ctx, in); err != nil {
			return nil, err
		}
	}
	if out.Matches, err = s.findNearest(ctx, in, search); err != nil {
		return nil, err
	}
	return out, nil
}

// Nearest returns up to most passages that are nearest to a text in meaning and that a persona may
// have read, best first. With ids it searches only these documents. Without an embedding model it
// returns none. It returns errs.ModelFailed and errs.ModelTimeout.
func (s *Service) Nearest(ctx context.Context, workspaceID, search string, documentIDs []string, mayReadInternal bool,
	most int) ([]*model.PassageMatch, error) {
	if s.Embedder == nil {
		return nil, nil
	}
	readable := s.Documents.ReadableBy("d", mayReadInternal)
	if len(documentIDs) > 0 {
		readable = bun.SafeQuery("? AND d.id IN ?", readable, bun.Tuple(documentIDs))
	}
	return s.findNearest(ctx, passageSearch{workspaceID, readable, most}, search)
}

// passageSearch is a search in the passages of documents that meet a condition. Their alias is d.
type passageSearch struct {
	workspaceID string
	condition   schema.QueryWithArgs
	most        int
}

func (s *Service) findNearest(ctx context.Context, in passageSearch, search string) ([]*model.PassageMatch, error) {
	vector, floor, err := s.embedSearch(ctx, search)
	if err != nil {
		return nil, err
	}
	best := bestPassages{most: in.most}
	err = s.scanVectors(ctx, in, func(key passageKey, scale float64, components []byte) {
		if len(components) == len(vector) { // else the model has had other dimensions
			best.add(scoredPassage{key, dotProduct(vector, components, scale)})
		}
	})
	if err != nil {
		return nil, err
	}
	matches := []*model.PassageMatch{}
	texts, err := s.readTexts(ctx, in, best.found)
	for _, found := range best.found {
		score, match := scoreOf(found.similarity, floor), texts[found.passageKey]
		if score >= minScore && match != nil {
			match.Score = score
			matches = append(matches, match)
		}
	}
	return matches, err
}

// minScore is the least score of a found passage. Passages about another matter of the same
// organisation score lower.
const minScore = 0.25

// scoreOf returns a score from 0, no nearer than unrelated sentences, to 1, the same text.
func scoreOf(similarity, floor float64) float64 {
	score := (similarity - floor) / (1 - floor)
	return math.Round(1000*max(0, min(1, score))) / 1000
}

// unrelatedText has sentences about nothing that organisations write about, in several languages.
// Models differ in how similar unrelated texts are, from 0 to 0.8, so a similarity has a meaning
// only in comparison with that of these sentences.
//
//go:embed unrelated.txt
var unrelatedText string

var unrelatedSentences = strings.Split(strings.TrimSpace(unrelatedText), "\n")

// unrelatedVectors are the vectors of the unrelated sentences; nil until they were embedded.
type unrelatedVectors = atomic.Pointer[[][]float32]

// embedSearch returns a text's vector and its mean similarity to the unrelated sentences, at least
// 0. The first call embeds these too.
func (s *Service) embedSearch(ctx context.Context, search string) (vector []float32, floor float64, err error) {
	texts, unrelated := []string{text.FirstRunes(search, llm.EmbeddedRunes)}, s.unrelated.Load()
	if unrelated == nil {
		texts = append(texts, unrelatedSentences...)
	}
	vectors, err := llm.Within(ctx, searchLimit, func(ctx context.Context) ([][]float32,
		error) {
		return s.Embedder.Embed(ctx, texts)
	})
	if err != nil {
		return nil, 0, err
	}
	if unrelated == nil {
		unrelated = new(vectors[1:])
		s.unrelated.Store(unrelated)
	}
	for _, other := range *unrelated {
		floor += llm.Similarity(vectors[0], other) / float64(len(*unrelated))
	}
	return vectors[0], max(0, min(floor, maxFloor)), nil
}

// maxFloor keeps scores finite with a model to which all texts are nearly the same.
const maxFloor = 0.95

// passageKey identifies a passage.
type passageKey struct {
	documentID string
	position   int
}

// scoredPassage is a passage with its similarity to the searched text.
type scoredPassage struct {
	passageKey
	similarity float64
}

// bestPassages are the passages with the greatest similarities, the best first.
type bestPassages struct {
	most  int
	found []scoredPassage
}

// add adds a passage, and removes the last one if there are more than most.
func (b *bestPassages) add(p scoredPassage) {
	at, _ := slices.BinarySearchFunc(b.found, p, compareScored)
	if at == b.most {
		return
	}
	if len(b.found) == b.most {
		b.found = b.found[:b.most-1]
	}
	b.found = slices.Insert(b.found, at, p)
}

func compareScored(a, b scoredPassage) int {
	return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.documentID, b.documentID),
		cmp.Compare(a.position, b.position))
}
