package audience

import (
	_ "embed"
	"math"
	"strings"
	"text/template"
	"unicode"

	"rostrum/llm/text"
)

//go:embed builtin.tmpl
var builtinWords string

var builtinTemplate = template.Must(template.New("builtin").Funcs(template.FuncMap{"lower": lowerFirst}).Parse(builtinWords))

// What a built-in reaction shows of each kind.
const (
	shownPoints = 2
	shownThemes = 2
	quotedRunes = 300
	leaning     = 0.1 // the least opinion that is one
	faint       = 0.5 // of the first point, for another one to be shown
)

// stands are how firmly somebody stands for or against a text, by the least opinion of each.
var stands = []struct {
	least    float64
	sentence string
}{
	{0.7, "I am fully behind this; it is just what I hope for."},
	{0.35, "I welcome this."},
	{leaning, "I lean towards this, with reservations."},
	{-leaning, "I am in two minds about this."},
	{-0.35, "I lean against this, and it needs changes."},
	{-0.7, "I am against this."},
	{-2, "I firmly reject this; it goes against all that I stand for."},
}

// answerer is what the built-in reaction is written from: all of it is told from the text.
type answerer struct {
	Stand, Lead     string
	Likes, Dislikes []text.Point
	Missing         []string
}

// builtinReaction is the built-in engine's answer, from the opinion that the persona's cares give.
func builtinReaction(r reading) said {
	o := r.study.text.Opinion(r.Reader.cares)
	pro, contra := shownPoints, shownPoints
	switch { // who has made up their mind shows less of the other side
	case o.Score >= leaning:
		contra--
	case o.Score <= -leaning:
		pro--
	}
	a := answerer{
		Likes: shorten(o.Likes, pro), Dislikes: shorten(o.Dislikes, contra), Missing: o.Missing[:min(len(o.Missing), shownPoints)],
	}
	for _, stand := range stands {
		if o.Score >= stand.least {
			a.Stand = stand.sentence
			break
		}
	}
	var out said
	if len(o.Likes)+len(o.Dislikes) == 0 && math.Abs(o.Score) < leaning {
		a.Stand = "This leaves me cold."
		if len(r.about) > 0 {
			a.Lead = "To me it is about " + lowerFirst(r.about[0].Text) + "."
		}
	}
	for _, point := range append(o.Dislikes[:len(a.Dislikes):len(a.Dislikes)], o.Likes[:len(a.Likes)]...) {
		out.Themes, out.Quotes = append(out.Themes, point.About), append(out.Quotes, point.Text)
	}
	for _, phrase := range r.about {
		out.Themes = append(out.Themes, phrase.Text)
	}
	for _, point := range a.Dislikes {
		out.Risks = append(out.Risks, upperFirst(point.About)+": "+point.Text)
		out.Actions = append(out.Actions, "Say what will be done about "+lowerFirst(point.About))
	}
	for _, phrase := range a.Missing {
		out.Actions = append(out.Actions, "Say what this means for "+lowerFirst(phrase))
	}
	var b strings.Builder
	if err := builtinTemplate.ExecuteTemplate(&b, "react", a); err != nil {
		panic(err) // the template names fields of a struct; a test fills it
	}
	out.Text = squeeze(b.String())
	return orEmptyLists(out)
}

func orEmptyLists(out said) said {
	for _, list := range []*[]string{&out.Themes, &out.Risks, &out.Actions, &out.Quotes} {
		if *list == nil {
			*list = []string{}
		}
	}
	return out
}

// shorten takes the first points, with what is shown of their clauses, and leaves out what is faint beside the first one.
func shorten(points []text.Point, most int) []text.Point {
	var out []text.Point
	for _, p := range points[:min(len(points), most)] {
		if math.Abs(p.Value) >= faint*math.Abs(points[0].Value) {
			out = append(out, p)
		}
	}
	for i := range out {
		out[i].Text = text.Truncate(out[i].Text, quotedRunes)
	}
	return out
}

// lowerFirst writes a phrase as it stands inside a sentence, unless it begins with a name or an abbreviation.
func lowerFirst(phrase string) string {
	runes := []rune(phrase)
	if len(runes) == 0 || len(runes) > 1 && unicode.IsUpper(runes[1]) || strings.Contains(phrase, " ") && strings.ToLower(string(runes[1:])) != string(runes[1:]) {
		return phrase
	}
	return string(unicode.ToLower(runes[0])) + string(runes[1:])
}

func upperFirst(phrase string) string {
	runes := []rune(phrase)
	if len(runes) == 0 {
		return phrase
	}
	return string(unicode.ToUpper(runes[0])) + string(runes[1:])
}

// squeeze leaves no line empty.
func squeeze(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Preview is the built-in engine's reaction to a text of somebody with these cares, and the rating that is told from it.
func Preview(title, content string, cares []text.Care) (reaction string, rating float64) {
	of := &subject{Title: title, Content: content}
	said := builtinReaction(reading{subject: of, Reader: &reader{cares: cares}, study: newStudy(of)})
	rating, _ = rate(said.Text)
	return said.Text, rating
}
