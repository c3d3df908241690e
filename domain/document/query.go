package document

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/llm/text/search"
	"rostrum/model"
)

// askedQuery is a search's query with the words of the workspace's texts that it means. A nil query
// asks for nothing.
type askedQuery struct {
	service     *Service
	workspaceID string
	query       search.Query
	wrong       string              // what is wrong in it
	forms       map[string][]string // words of texts by the query's word, which comes first
}

// readQuery parses the filter's q and reads the words that it means. What is wrong in it is told by
// the filter's check.
func (s *Service) readQuery(ctx context.Context, workspaceID string, f *documentFilter) (*askedQuery, error) {
	if f == nil || f.Q.Value() == nil || strings.TrimSpace(*f.Q.Value()) == "" {
		return nil, nil
	}
	query, err := search.Parse(*f.Q.Value())
	if err != nil {
		return &askedQuery{wrong: err.Error()}, nil //nolint:nilerr // the check of the filter returns it
	}
	return s.widenQuery(ctx, workspaceID, query)
}

// widenQuery reads the words of the workspace's texts that the query means.
func (s *Service) widenQuery(ctx context.Context, workspaceID string, query search.Query) (*askedQuery, error) {
	var words []search.QueryWord
	for _, clause := range query {
		for _, term := range clause {
			if !term.IsExact {
				words = append(words, term.Words...)
			}
		}
	}
	forms, err := s.formsOf(ctx, workspaceID, words)
	return &askedQuery{service: s, workspaceID: workspaceID, query: query, forms: forms}, err
}

// hasText reports whether the query asks for words.
func (a *askedQuery) hasText() bool { return a != nil && a.query.HasText() }

func (a *askedQuery) check() string { return a.wrong }

// where selects the documents that the query finds.
func (a *askedQuery) where(q *bun.SelectQuery, _ string) *bun.SelectQuery {
	var texts []dbx.Match
	for _, clause := range a.query {
		if isText := !slices.ContainsFunc(clause, func(t search.Term) bool { return !t.IsText() || t.Not }); isText {
			texts = append(texts, a.matchClause(clause))
			continue
		}
		parts, args := make([]string, len(clause)), make([]any, len(clause))
		for i, term := range clause {
			parts[i], args[i] = "?", a.condition(term)
		}
		q = q.Where("("+strings.Join(parts, " OR ")+")", args...)
	}
	if len(texts) > 0 {
		q = q.Where("?", a.service.db.Matched("document", a.workspaceID, dbx.Match{All: texts}))
	}
	return q
}

// ranked returns the words by which documents are ranked: those that the query does not exclude.
func (a *askedQuery) ranked() dbx.Match {
	var all dbx.Match
	for _, clause := range a.query {
		texts := slices.DeleteFunc(slices.Clone(clause), func(t search.Term) bool { return !t.IsText() || t.Not })
		if len(texts) > 0 {
			all.All = append(all.All, a.matchClause(texts))
		}
	}
	return all
}

func (a *askedQuery) matchClause(clause search.Clause) dbx.Match {
	var either dbx.Match
	for _, term := range clause {
		either.Any = append(either.Any, a.match(term))
	}
	return either
}

// match returns the condition of a term on words.
func (a *askedQuery) match(t search.Term) dbx.Match {
	m := dbx.Match{Prefix: t.Prefix, InTitle: t.Field == search.FieldTitle}
	for i, word := range t.Words {
		switch isStart := t.Prefix && i+1 == len(t.Words); {
		case t.IsExact, isStart:
			m.Words = append(m.Words, []string{word.Form})
		default:
			m.Words = append(m.Words, a.forms[word.Form])
		}
	}
	return m
}

// matchForms returns the condition that a text has all words of another.
func matchForms(text string) dbx.Match {
	var all dbx.Match
	for _, form := range search.Forms(text) {
		all.All = append(all.All, dbx.Match{Words: [][]string{{form}}})
	}
	return all
}

// condition returns the condition of a term; one that excludes also selects the documents that lack
// the field.
func (a *askedQuery) condition(t search.Term) schema.QueryWithArgs {
	found := a.found(t)
	if t.Not {
		return bun.SafeQuery("NOT coalesce((?), false)", found)
	}
	return found
}

func (a *askedQuery) found(t search.Term) schema.QueryWithArgs {
	s, related := a.service, a.service.related
	party := func(kind model.PartyKind) schema.QueryWithArgs {
		return bun.SafeQuery("(? IN (?) OR ?)", bun.Ident(kind+"_id"), related.NamedParties(a.workspaceID, kind, t.Value),
			dbx.Contains(string(kind), t.Value))
	}
	switch t.Field {
	case search.FieldCompany:
		return party(model.PartyKindCompany)
	case search.FieldExecutive:
		return party(model.PartyKindExecutive)
	case search.FieldSpeaker:
		return bun.SafeQuery("id IN (?)", related.SpokenBy(a.workspaceID, t.Value))
	case search.FieldTag:
		values := s.db.NewSelect().TableExpr("(?) AS applied", related.TagValues(a.workspaceID)).Column("document_id").
			Where("lower(extracted_value) = lower(?)", t.Value)
		return bun.SafeQuery("(? OR id IN (?))", s.db.Includes("tags", t.Value), values)
	case search.FieldType:
		return bun.SafeQuery("(lower(communication_type) = lower(?) OR lower(content_type) = lower(?))", t.Value, t.Value)
	case search.FieldLanguage:
		return bun.SafeQuery("(lower(language) = ? OR lower(language) LIKE ?)", t.Value, t.Value+"-%")
	case search.FieldIs:
		return a.state(t.Value)
	case search.FieldAfter:
		return bun.SafeQuery("coalesce(extracted_date, created_at) >= ?", t.Day)
	case search.FieldBefore:
		return bun.SafeQuery("coalesce(extracted_date, created_at) < ?", t.Day)
	}
	return s.db.Matched("document", a.workspaceID, a.match(t))
}

// state returns the condition of a value of is:.
func (a *askedQuery) state(name string) schema.QueryWithArgs {
	switch name {
	case "hidden":
		return bun.SafeQuery("hidden")
	case "shown":
		return bun.SafeQuery("NOT hidden")
	case "undecided": // the index document_undecided has the first condition
		return bun.SafeQuery("(origins ->> 'visibility' = 'text' AND NOT ?)",
			visibility.Condition("document", model.VisibilityPublic, a.service.db.Now()))
	case "public", "internal", "embargoed":
		return visibility.Condition("document", model.Visibility(name), a.service.db.Now())
	}
	return bun.SafeQuery(stateConditions[model.DocumentState(name)])
}
