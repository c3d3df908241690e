package quality

import (
	"cmp"
	"slices"
	"strings"

	"rostrum/model"
)

// Extraction is an extractor's result for a page: text, or the reason why there is none.
type Extraction struct {
	Title, Author, Language string
	// Published is a date, YYYY-MM-DD, or empty.
	Published string
	Content   string
	// Reason is empty when Content is the page's text.
	Reason model.ProcessingErrorCode
}

// ExtractFunc is the extractor under test.
type ExtractFunc func(Page) Extraction

// Outcome is a page and its extraction.
type Outcome struct {
	Page Page
	Got  Extraction
	// Overlap is zero for a page that has a reason, and for a text page that was rejected.
	Overlap Overlap
}

// Share counts the right results of a total.
type Share struct{ Right, Total int }

// Ratio returns Right over Total; 1 when Total is 0.
func (s Share) Ratio() float64 {
	if s.Total == 0 {
		return 1
	}
	return float64(s.Right) / float64(s.Total)
}

func (s *Share) add(right bool) {
	s.Total++
	if right {
		s.Right++
	}
}

// Group is the mean overlap of text pages with a common property.
type Group struct {
	Name  string
	Pages int
	Mean  Overlap
}

// Report is the score of an extractor. Means are over pages, so a long page weighs no more than a
// short one.
type Report struct {
	Outcomes []Outcome
	// Text covers the pages that have a body; ByKind and ByLanguage divide it.
	Text       Group
	ByKind     []Group
	ByLanguage []Group
	// Reasons covers every page: a text page is right when no reason was returned. Traps covers
	// only pages that have a reason.
	Reasons, Traps Share
	// Title, Author, Published and Language cover the text pages whose label has them.
	Title, Author, Published, Language Share
}

// Score runs the extractor over the pages in order.
func Score(pages []Page, extract ExtractFunc) Report {
	var report Report
	for _, page := range pages {
		outcome := Outcome{Page: page, Got: extract(page)}
		if page.Reason == "" && outcome.Got.Reason == "" {
			outcome.Overlap = Compare(outcome.Got.Content, page.Want)
		}
		report.Outcomes = append(report.Outcomes, outcome)
		report.count(outcome)
	}
	text := report.text()
	report.Text = mean("all", text)
	report.ByKind = groups(text, func(o Outcome) string { return o.Page.Kind })
	report.ByLanguage = groups(text, func(o Outcome) string { return o.Page.Label.Language })
	return report
}

// Wrong returns the pages whose reason differs from the label.
func (r Report) Wrong() []Outcome {
	return slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return o.Got.Reason == o.Page.Reason })
}

// Worst returns the n text pages with the lowest F1, lowest first.
func (r Report) Worst(n int) []Outcome {
	text := r.text()
	slices.SortStableFunc(text, func(a, b Outcome) int { return cmp.Compare(a.Overlap.F1, b.Overlap.F1) })
	return text[:min(n, len(text))]
}

func (r Report) text() []Outcome {
	return slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return o.Page.Reason != "" })
}

func (r *Report) count(o Outcome) {
	r.Reasons.add(o.Got.Reason == o.Page.Reason)
	if o.Page.Reason != "" {
		r.Traps.add(o.Got.Reason == o.Page.Reason)
		return
	}
	for _, field := range []struct {
		share     *Share
		got, want string
	}{
		{&r.Title, o.Got.Title, o.Page.Title},
		{&r.Author, o.Got.Author, o.Page.Author},
		{&r.Published, o.Got.Published, o.Page.Published},
		{&r.Language, primary(o.Got.Language), o.Page.Label.Language},
	} {
		if field.want != "" {
			field.share.add(same(field.got, field.want))
		}
	}
}

// same ignores case, spacing and punctuation, which differ between metadata and headlines.
func same(a, b string) bool { return slices.Equal(Tokens(a), Tokens(b)) }

func primary(tag string) string {
	subtag, _, _ := strings.Cut(tag, "-")
	return subtag
}

func groups(outcomes []Outcome, key func(Outcome) string) []Group {
	members := map[string][]Outcome{}
	for _, outcome := range outcomes {
		members[key(outcome)] = append(members[key(outcome)], outcome)
	}
	list := make([]Group, 0, len(members))
	for name, of := range members {
		list = append(list, mean(name, of))
	}
	slices.SortFunc(list, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func mean(name string, outcomes []Outcome) Group {
	group := Group{Name: name, Pages: len(outcomes)}
	n := float64(max(1, len(outcomes)))
	for _, outcome := range outcomes {
		group.Mean.Precision += outcome.Overlap.Precision / n
		group.Mean.Recall += outcome.Overlap.Recall / n
		group.Mean.F1 += outcome.Overlap.F1 / n
	}
	return group
}
