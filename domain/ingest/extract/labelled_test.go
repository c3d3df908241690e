package extract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rostrum/llm/text/speaker"
	"rostrum/model/optional"
)

// The sets were labelled by an author who had not seen the rules.

// labelledDocument is a pasted text with the company that speaks, its author and the people who are
// quoted.
type labelledDocument struct {
	Text            string
	Company, Author *string
	Speakers        []string
}

func readLabelled[T any](t *testing.T, name string) (rows []T) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(body, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestAttribution_labelled_dates: no date is wrong, and at least 20 of 24 are found.
func TestAttribution_labelled_dates(t *testing.T) {
	t.Parallel()
	found := 0
	for _, row := range readLabelled[struct {
		Text      string
		Published *string
	}](t, "labelled_dates.json") {
		date := Attribution(row.Text, Meta{}).Published
		if date == nil {
			continue
		}
		found++
		if got, want := date.Format("2006-01-02"), optional.ValueOr(row.Published, "no date"); got != want {
			t.Errorf("%s, want %s: %.100q", got, want, row.Text)
		}
	}
	if found < 20 {
		t.Errorf("%d dates are found", found)
	}
}

// TestAttribution_labelled_texts: no company, executive or date is wrong, and at least five of six dates
// are found. A company may lack its legal form.
func TestAttribution_labelled_texts(t *testing.T) {
	t.Parallel()
	dates, found := 0, 0
	for _, row := range readLabelled[struct {
		Title, Text           string
		Companies, Executives []string
		Published             *string
	}](t, "labelled_texts.json") {
		got := Attribution(row.Text, Meta{Title: row.Title})
		isOf := func(name string, labels []string) bool {
			return name == "" || slices.ContainsFunc(labels, func(label string) bool { return strings.HasPrefix(label, name) })
		}
		if !isOf(got.Company, row.Companies) || !isOf(got.Executive, row.Executives) {
			t.Errorf("%s: %q and %q, want one of %q and %q", row.Title, got.Company, got.Executive, row.Companies, row.Executives)
		}
		if row.Published != nil {
			dates++
		}
		if got.Published == nil {
			continue
		}
		found++
		if date := got.Published.Format("2006-01-02"); date != optional.ValueOr(row.Published, "no date") {
			t.Errorf("%s: the date %s, want %v", row.Title, date, optional.ValueOr(row.Published, "no date"))
		}
	}
	if found*6 < dates*5 {
		t.Errorf("%d of %d dates are found", found, dates)
	}
}

// TestAttribution_labelled_documents: at most one company is wrong. Of the speakers, 99 % of the
// proved and 85 % of the probable ones are right, and three quarters of the people are found.
func TestAttribution_labelled_documents(t *testing.T) {
	t.Parallel()
	var wrongCompanies, wrongAuthors, people, foundPeople int
	shown, right := map[speaker.Certainty]int{}, map[speaker.Certainty]int{}
	for _, row := range readLabelled[labelledDocument](t, "labelled_documents.json") {
		got := Attribution(row.Text, Meta{})
		if got.Company != "" && got.Company != optional.ValueOr(row.Company, "") {
			wrongCompanies++
			t.Logf("the company %q: %.60q", got.Company, row.Text)
		}
		// Who signs a speech or a statement is its author, too.
		if got.Author != "" && got.Author != optional.ValueOr(row.Author, "") && !isOneOf(row.Speakers, got.Author) {
			wrongAuthors++
			t.Logf("the author %q: %.60q", got.Author, row.Text)
		}
		var named []string
		for _, said := range speaker.Read(speaker.Source{Text: row.Text, Executive: got.Executive}).Statements() {
			if said.Speaker == "" {
				continue
			}
			shown[said.Certainty()]++
			named = append(named, said.Speaker)
			if isOneOf(row.Speakers, said.Speaker) || said.Speaker == optional.ValueOr(row.Author, "") {
				right[said.Certainty()]++
			}
		}
		for _, person := range row.Speakers {
			people++
			if isOneOf(named, person) {
				foundPeople++
			}
		}
	}
	t.Logf("wrong companies %d, wrong authors %d, speakers right %v of %v, people found %d of %d", wrongCompanies,
		wrongAuthors, right, shown, foundPeople, people)
	if wrongCompanies > 1 || wrongAuthors > 0 || 100*right[speaker.Proved] < 99*shown[speaker.Proved] ||
		100*right[speaker.Probable] < 85*shown[speaker.Probable] || 4*foundPeople < 3*people {
		t.Error("the figures are below their aims")
	}
}

// isOneOf reports whether a name, or a shorter or longer form of it, is in a list.
func isOneOf(names []string, name string) bool {
	return slices.ContainsFunc(names, func(one string) bool {
		return strings.Contains(one, name) || strings.Contains(name, one)
	})
}
