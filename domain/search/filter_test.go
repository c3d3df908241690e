package search

import (
	"encoding/json"
	"reflect"
	"testing"

	"rostrum/api"
	"rostrum/model"
)

// TestStoredFilter checks that a saved search keeps every condition that lists of documents have,
// but those that others replace.
func TestStoredFilter(t *testing.T) {
	const text = `{"q":"a","tag":"b","contentType":"c","mediaProvenance":"owned","processingStatus":"failed",` +
		`"created":{"From":"2026-01-02T03:04:05Z","To":null},"published":{"From":null,"To":"2026-01-02T03:04:05Z"},` +
		`"languages":["d"],"authors":["e"],"companies":["f"],"executives":["g"],"communicationTypes":["h"],` +
		`"autoTags":[{"autoTagId":"i","value":"j"}],"states":["ready"],"hasReactions":false,"visibility":"internal"}`
	f := new(api.DocumentFilter)
	if err := json.Unmarshal([]byte(text), f); err != nil {
		t.Fatal(err)
	}
	for field, value := range reflect.ValueOf(*f).Fields() {
		isReplaced := field.Name == "Company" || field.Name == "Executive"
		if isSet := value.MethodByName("IsSet").Call(nil)[0].Bool(); isSet == isReplaced {
			t.Errorf("the test sets %s: %v", field.Name, isSet)
		}
	}
	stored, err := storedFilter(f)
	if err != nil {
		t.Fatal(err)
	}
	saved := &model.SavedSearch{Filter: stored}
	if got := filterText(saved); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
	if again, err := storedFilter(filterOf(saved)); err != nil || !reflect.DeepEqual(again, stored) {
		t.Errorf("%+v, %v", again, err)
	}
}
