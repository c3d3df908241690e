package tag

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Filters returns the registry of the enabled comms filters; FilterPage returns the filters.
func (s *Service) Filters(ctx context.Context) (*api.CommsFilters, error) {
	p := principal.Must(ctx)
	filters, err := s.listFilters(ctx, s.db, p.WorkspaceID)
	return &api.CommsFilters{Filters: encodeRegistry(filters)}, err
}

// filterEntry is a filter in the registry.
type filterEntry struct {
	Enabled bool     `json:"enabled"`
	Values  []string `json:"values"`
}

// encodeRegistry returns the JSON map of the enabled filters.
func encodeRegistry(filters []*model.CommsFilter) json.RawMessage {
	entries := map[string]filterEntry{}
	for _, f := range filters {
		if f.Enabled {
			entries[f.AutoTagID] = filterEntry{true, f.Values}
		}
	}
	text, _ := json.Marshal(entries) //nolint:errchkjson // texts and a boolean
	return text
}

// filterTag returns a changed filter's tag.
func (s *Service) filterTag(ctx context.Context, workspaceID, id string) (*model.CommsFilterTag, error) {
	found, err := s.FiltersOf(ctx, workspaceID, []string{id})
	if err != nil || found[0] == nil {
		return nil, orElse(err, filterNotFound(id))
	}
	return found[0], nil
}

func filterNotFound(id string) error {
	return errs.New(errs.NotFound, "no comms filter %s in this workspace", id)
}

// changeFilters runs fn in a transaction that locks the workspace. It adds an audit entry about the
// subject, or about the workspace if subjectID is empty. It returns the error of fn.
func (s *Service) changeFilters(
	ctx context.Context, action, subjectID string,
	fn func(ctx context.Context, tx dbx.Tx, workspaceID string) (details map[string]any, err error),
) error {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		details, err := fn(ctx, tx, p.WorkspaceID)
		if err != nil {
			return err
		}
		return s.audit(ctx, tx, p.WorkspaceID, action, cmp.Or(subjectID, p.WorkspaceID), details)
	})
	if err != nil {
		return fmt.Errorf("change comms filters: %w", err)
	}
	return nil
}

// CreateFilter creates a manual filter. It returns errs.Conflict if the name is taken.
func (s *Service) CreateFilter(ctx context.Context, in api.CreateFilterTagInput) (*api.CreateFilterTagPayload, error) {
	p := principal.Must(ctx)
	t := newTag(p.WorkspaceID, in.Name, optional.ValueOr(in.Description.Value(), ""))
	t.Manual, t.TagType = true, model.ContentFilter
	f := newFilter(t, optional.ValueOr(in.Enabled.Value(), true), nil)
	err := s.changeFilters(ctx, "comms_filter.created", t.ID,
		func(ctx context.Context, tx dbx.Tx, _ string) (map[string]any, error) {
			if err := s.insertTag(ctx, tx, t); err != nil {
				return nil, err
			}
			return auditDetails(t, f), saveFilter(ctx, tx, f)
		})
	if err != nil {
		return nil, err
	}
	tag, err := s.filterTag(ctx, p.WorkspaceID, t.ID)
	return &api.CreateFilterTagPayload{Tag: tag}, err
}

func newFilter(t *model.AutoTag, enabled bool, values []string) *model.CommsFilter {
	return &model.CommsFilter{
		AutoTagID: t.ID, WorkspaceID: t.WorkspaceID, Enabled: enabled, Values: distinctValues(values),
		CreatedAt: model.Now(),
	}
}

// auditDetails returns the details of a filter's audit entry.
func auditDetails(t *model.AutoTag, f *model.CommsFilter) map[string]any {
	return map[string]any{"name": t.Name, "enabled": f.Enabled, "values": f.Values}
}

// UpdateFilter changes the given fields of a filter. It returns errs.NotFound, errs.Conflict if the
// name is taken, and errs.InvalidState for a linked auto-tag's name or description.
func (s *Service) UpdateFilter(ctx context.Context, in api.UpdateFilterTagInput) (*api.UpdateFilterTagPayload, error) {
	p := principal.Must(ctx)
	in.TagID = tagIDOf(in.TagID)
	err := s.changeFilters(ctx, "comms_filter.updated", in.TagID,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, f, err := s.filterAndTag(ctx, tx, workspaceID, in.TagID)
			if err != nil {
				return nil, err
			}
			if err := s.updateFilterText(ctx, tx, t, in); err != nil {
				return nil, err
			}
			f.Enabled = optional.ValueOr(in.Enabled.Value(), f.Enabled)
			if values := in.Values.Value(); values != nil {
				f.Values = distinctValues(values)
			}
			return auditDetails(t, f), s.applyFilter(ctx, tx, f)
		})
	if err != nil {
		return nil, err
	}
	tag, err := s.filterTag(ctx, p.WorkspaceID, in.TagID)
	return &api.UpdateFilterTagPayload{Tag: tag}, err
}

// filterAndTag returns a filter and its tag.
func (s *Service) filterAndTag(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.AutoTag,
	*model.CommsFilter, error) {
	f, err := s.filterByID(ctx, tx, workspaceID, id)
	if err != nil || f == nil {
		return nil, nil, orElse(err, filterNotFound(id))
	}
	t, err := s.tagByID(ctx, tx, workspaceID, id)
	return t, f, err
}

