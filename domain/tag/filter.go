package tag

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Filters reads the caller's comms filters and the registry of the enabled ones.
func (s *Service) Filters(ctx context.Context) (*model.CommsFilters, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	filters, err := s.filters(ctx, s.db, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	tags, err := s.filterTags(ctx, p.WorkspaceID, filters)
	return &model.CommsFilters{Tags: tags, Filters: registry(filters)}, err
}

// entry is a filter as the registry shows it (workspace-api.md, "CommsFilterEntry").
type entry struct {
	Enabled bool     `json:"enabled"`
	Values  []string `json:"values"`
}

// registry is the map of the enabled filters.
func registry(filters []*model.CommsFilter) json.RawMessage {
	entries := map[string]entry{}
	for _, f := range filters {
		if f.Enabled {
			entries[f.AutoTagID] = entry{true, f.Values}
		}
	}
	text, _ := json.Marshal(entries) //nolint:errchkjson // texts and a boolean
	return text
}

// filterTags reads what filters show of themselves; the number of statements does not depend on how many there are.
func (s *Service) filterTags(ctx context.Context, workspaceID string, filters []*model.CommsFilter) ([]*model.CommsFilterTag, error) {
	ids := make([]string, len(filters))
	for i, f := range filters {
		ids[i] = f.AutoTagID
	}
	tags, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	counts, err := s.hiddenCounts(ctx, s.db, workspaceID)
	if err != nil {
		return nil, err
	}
	examples, err := s.filterExamples(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	byID := map[string]*model.AutoTag{}
	for _, t := range tags {
		byID[t.ID] = t
	}
	out := []*model.CommsFilterTag{}
	for _, f := range filters {
		if t := byID[f.AutoTagID]; t != nil {
			out = append(out, &model.CommsFilterTag{
				ID: t.ID, Name: t.Name, Description: t.Description, TagType: t.TagType, Enabled: f.Enabled, Values: f.Values,
				HiddenCount: counts[t.ID], FilterExamples: append([]*model.CommsFilterExample{}, examples[t.ID]...),
			})
		}
	}
	return out, nil
}

// shown reads one filter's tag after it was changed.
func (s *Service) shown(ctx context.Context, workspaceID, id string) (*model.FilterTagPayload, error) {
	f, err := s.filterByID(ctx, s.db, workspaceID, id)
	if err != nil || f == nil {
		return nil, orElse(err, noFilter(id))
	}
	tags, err := s.filterTags(ctx, workspaceID, []*model.CommsFilter{f})
	if err != nil || len(tags) == 0 {
		return nil, orElse(err, noFilter(id))
	}
	return &model.FilterTagPayload{Tag: tags[0]}, nil
}

func noFilter(id string) error {
	return errs.New(errs.NotFound, "there is no comms filter %s in this workspace", id)
}

// changing runs fn in a transaction that holds the workspace's lock, and writes a line of the audit log about the subject, or about
// the workspace when it is empty.
func (s *Service) changing(
	ctx context.Context, action, subjectID string, fn func(ctx context.Context, tx dbx.Tx, workspaceID string) (details map[string]any, err error),
) error {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		details, err := fn(ctx, tx, p.WorkspaceID)
		if err != nil {
			return err
		}
		return s.note(ctx, tx, p.WorkspaceID, action, cmp.Or(subjectID, p.WorkspaceID), details)
	})
	if err != nil {
		return fmt.Errorf("change comms filters: %w", err)
	}
	return nil
}

// CreateFilter makes a manual filter. It fails with conflict when another one has its name.
func (s *Service) CreateFilter(ctx context.Context, in model.CreateFilterTagInput) (*model.FilterTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	t := fresh(p.WorkspaceID, in.Name, model.ValueOr(in.Description.Value(), ""))
	t.Manual, t.TagType = true, model.ContentFilter
	f := newFilter(t, model.ValueOr(in.Enabled.Value(), true), nil)
	err = s.changing(ctx, "comms_filter.created", t.ID, func(ctx context.Context, tx dbx.Tx, _ string) (map[string]any, error) {
		if err := s.insertTag(ctx, tx, t); err != nil {
			return nil, err
		}
		return told(t, f), saveFilter(ctx, tx, f)
	})
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, p.WorkspaceID, t.ID)
}

func newFilter(t *model.AutoTag, enabled bool, values []string) *model.CommsFilter {
	return &model.CommsFilter{
		AutoTagID: t.ID, WorkspaceID: t.WorkspaceID, Enabled: enabled, Values: distinct(values), CreatedAt: model.Now(),
	}
}

// told is what the audit log says of a filter.
func told(t *model.AutoTag, f *model.CommsFilter) map[string]any {
	return map[string]any{"name": t.Name, "enabled": f.Enabled, "values": f.Values}
}

