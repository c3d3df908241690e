package document

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text/search"
	"rostrum/model"
)

// MatchingIDs returns which of the ids are documents that match a filter that the documents' events
// can follow. It returns errs.ValidationFailed for an invalid filter and for one that no event
// follows, even without ids.
func (s *Service) MatchingIDs(ctx context.Context, workspaceID string, ids []string,
	filter *api.DocumentFilter) ([]string, error) {
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return nil, err
	}
	conditions := s.conditions(workspaceID, asked)
	if err := conditions.Check(filter); err != nil {
		return nil, err
	}
	if err := checkFollowed(filter, asked); err != nil || len(ids) == 0 {
		return nil, err
	}
	var found []string
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column("id").
		Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids))
	err = conditions.Apply(q, filter).Scan(ctx, &found)
	return found, dbx.Err(err)
}

// SharedByIDs returns ByIDs's documents for subscribers who share these reads, so they add nothing
// to the audit log.
func (s *Service) SharedByIDs(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Document, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids))
	return scanRows(ctx, dbx.SelectTexts(ctx, q, "content", columns...))
}

// checkFollowed returns errs.ValidationFailed for a field that documents start or cease to match
// without an event. For example, an embargo ends by time, and a reaction is no event.
func checkFollowed(filter *api.DocumentFilter, asked *askedQuery) error {
	if filter == nil {
		return nil
	}
	var invalid errs.FieldErrors
	if v := filter.Visibility.Value(); v != nil && *v != model.VisibilityInternal {
		invalid.Body("not_followed", "must be INTERNAL or absent: no change is sent when an embargo ends", "filter",
			"visibility")
	}
	if filter.HasReactions.Value() != nil {
		invalid.Body("not_followed", "must be absent: no change is sent for a reaction", "filter", "hasReactions")
	}
	if asked.asksFor(search.FieldSpeaker) || asked.asksFor(search.FieldIs, "public", "embargoed", "undecided") {
		invalid.Body("not_followed",
			"must not have speaker:, is:public, is:embargoed or is:undecided: no change is sent for a statement or when an embargo ends",
			"filter", "q")
	}
	return invalid.Err()
}

// asksFor reports whether the query has a term of the field, with one of the values if there are
// any.
func (a *askedQuery) asksFor(field search.Field, values ...string) bool {
	if a == nil {
		return false
	}
	return slices.ContainsFunc(slices.Concat(a.query...), func(t search.Term) bool {
		return t.Field == field && (len(values) == 0 || slices.Contains(values, t.Value))
	})
}

// RenamingEvents returns the events after which other documents may match the filter's names,
// because companies and executives are renamed, merged, or get other aliases.
func RenamingEvents(filter *api.DocumentFilter) []string {
	var names []string
	asked := &askedQuery{}
	if filter != nil && filter.Q.Value() != nil {
		asked.query, _ = search.Parse(*filter.Q.Value()) // an invalid one is refused before
	}
	if filter != nil && (filter.Company.Value() != nil || len(filter.Companies.Value()) > 0) ||
		asked.asksFor(search.FieldCompany) {
		names = append(names, model.EventCompanyChanged)
	}
	if filter != nil && (filter.Executive.Value() != nil || len(filter.Executives.Value()) > 0) ||
		asked.asksFor(search.FieldExecutive) {
		names = append(names, model.EventExecutiveChanged)
	}
	return names
}