func (s *Service) updateFilterText(ctx context.Context, tx dbx.Tx, t *model.AutoTag,
	in api.UpdateFilterTagInput) error {
	if in.Name.Value() == nil && in.Description.Value() == nil {
		return nil
	}
	if !t.Manual {
		return errs.New(errs.InvalidState, "a linked filter has the name and description of its auto-tag; update the auto-tag instead")
	}
	renameTag(t, in.Name.Value(), in.Description.Value())
	t.Revision++
	return s.saveTag(ctx, tx, t)
}

// applyFilter stores a filter and updates the hidden documents.
func (s *Service) applyFilter(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	if err := saveFilter(ctx, tx, f); err != nil {
		return err
	}
	_, err := s.updateHidden(ctx, tx, f.WorkspaceID, nil)
	return err
}

// DeleteFilter deletes a manual filter with its values, or unlinks an auto-tag. It shows the hidden
// documents again. It returns errs.NotFound.
func (s *Service) DeleteFilter(ctx context.Context, id string) (*api.DeleteFilterTagPayload, error) {
	id = tagIDOf(id)
	out := &api.DeleteFilterTagPayload{DeletedID: id, Message: "Comms filter deleted successfully"}
	err := s.changeFilters(ctx, "comms_filter.deleted", id,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, f, err := s.filterAndTag(ctx, tx, workspaceID, id)
			if err != nil {
				return nil, err
			}
			if err := s.removeFilter(ctx, tx, f); err != nil {
				return nil, err
			}
			if !t.Manual {
				out.AutoTag, out.Message = t, "Tag unlinked successfully"
				return auditDetails(t, f), nil
			}
			return auditDetails(t, f), s.deleteTag(ctx, tx, t)
		})
	return out, err
}

// removeFilter shows the documents that a filter hides and deletes it.
func (s *Service) removeFilter(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	off := *f
	off.Enabled = false
	if err := s.applyFilter(ctx, tx, &off); err != nil {
		return err
	}
	return deleteFilter(ctx, tx, f)
}

// Link makes an auto-tag hide documents, or updates an existing link. It returns errs.NotFound.
func (s *Service) Link(ctx context.Context, in api.LinkTagInput) (*api.LinkTagPayload, error) {
	p := principal.Must(ctx)
	err := s.changeFilters(ctx, "comms_filter.linked", in.AutoTagID,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, err := s.lockTag(ctx, tx, workspaceID, in.AutoTagID, false)
			if err != nil {
				return nil, err
			}
			f := newFilter(t, optional.ValueOr(in.Enabled.Value(), true), in.Values.Value())
			return auditDetails(t, f), s.applyFilter(ctx, tx, f)
		})
	if err != nil {
		return nil, err
	}
	tag, err := s.filterTag(ctx, p.WorkspaceID, in.AutoTagID)
	return &api.LinkTagPayload{Tag: tag}, err
}

// Unlink removes an auto-tag from the filters and keeps its values. It returns errs.NotFound if it
// is not linked.
func (s *Service) Unlink(ctx context.Context, autoTagID string) (*api.UnlinkTagPayload, error) {
	out := &api.UnlinkTagPayload{}
	err := s.changeFilters(ctx, "comms_filter.unlinked", autoTagID,
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			t, f, err := s.filterAndTag(ctx, tx, workspaceID, autoTagID)
			if err != nil || t.Manual {
				return nil, orElse(err, filterNotFound(autoTagID))
			}
			out.AutoTag = t
			return auditDetails(t, f), s.removeFilter(ctx, tx, f)
		})
	return out, err
}

// Linkable returns one page of the auto-tags that are no filters and contain q in the name, by name
// (see dbx.List).
func (s *Service) Linkable(ctx context.Context, q *string, args model.PageArgs) (*model.AutoTagConnection, error) {
	p := principal.Must(ctx)
	return dbx.List[model.AutoTag]{
		Order: byName,
		Key:   func(t *model.AutoTag) (any, string) { return t.Name, t.ID },
		Where: func(rows *bun.SelectQuery) *bun.SelectQuery {
			rows = rows.Where("workspace_id = ? AND NOT manual", p.WorkspaceID).
				Where("NOT EXISTS (SELECT 1 FROM comms_filter AS f WHERE f.auto_tag_id = auto_tag.id)")
			if key := keyOf(optional.ValueOr(q, "")); key != "" {
				rows = rows.Where("name_key LIKE ? ESCAPE '!'", "%"+likeEscaper.Replace(key)+"%")
			}
			return rows
		},
	}.Page(ctx, s.db, args)
}

// Values reads the values that a tag has in documents; nil when the workspace has no such tag.
func (s *Service) Values(ctx context.Context, tagID string, q *string, limit int) (*api.FilterTagValues, error) {
	p := principal.Must(ctx)
	tagID = tagIDOf(tagID)
	t, err := s.tagByID(ctx, s.db, p.WorkspaceID, tagID)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	values, err := s.listValues(ctx, s.db, p.WorkspaceID, tagID, optional.ValueOr(q, ""), limit)
	if err != nil {
		return nil, err
	}
	total, err := s.countValues(ctx, p.WorkspaceID, tagID, optional.ValueOr(q, ""))
	return &api.FilterTagValues{
		Tag: &api.FilterTagRef{AutoTagID: t.ID, Name: t.Name, TagType: t.TagType}, Values: values, Total: total,
		Truncated: total > len(values),
	}, err
}
