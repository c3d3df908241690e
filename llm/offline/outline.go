package offline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"rostrum/llm/text"
	"rostrum/llm/text/fact"
)

// Outline asks for a text from a brief.
type Outline struct {
	Kind              []string // the content type, its label and the prompt: the first that names a known type decides
	Title             string
	TitleLength       int
	Prompt            string
	Audiences, Themes []string
	Points            []string
	Sources           []Source
	Options           []string // options of the request that only a text model follows
}

// outlineSection is a heading and the role of its content.
type outlineSection struct{ heading, role string }

// outlineForm is the headings of a type of content.
type outlineForm struct {
	names    []string
	sections []outlineSection
}

var generalForm = outlineForm{[]string{"text"}, []outlineSection{
	{"What is new", "lead"}, {"Messages", "points"}, {"Facts", "facts"}, {"Quotes", "quote"}, {"Background", "rest"},
	{"What happens next", "open"},
}}

var outlineForms = sync.OnceValue(func() []outlineForm {
	var all []outlineForm
	for line := range strings.Lines(readLexicon("outline")) {
		names, sections, found := strings.Cut(line, " = ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		form := outlineForm{names: strings.Split(names, ", ")}
		for part := range strings.SplitSeq(strings.TrimSpace(sections), " | ") {
			cut := strings.LastIndex(part, ":")
			form.sections = append(form.sections, outlineSection{part[:cut], part[cut+1:]})
		}
		all = append(all, form)
	}
	return all
})

// formOf returns the form with a name that the first of the texts contains, else the general one.
func formOf(kinds []string) outlineForm {
	for _, kind := range kinds {
		words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(kind),
			func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("_&-", r) }), " ") + " "
		for _, form := range outlineForms() {
			if slices.ContainsFunc(form.names, func(name string) bool {
				return strings.Contains(words, " "+name+" ")
			}) {
				return form
			}
		}
	}
	return generalForm
}

// sectionEntries is the number of source sentences under a heading.
const sectionEntries = 4

// Answer returns the outline: the content type's headings with passages of the sources, the points,
// and what is still open.
func (o Outline) Answer(context.Context) (any, []string, error) {
	form := formOf(o.Kind)
	name := strings.ReplaceAll(form.names[0], "_", " ")
	lines := []string{fmt.Sprintf("> Outline (%s), not a finished text.", name), "", "# " + o.title(), ""}
	for _, note := range []struct{ name, said string }{
		{"Brief", o.Prompt}, {"For", strings.Join(o.Audiences, ", ")}, {"Themes", strings.Join(o.Themes, ", ")},
	} {
		if note.said != "" {
			lines = append(lines, "> "+note.name+": "+strings.Join(strings.Fields(note.said), " "), "")
		}
	}
	entries := o.sortEntries()
	for _, section := range form.sections {
		lines = append(lines, "## "+section.heading, "")
		own := entries[section.role]
		if len(own) == 0 {
			own = []string{"[open: " + openNotes[section.role] + "]"}
		}
		for _, entry := range own {
			lines = append(lines, "- "+entry)
		}
		lines = append(lines, "")
	}
	warnings := []string{"this is an outline, not a finished text: configure a text model for one"}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n", append(warnings, ignoredOptions(o.Options)...),
		nil
}

// openNotes are the notes under headings without content.
var openNotes = map[string]string{
	"lead": "what is new, who did it, when and where", "points": "the messages to get across",
	"facts": "figures and dates with their source",
	"quote": "a quotation with name and function", "rest": "background", "open": "to be written",
}

// defaultTitleLength is the maximum length of a title in code points.
const defaultTitleLength = 100

// title returns the given title, else the first point, else the main key phrase of the sources or
// the prompt.
func (o Outline) title() string {
	title := o.Title
	if len(o.Points) > 0 {
		title = cmp.Or(title, strings.TrimRight(o.Points[0], ".。"))
	}
	for _, given := range []string{joinSources(o.Sources), o.Prompt} {
		for _, phrase := range text.Keyphrases(given, 1) {
			title = cmp.Or(title, phrase.Text)
		}
	}
	return text.Truncate(cmp.Or(title, strings.Join(o.Themes, ", "), "Untitled"),
		cmp.Or(o.TitleLength, defaultTitleLength))
}

func joinSources(sources []Source) string {
	var out []string
	for _, s := range sources {
		out = append(out, s.Text)
	}
	return strings.Join(out, "\n\n")
}

// sortEntries returns the entries of each role: a sentence has the first role that fits it.
func (o Outline) sortEntries() map[string][]string {
	out := map[string][]string{"points": o.Points}
	for _, source := range o.Sources {
		lead := text.Rank(joinLines(text.Prose(source.Text)), 2)
		for _, s := range text.Prose(source.Text) {
			said := strings.Join(strings.Fields(text.Plain(s.Text)), " ")
			role := "rest"
			switch {
			case len(fact.Quotations(s.Text)) > 0:
				role = "quote"
			case slices.ContainsFunc(lead, func(l text.Span) bool { return l.Text == s.Text }):
				role = "lead"
			case strings.ContainsFunc(s.Text, unicode.IsDigit):
				role = "facts"
			}
			if len(out[role]) < sectionEntries && !slices.ContainsFunc(out[role],
				func(known string) bool { return strings.HasPrefix(known, said) }) {
				out[role] = append(out[role], said+sourceNote(source.Title))
			}
		}
	}
	return out
}

func sourceNote(title string) string {
	if title == "" {
		return ""
	}
	return " (" + title + ")"
}

func joinLines(spans []text.Span) string {
	lines := make([]string, len(spans))
	for i, s := range spans {
		lines[i] = s.Text
	}
	return strings.Join(lines, "\n")
}
