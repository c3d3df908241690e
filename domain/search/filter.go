package search

import (
	"encoding/json"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// checkFormer replaces the filter's deprecated fields by those that took their place, which saved
// searches have only. A filter with both is invalid.
func checkFormer(f *api.DocumentFilter, invalid *errs.FieldErrors) {
	for _, field := range []struct {
		former  *graphql.Omittable[*string]
		present *graphql.Omittable[[]string]
		name    string
		instead string
	}{
		{&f.Company, &f.Companies, "company", "companies"}, {&f.Executive, &f.Executives, "executive", "executives"},
	} {
		switch name := field.former.Value(); {
		case name == nil:
		case len(field.present.Value()) > 0:
			invalid.Body("conflict", "must be absent: use "+field.instead+" only", "filter", field.name)
		default:
			*field.present, *field.former = graphql.OmittableOf([]string{*name}), graphql.Omittable[*string]{}
		}
	}
}

// storedFilter returns a filter as it is stored.
func storedFilter(f *api.DocumentFilter) (*model.SavedSearchFilter, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("write a filter: %w", err)
	}
	stored := new(model.SavedSearchFilter)
	if err := json.Unmarshal(text, stored); err != nil {
		return nil, fmt.Errorf("read a filter: %w", err)
	}
	return stored, nil
}

// filterOf returns the filter of documents of a search.
func filterOf(saved *model.SavedSearch) *api.DocumentFilter {
	f := new(api.DocumentFilter)
	if err := json.Unmarshal([]byte(filterText(saved)), f); err != nil {
		panic(fmt.Sprintf("the filter of %s cannot be read: %v", saved.ID, err)) // its type wrote it
	}
	return f
}

// filterText returns the filter as a text that is equal for equal filters.
func filterText(saved *model.SavedSearch) string {
	text, err := json.Marshal(saved.Filter)
	if err != nil {
		panic(fmt.Sprintf("the filter of %s cannot be written: %v", saved.ID, err)) // texts, times and lists of them
	}
	return string(text)
}
