package document

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm/text/search"
	"rostrum/model"
	"rostrum/platform/principal"
)

// readRunes is how much of a text is searched for an excerpt, and excerptsTogether the texts that
// are held at the same time.
const readRunes, excerptsTogether = 100_000, 10

// Excerpts returns, for each document, the part of its text that has most of the query's words. It
// searches the first 100,000 characters. It returns errs.ValidationFailed for an invalid query.
func (s *Service) Excerpts(ctx context.Context, docs []*model.Document, q string) ([]*model.TextExcerpt, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	filter := &api.DocumentFilter{Q: graphql.OmittableOf(&q)}
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return nil, err
	}
	if err := s.conditions(workspaceID, asked).Check(filter); err != nil {
		return nil, err
	}
	marker, byID := asked.marker(), map[string]*model.TextExcerpt{}
	for batch := range slices.Chunk(docs, excerptsTogether) {
		ids := make([]string, len(batch))
		for i, doc := range batch {
			ids[i] = doc.ID
		}
		model.NoteDocuments(ctx, ids...)
		var texts []struct{ ID, Title, Text string }
		err := s.db.NewSelect().TableExpr("document").Column("id", "title").
			ColumnExpr("substr(coalesce(content, ''), 1, ?) AS text", readRunes).
			Where("workspace_id = ? AND id ?", workspaceID, dbx.AnyOf(ids)).Scan(ctx, &texts)
		if err != nil {
			return nil, dbx.Err(err)
		}
		for _, one := range texts {
			text, marks := marker.Excerpt(one.Text)
			byID[one.ID] = &model.TextExcerpt{Text: text, Marks: toMarks(marks), TitleMarks: toMarks(marker.Marks(one.Title))}
		}
	}
	excerpts := make([]*model.TextExcerpt, len(docs))
	for i, doc := range docs {
		excerpts[i] = byID[doc.ID]
	}
	return excerpts, nil
}

func toMarks(marks []search.Mark) []*model.TextMark {
	out := make([]*model.TextMark, len(marks))
	for i, mark := range marks {
		out[i] = &model.TextMark{Start: mark.Start, End: mark.End}
	}
	return out
}

// marker returns what finds the query's words in a text.
func (a *askedQuery) marker() search.Marker {
	m := search.Marker{Forms: map[string]bool{}}
	if a == nil {
		return m
	}
	for _, term := range slices.Concat(a.query...) {
		if term.Not || !term.IsText() {
			continue
		}
		for i, word := range term.Words {
			if term.Prefix && i+1 == len(term.Words) {
				m.Prefixes = append(m.Prefixes, word.Form)
				continue
			}
			m.Forms[word.Form] = true
			if !term.IsExact {
				for _, form := range a.forms[word.Form] {
					m.Forms[form] = true
				}
			}
		}
	}
	return m
}
