package tag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// errDryRun rolls back the transaction of a dry run.
var errDryRun = errors.New("dry run")

// Replace replaces the whole registry. Omitted filters are disabled and keep their values. It
// returns errs.ValidationFailed naming every unknown or invalid entry. A dry run only skips the
// last step, so it returns the same result and errors.
func (s *Service) Replace(ctx context.Context, in api.ReplaceCommsFiltersInput) (*api.ReplaceCommsFiltersPayload,
	error) {
	entries, err := parseEntries(in.Filters)
	if err != nil {
		return nil, err
	}
	out := &api.ReplaceCommsFiltersPayload{}
	err = s.changeFilters(ctx, "comms_filters.replaced", "",
		func(ctx context.Context, tx dbx.Tx, workspaceID string) (map[string]any, error) {
			filters, err := s.listFilters(ctx, tx, workspaceID)
			if err != nil {
				return nil, err
			}
			if err := replaceEntries(filters, entries); err != nil {
				return nil, err
			}
			c, err := s.planChange(ctx, tx, workspaceID, filters, nil)
			if err != nil {
				return nil, err
			}
			out.Filters, out.HiddenDocumentIds, out.ShownDocumentIds = encodeRegistry(filters), listOf(c.hidden),
				listOf(c.shown)
			if optional.ValueOr(in.DryRun.Value(), false) {
				return nil, errDryRun
			}
			return map[string]any{"filters": out.Filters}, s.saveFilters(ctx, tx, workspaceID, filters, c)
		})
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, err
	}
	return out, nil
}

func (s *Service) saveFilters(ctx context.Context, tx dbx.Tx, workspaceID string, filters []*model.CommsFilter,
	c *hiddenChange) error {
	for _, f := range filters {
		if err := saveFilter(ctx, tx, f); err != nil {
			return err
		}
	}
	return s.applyChange(ctx, tx, workspaceID, c)
}

func listOf(ids []string) []string { return append([]string{}, ids...) }

// replaceEntries sets the filters' new entries. It returns an error for unknown ids.
func replaceEntries(filters []*model.CommsFilter, entries map[string]filterEntry) error {
	known := map[string]bool{}
	for _, f := range filters {
		e, given := entries[f.AutoTagID]
		known[f.AutoTagID], f.Enabled = true, e.Enabled
		if given {
			f.Values = e.Values
		}
	}
	var invalid errs.FieldErrors
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		if !known[id] {
			invalid.Body("value_error", "is not a comms filter of this workspace; link the auto-tag first", "filters",
				id)
		}
	}
	return invalid.Err()
}

// maxFilterValues is the maximum number of values of an entry.
const maxFilterValues = 1000

// parseEntries parses the map and returns an error that names every invalid entry.
func parseEntries(text json.RawMessage) (map[string]filterEntry, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return nil, errs.Invalid(errs.BodyField("dict_type",
			"must be a map of tag id to true, false or an object with enabled and values", "filters"))
	}
	entries := map[string]filterEntry{}
	var invalid errs.FieldErrors
	for _, id := range slices.Sorted(maps.Keys(given)) {
		e, field, err := parseEntry(given[id])
		if err != nil {
			path := []any{"filters", id}
			if field != "" {
				path = append(path, field)
			}
			invalid.Body("value_error", err.Error(), path...)
		}
		entries[id] = e
	}
	return entries, invalid.Err()
}

// parseEntry parses one entry; an error comes with the name of its field, if it has one.
func parseEntry(text json.RawMessage) (e filterEntry, field string, err error) {
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
	e.Values = distinctValues(values)
	return e, "", nil
}
