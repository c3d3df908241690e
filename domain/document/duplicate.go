package document

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/platform/principal"
)

const (
	// comparedRunes is the number of code points of a text that are compared, from its start.
	comparedRunes = 50_000
	// comparedTexts is the number of texts that are compared with a document's. They share most of
	// its probes.
	comparedTexts = 30
	// sequenceWords is the number of words in each compared sequence.
	sequenceWords = 4
	// minSimilarity is the least similarity of a near-duplicate.
	minSimilarity = 0.5
	// maxProbes is the number of sentences of a text that are searched in other texts.
	maxProbes = 8
	// probeRunes is how many code points of a sentence are searched, from its start. minProbeWords
	// is the least number of words in them.
	probeRunes, minProbeWords = 200, 6
	// textsPerProbe limits the texts that one sentence finds, for example the last sentence of all
	// of a company's texts.
	textsPerProbe = 200
)

// comparedText is the compared part of a document's text.
type comparedText struct{ ID, Text string }

// NearDuplicates returns the caller's documents that are nearly the same text, the most similar
// first. It leaves out trial texts and documents that a comms filter hides. It returns
// errs.NotFound for an unknown document.
func (s *Service) NearDuplicates(ctx context.Context, id string, most int) ([]*model.NearDuplicate, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	var source comparedText
	err := dbx.Err(s.selectCompared(workspaceID).Where("id = ?", id).Scan(ctx, &source))
	if errs.Is(err, errs.NotFound) {
		return nil, unknownDocument(id)
	}
	if err != nil {
		return nil, err
	}
	found, sequences := []*model.NearDuplicate{}, wordSequences(source.Text)
	others, err := s.textsSharing(ctx, workspaceID, source)
	for _, other := range others {
		if similarity := shareOf(sequences, wordSequences(other.Text)); similarity >= minSimilarity {
			found = append(found, &model.NearDuplicate{DocumentID: other.ID, Similarity: similarity})
		}
	}
	slices.SortFunc(found, func(a, b *model.NearDuplicate) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.DocumentID, b.DocumentID))
	})
	return found[:min(most, len(found))], err
}

// selectCompared returns a query of the compared texts of the workspace's documents.
func (s *Service) selectCompared(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("document").Column("id").ColumnExpr("substr(coalesce(content, ''), 1, ?) AS text",
		comparedRunes).
		Where("workspace_id = ?", workspaceID)
}

// textsSharing returns the other texts that have the words of at least one probe of the source. Of
// these it returns the comparedTexts ones with most probes.
func (s *Service) textsSharing(ctx context.Context, workspaceID string, source comparedText) ([]comparedText, error) {
	probes := probesOf(source.Text)
	if len(probes) == 0 {
		return nil, nil
	}
	parts, found := make([]string, len(probes)), make([]any, len(probes))
	for i, probe := range probes {
		q := s.db.NewSelect().TableExpr("document").Column("id").
			Where("workspace_id = ? AND id <> ? AND NOT hidden AND NOT ?", workspaceID, source.ID, Trial("document"))
		q = q.Where("?", s.db.Matched("document", workspaceID, matchForms(probe)))
		parts[i], found[i] = "SELECT id FROM (?) AS probe", q.Limit(textsPerProbe)
	}
	shared := s.db.NewSelect().TableExpr("("+strings.Join(parts, " UNION ALL ")+") AS shared", found...).Column("id").
		Group("id").OrderExpr("count(*) DESC, id").Limit(comparedTexts)
	var texts []comparedText
	err := s.selectCompared(workspaceID).Where("?", s.db.Among("id", shared)).Scan(ctx, &texts)
	return texts, dbx.Err(err)
}

// probesOf returns sentences spread over a text, or a short text as a whole. A text that is nearly
// the same has one of them.
func probesOf(value string) []string {
	var all []string
	for _, sentence := range text.Sentences(value) {
		if probe := cutProbe(sentence.Text); len(text.Words(probe)) >= minProbeWords {
			all = append(all, probe)
		}
	}
	if len(all) == 0 {
		if whole := cutProbe(value); len(text.Words(whole)) >= sequenceWords {
			return []string{whole}
		}
	}
	probes := make([]string, min(maxProbes, len(all)))
	for i := range probes {
		probes[i] = all[i*len(all)/len(probes)]
	}
	return probes
}

// cutProbe returns the start of a sentence, at most probeRunes code points. It ends between two
// words, as the index separates them: only at spaces and punctuation.
func cutProbe(sentence string) string {
	runes := []rune(sentence)
	if len(runes) <= probeRunes {
		return sentence
	}
	start := string(runes[:probeRunes])
	return start[:max(0, strings.LastIndexFunc(start,
		func(r rune) bool { return unicode.IsSpace(r) || r > unicode.MaxLatin1 && unicode.IsPunct(r) }))]
}

var sequenceSeed = maphash.MakeSeed()

// wordSequences returns the hashes of the sequences of words in a text, in lower case.
func wordSequences(value string) map[uint64]struct{} {
	words := text.Words(strings.ToLower(value))
	sequences := make(map[uint64]struct{}, len(words))
	var hash maphash.Hash
	hash.SetSeed(sequenceSeed)
	for i := range len(words) - sequenceWords + 1 {
		hash.Reset()
		for _, word := range words[i : i+sequenceWords] {
			_, _ = hash.WriteString(word.Text)
			_ = hash.WriteByte(' ')
		}
		sequences[hash.Sum64()] = struct{}{}
	}
	return sequences
}

// shareOf returns the share of sequences that two texts have in common, from 0 to 1, to two
// decimals.
func shareOf(a, b map[uint64]struct{}) float64 {
	common := 0
	for sequence := range a {
		if _, both := b[sequence]; both {
			common++
		}
	}
	return math.Round(100*float64(common)/float64(max(1, len(a)+len(b)-common))) / 100
}