// UpdateFilter changes what is given of a filter. It fails with not_found, with conflict when a name is taken, and with
// invalid_state when name or description of a linked auto-tag is given.
func (s *Service) UpdateFilter(ctx context.Context, id string, in model.UpdateFilterTagInput) (*model.FilterTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	err = s.changing(ctx, "comms_filter.updated", id, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, f, err := s.both(ctx, tx, workspaceID, id)
		if err != nil {
			return nil, err
		}
		if err := s.reword(ctx, tx, t, in); err != nil {
			return nil, err
		}
		f.Enabled = model.ValueOr(in.Enabled.Value(), f.Enabled)
		if values := in.Values.Value(); values != nil {
			f.Values = distinct(values)
		}
		return told(t, f), s.put(ctx, tx, f)
	})
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, p.WorkspaceID, id)
}

// both reads a filter and its tag.
func (s *Service) both(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.AutoTag, *model.CommsFilter, error) {
	f, err := s.filterByID(ctx, tx, workspaceID, id)
	if err != nil || f == nil {
		return nil, nil, orElse(err, noFilter(id))
	}
	t, err := s.tagByID(ctx, tx, workspaceID, id)
	return t, f, err
}

func (s *Service) reword(ctx context.Context, tx dbx.Tx, t *model.AutoTag, in model.UpdateFilterTagInput) error {
	if in.Name.Value() == nil && in.Description.Value() == nil {
		return nil
	}
	if !t.Manual {
		return errs.New(errs.InvalidState, "name and description are those of the linked auto-tag; change them there")
	}
	rename(t, in.Name.Value(), in.Description.Value())
	t.Revision++
	return s.saveTag(ctx, tx, t)
}

// put writes a filter and makes documents hidden as it asks.
func (s *Service) put(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	if err := saveFilter(ctx, tx, f); err != nil {
		return err
	}
	_, err := s.refresh(ctx, tx, f.WorkspaceID, nil)
	return err
}

// DeleteFilter removes a manual filter with its values, or unlinks an auto-tag; what it hid is shown. It fails with not_found.
func (s *Service) DeleteFilter(ctx context.Context, id string) (*model.FilterMessagePayload, error) {
	message := "Comms filter deleted successfully"
	err := s.changing(ctx, "comms_filter.deleted", id, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, f, err := s.both(ctx, tx, workspaceID, id)
		if err != nil {
			return nil, err
		}
		if err := s.take(ctx, tx, f); err != nil {
			return nil, err
		}
		if !t.Manual {
			message = unlinked
			return told(t, f), nil
		}
		return told(t, f), deleteTag(ctx, tx, t)
	})
	return &model.FilterMessagePayload{Message: message}, err
}

// take shows what a filter hides and removes it.
func (s *Service) take(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	off := *f
	off.Enabled = false
	if err := s.put(ctx, tx, &off); err != nil {
		return err
	}
	return deleteFilter(ctx, tx, f)
}

// Link makes an auto-tag hide documents; a linked one takes on what is given. It fails with not_found.
func (s *Service) Link(ctx context.Context, autoTagID string, in *model.LinkTagInput) (*model.FilterTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if in == nil {
		in = &model.LinkTagInput{}
	}
	err = s.changing(ctx, "comms_filter.linked", autoTagID, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, err := s.forUpdate(ctx, tx, workspaceID, autoTagID, false)
		if err != nil {
			return nil, err
		}
		f := newFilter(t, model.ValueOr(in.Enabled.Value(), true), in.Values.Value())
		return told(t, f), s.put(ctx, tx, f)
	})
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, p.WorkspaceID, autoTagID)
}

const unlinked = "Tag unlinked successfully"

// Unlink takes an auto-tag from the filters; it stays with its values. It fails with not_found when it is none that is linked.
func (s *Service) Unlink(ctx context.Context, autoTagID string) (*model.FilterMessagePayload, error) {
	err := s.changing(ctx, "comms_filter.unlinked", autoTagID, func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		t, f, err := s.both(ctx, tx, workspaceID, autoTagID)
		if err != nil || t.Manual {
			return nil, orElse(err, noFilter(autoTagID))
		}
		return told(t, f), s.take(ctx, tx, f)
	})
	return &model.FilterMessagePayload{Message: unlinked}, err
}

// Linkable reads the auto-tags that are no filters yet.
func (s *Service) Linkable(ctx context.Context, q *string) (*model.LinkableTags, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	tags, err := s.linkable(ctx, p.WorkspaceID, model.ValueOr(q, ""))
	return &model.LinkableTags{Tags: tags}, err
}

// Values reads the values that a tag has in documents; nil when the workspace has no such tag.
func (s *Service) Values(ctx context.Context, tagID string, q *string, limit int) (*model.FilterTagValues, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	t, err := s.tagByID(ctx, s.db, p.WorkspaceID, tagID)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	values, err := s.values(ctx, s.db, p.WorkspaceID, tagID, model.ValueOr(q, ""), limit)
	if err != nil {
		return nil, err
	}
	total, err := s.countValues(ctx, p.WorkspaceID, tagID, model.ValueOr(q, ""))
	return &model.FilterTagValues{
		Tag: &model.FilterTagRef{ID: t.ID, Name: t.Name, TagType: t.TagType}, Values: values, Total: total, Truncated: total > len(values),
	}, err
}
