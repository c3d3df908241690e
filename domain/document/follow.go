package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// MatchingByIDs returns ByIDs's documents as far as they match a filter that the documents' events
// can follow. Subscribers share these reads, so they add nothing to the audit log. It returns
// errs.ValidationFailed for an invalid filter and for one that no event follows, even without ids.
func (s *Service) MatchingByIDs(
	ctx context.Context, workspaceID string, ids []string, filter *api.DocumentFilter, columns ...string,
) ([]*model.Document, error) {
	conditions := s.conditions(workspaceID)
	if err := conditions.Check(filter); err != nil {
		return nil, err
	}
	if err := checkFollowed(filter); err != nil || len(ids) == 0 {
		return nil, err
	}
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column(columns...).
		Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids))
	return scanRows(ctx, conditions.Apply(q, filter))
}

// checkFollowed returns errs.ValidationFailed for a field that documents start or cease to match
// without an event. For example, an embargo ends by time, and a reaction is no event.
func checkFollowed(filter *api.DocumentFilter) error {
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
	return invalid.Err()
}

// RenamingEvents returns the events after which other documents may match the filter's names,
// because companies and executives are renamed, merged, or get other aliases.
func RenamingEvents(filter *api.DocumentFilter) []string {
	var names []string
	if filter != nil && (filter.Company.Value() != nil || len(filter.Companies.Value()) > 0) {
		names = append(names, model.EventCompanyChanged)
	}
	if filter != nil && (filter.Executive.Value() != nil || len(filter.Executives.Value()) > 0) {
		names = append(names, model.EventExecutiveChanged)
	}
	return names
}
