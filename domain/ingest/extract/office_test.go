package extract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// every selects the labelled texts of TestOfficePassages, as patterns over whole texts are slow.
const every = 12

// TestOfficePassages compares the executives of the passages around offices with those of the whole
// text, on labelled texts of speakers.
func TestOfficePassages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../test/bench/quality/speaker/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	named := 0
	for i := 0; i < len(files); i += every {
		file := files[i]
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var of struct{ Text string }
		if err := json.Unmarshal(data, &of); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		long := of.Text + strings.Repeat("\n\nThe harbour is open in winter.", 60) + "\n\n" + of.Text
		for _, text := range []string{of.Text, long} {
			whole, passages := []string{text}, officePassages(text)
			want, got := listNamedExecutives(whole), listNamedExecutives(passages)
			if !slices.Equal(got, want) {
				t.Errorf("%s: the passages name %v, the text %v", file, got, want)
			}
			if got, want := unaffiliatedExecutive(passages), unaffiliatedExecutive(whole); got != want {
				t.Errorf("%s: the passages name %q without a company, the text %q", file, got, want)
			}
			named += len(want)
		}
	}
	if named == 0 {
		t.Error("no text names an executive")
	}
}

// TestOfficePassages_edges checks offices at the ends of a text, and a text without one.
func TestOfficePassages_edges(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The harbour is open in winter. ", 200)
	for _, c := range []struct {
		text string
		want int
	}{
		{"CEO", 1}, {"", 0}, {filler, 0}, {filler + "chief executive", 1}, {"president " + filler + " founder", 2},
		{"The precio is high.", 0}, {"İ CEO", 1},
	} {
		if got := officePassages(c.text); len(got) != c.want {
			t.Errorf("%d passages of %.40q, want %d", len(got), c.text, c.want)
		}
	}
}
