package tag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// errDry ends a transaction that was only to show what it would do.
var errDry = errors.New("nothing is to be changed")

// Replace replaces the whole registry: what is left out is disabled and keeps its values. An id that is no filter's, or an entry that
// cannot be read, changes nothing and is named. A dry run does all of it but the last step, so it tells what the real one does.
func (s *Service) Replace(ctx context.Context, in model.ReplaceCommsFiltersInput, dryRun bool) (*model.ReplaceCommsFiltersPayload, error) {
	entries, err := readEntries(in.Filters)
	if err != nil {
		return nil, err
	}
	out := &model.ReplaceCommsFiltersPayload{Message: "Comms filters updated successfully"}
	err = s.changing(ctx, "comms_filters.replaced", "", func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
		filters, err := s.filters(ctx, tx, workspaceID)
		if err != nil {
			return nil, err
		}
		if err := replaced(filters, entries); err != nil {
			return nil, err
		}
		c, err := s.plan(ctx, tx, workspaceID, filters, nil)
		if err != nil {
			return nil, err
		}
		out.Filters, out.Hidden, out.Shown = registry(filters), listOf(c.hidden), listOf(c.shown)
		if dryRun {
			return nil, errDry
		}
		return map[string]any{"filters": out.Filters}, s.write(ctx, tx, workspaceID, filters, c)
	})
	if errors.Is(err, errDry) {
		out.Message, err = "Nothing was changed", nil
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Service) write(ctx context.Context, tx dbx.Tx, workspaceID string, filters []*model.CommsFilter, c *change) error {
	for _, f := range filters {
		if err := saveFilter(ctx, tx, f); err != nil {
			return err
		}
	}
	return s.carryOut(ctx, tx, workspaceID, c)
}

func listOf(ids []string) []string { return append([]string{}, ids...) }

// replaced gives the filters their new entries.
func replaced(filters []*model.CommsFilter, entries map[string]entry) error {
	known := map[string]bool{}
	for _, f := range filters {
		e, given := entries[f.AutoTagID]
		known[f.AutoTagID], f.Enabled = true, e.Enabled
		if given {
			f.Values = e.Values
		}
	}
	var bad []errs.Field
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		if !known[id] {
			bad = append(bad, errs.BodyField("value_error", "is no comms filter of this workspace; an auto-tag is linked first", "filters", id))
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

// maxFilterValues bounds the values of one entry.
const maxFilterValues = 1000

// readEntries reads the map and names every entry that is none.
func readEntries(text json.RawMessage) (map[string]entry, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return nil, errs.Invalid(errs.BodyField("dict_type", "must be a map of tag id to true, false or an object with enabled and values", "filters"))
	}
	entries, bad := map[string]entry{}, []errs.Field(nil)
	for _, id := range slices.Sorted(maps.Keys(given)) {
		e, field, err := readEntry(given[id])
		if err != nil {
			path := []any{"filters", id}
			if field != "" {
				path = append(path, field)
			}
			bad = append(bad, errs.BodyField("value_error", err.Error(), path...))
		}
		entries[id] = e
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	return entries, nil
}

// readEntry reads one entry; an error comes with the name of the field that it is about, if it is about one.
func readEntry(text json.RawMessage) (e entry, field string, err error) {
	e.Values = []string{}
	if json.Unmarshal(text, &e.Enabled) == nil && string(text) != "null" {
		return e, "", nil
	}
	var object struct{ Enabled, Values json.RawMessage }
	if err := json.Unmarshal(text, &object); err != nil || string(text) == "null" {
		return e, "", errors.New("must be true, false or an object with enabled and values")
	}
	if object.Enabled == nil || string(object.Enabled) == "null" || json.Unmarshal(object.Enabled, &e.Enabled) != nil {
		return e, "enabled", errors.New("must be true or false")
	}
	var values []string
	if object.Values != nil && json.Unmarshal(object.Values, &values) != nil {
		return e, "values", errors.New("must be a list of texts")
	}
	if len(values) > maxFilterValues {
		return e, "values", fmt.Errorf("must have at most %d values", maxFilterValues)
	}
	e.Values = distinct(values)
	return e, "", nil
}
