package document

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm/text/search"
	"rostrum/platform/principal"
)

const (
	// maxSuggestions limits the corrected queries, and maxLike the words that are compared with a
	// misspelled one.
	maxSuggestions, maxLike = 3, 5000
	// correctedWords is the most words of a query that are corrected.
	correctedWords = 8
)

// Suggest returns up to three queries that find documents of the caller, if q has words that no
// text has: each such word is replaced by one that is spelled nearly the same. The query with most
// documents comes first. It returns errs.ValidationFailed for an invalid query.
func (s *Service) Suggest(ctx context.Context, q string) ([]string, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	filter := &api.DocumentFilter{Q: graphql.OmittableOf(&q)}
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil || asked == nil {
		return []string{}, err
	}
	if err := s.conditions(workspaceID, asked).Check(filter); err != nil {
		return nil, err
	}
	choices, err := s.corrections(ctx, workspaceID, asked)
	if err != nil {
		return nil, err
	}
	type counted struct {
		query     string
		documents int
	}
	var found []counted
	for _, choice := range choices {
		corrected := search.Replace(q, asked.query.Words(), choice)
		n, err := s.Count(ctx, &api.DocumentFilter{Q: graphql.OmittableOf(&corrected)})
		if err != nil {
			return nil, err
		}
		if n > 0 {
			found = append(found, counted{corrected, n})
		}
	}
	slices.SortStableFunc(found, func(a, b counted) int { return cmp.Compare(b.documents, a.documents) })
	queries := []string{}
	for _, one := range found[:min(len(found), maxSuggestions)] {
		queries = append(queries, one.query)
	}
	return queries, nil
}

// corrections returns replacements of the query's unknown words: one for the best spelling of each,
// and further ones with another spelling of one word.
func (s *Service) corrections(ctx context.Context, workspaceID string, asked *askedQuery) ([]map[string]string, error) {
	best := map[string]string{}
	others := map[string][]string{}
	words := asked.query.Words()
	for _, word := range words[:min(len(words), correctedWords)] {
		spellings, err := s.spellings(ctx, workspaceID, word, asked.forms[word.Form])
		if err != nil {
			return nil, err
		}
		if len(spellings) > 0 {
			best[word.Form], others[word.Form] = spellings[0], spellings[1:]
		}
	}
	if len(best) == 0 {
		return nil, nil
	}
	choices := []map[string]string{best}
	for _, word := range words {
		for _, spelling := range others[word.Form] {
			choice := map[string]string{word.Form: spelling}
			for form, other := range best {
				if form != word.Form {
					choice[form] = other
				}
			}
			choices = append(choices, choice)
		}
		delete(others, word.Form)
	}
	return choices, nil
}

// spellings returns words of the workspace's texts that are spelled nearly like a word that none
// has, the most similar first.
func (s *Service) spellings(ctx context.Context, workspaceID string, word search.QueryWord,
	forms []string) ([]string, error) {
	if word.IsGram || len(forms) > len(word.Variants()) {
		return nil, nil
	}
	known, err := s.knownWords(ctx, workspaceID, word.Variants())
	if err != nil || len(known) > 0 {
		return nil, err
	}
	starts, ends := word.Likeness()
	var rows []*wordRow
	err = s.db.NewSelect().Model(&rows).Distinct().Column("form").Where("workspace_id = ?", workspaceID).
		Where("(form > ? AND form < ? OR reversed > ? AND reversed < ?)", starts.Start, starts.End, ends.Start, ends.End).
		Order("form").Limit(maxLike).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	typos := map[string]int{}
	var found []string
	for _, row := range rows {
		if n := search.Typos(word.Form, row.Form); n >= 0 {
			typos[row.Form], found = n, append(found, row.Form)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(typos[a], typos[b]), strings.Compare(a, b)) })
	return found[:min(len(found), maxSuggestions)], nil
}
