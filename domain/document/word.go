package document

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/llm/text/search"
)

const (
	// maxForms limits the words of texts that one statement finds for the words of a query.
	maxForms = 2000
	// splitWords is the number of words from which a query is a sentence, whose words are not
	// searched in compounds.
	splitWords = 8
)

// formsOf returns the words of the workspace's texts that the query's words mean, by their forms:
// the word itself, words with the same stem, and compounds of which it is a part.
func (s *Service) formsOf(ctx context.Context, workspaceID string, words []search.QueryWord) (map[string][]string,
	error) {
	forms := map[string][]string{}
	for _, word := range words {
		forms[word.Form] = word.Variants()
	}
	if err := s.addInflected(ctx, workspaceID, words, forms); err != nil || len(words) > splitWords {
		return forms, err
	}
	return forms, s.addCompounds(ctx, workspaceID, words, forms)
}

func addForm(forms map[string][]string, word, form string) {
	if !slices.Contains(forms[word], form) {
		forms[word] = append(forms[word], form)
	}
}

// addInflected adds the words with the stem of a query's word in the language of their text.
func (s *Service) addInflected(ctx context.Context, workspaceID string, words []search.QueryWord,
	forms map[string][]string) error {
	meant, stems := map[search.Key][]string{}, []string{}
	for _, word := range words {
		for _, key := range word.Keys() {
			meant[key] = append(meant[key], word.Form)
			stems = append(stems, key.Stem)
		}
	}
	if len(stems) == 0 {
		return nil
	}
	slices.Sort(stems)
	var rows []*wordRow
	err := s.db.NewSelect().Model(&rows).Column("form", "language", "stem").
		Where("workspace_id = ? AND stem IN ?", workspaceID, bun.Tuple(slices.Compact(stems))).
		Order("form", "language", "stem").Limit(maxForms).Scan(ctx)
	for _, row := range rows {
		for _, word := range meant[search.Key{Language: row.Language, Stem: row.Stem}] {
			addForm(forms, word, row.Form)
		}
	}
	return dbx.Err(err)
}

// compoundPart is a word of a text that may be a compound with a query's word.
type compoundPart struct {
	word, form string
	rests      []string
}

// addCompounds adds the compounds that start or end with a query's word and whose rest is a word of
// the workspace's texts too.
func (s *Service) addCompounds(ctx context.Context, workspaceID string, words []search.QueryWord,
	forms map[string][]string) error {
	var parts []compoundPart
	var rests []string
	for _, word := range words {
		for _, base := range word.Bases() {
			rows, err := s.wordsAround(ctx, workspaceID, base)
			if err != nil {
				return err
			}
			for _, row := range rows {
				found := search.RestsOf(base, search.Word{Form: row.Form, Language: row.Language, Stem: row.Stem})
				parts, rests = append(parts, compoundPart{word.Form, row.Form, found}), append(rests, found...)
			}
		}
	}
	known, err := s.knownWords(ctx, workspaceID, rests)
	for _, part := range parts {
		if slices.ContainsFunc(part.rests, func(rest string) bool { return known[rest] }) {
			addForm(forms, part.word, part.form)
		}
	}
	return err
}

// wordsAround returns the words that start or end with a stem, of languages that join words.
func (s *Service) wordsAround(ctx context.Context, workspaceID, base string) ([]*wordRow, error) {
	start, end := search.StartingWith(base), search.StartingWith(search.Reversed(base))
	var rows []*wordRow
	err := s.db.NewSelect().Model(&rows).Column("form", "language", "stem").
		Where("workspace_id = ? AND language IN ?", workspaceID, bun.Tuple(search.CompoundLanguages)).
		Where("(form > ? AND form < ? OR reversed > ? AND reversed < ?)", start.Start, start.End, end.Start, end.End).
		Order("form", "language", "stem").Limit(maxForms).Scan(ctx)
	return rows, dbx.Err(err)
}

// knownWords returns which of the words or stems the workspace's texts have.
func (s *Service) knownWords(ctx context.Context, workspaceID string, words []string) (map[string]bool, error) {
	known := map[string]bool{}
	if len(words) == 0 {
		return known, nil
	}
	slices.Sort(words)
	words = slices.Compact(words)
	var rows []*wordRow
	err := s.db.NewSelect().Model(&rows).Column("form", "stem").
		Where("workspace_id = ? AND (form IN ? OR stem IN ?)", workspaceID, bun.Tuple(words), bun.Tuple(words)).Scan(ctx)
	for _, row := range rows {
		known[row.Form], known[row.Stem] = true, true
	}
	return known, dbx.Err(err)
}
