package offline_test

import (
	"slices"
	"testing"

	"rostrum/llm/offline"
)

func TestFindNearest(t *testing.T) {
	t.Parallel()
	read := offline.ReadText("The harbour stays open. The council may license new turbines in spring. The council licenses ferries.")
	for point, want := range map[string]struct {
		passage string
		missing []string
	}{
		"The council licenses new turbines in autumn": {"The council may license new turbines in spring.",
			[]string{"autumn"}},
		"The council licenses new turbines": {"The council may license new turbines in spring.", []string{}},
		"The council licenses ferries and turbines": {"The council may license new turbines in spring.",
			[]string{"ferries"}},
		"Wages rise":             {},
		"The harbour closes":     {}, // half of the words are not enough
		"":                       {},
		"The harbour stays open": {"The harbour stays open.", []string{}},
	} {
		near, found := read.FindNearest(point)
		if found != (want.passage != "") || near.Evidence.Text != want.passage ||
			!slices.Equal(near.Missing, want.missing) {
			t.Errorf("%q: %+v %v", point, near, found)
		}
	}
}
