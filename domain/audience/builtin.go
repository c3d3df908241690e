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

// Limits of a built-in reaction.
const (
	shownPoints = 2
	shownThemes = 2
	quotedRunes = 300
	leaning     = 0.1 // minimum absolute score of an opinion
	faint       = 0.5 // minimum value of a shown point, relative to the first one
)

// stances are the opening sentences by minimum score.
var stances = []struct {
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

// reactionData is the input of the built-in reaction's template.
type reactionData struct {
	Stand, Lead     string
	Likes, Dislikes []text.Point
	Missing         []string
}

// builtinReaction returns the built-in engine's answer, based on the persona's concerns.
func builtinReaction(r personaReading) modelReaction {
	o := r.textStudy.text.Opinion(r.Reader.cares)
	pro, contra := shownPoints, shownPoints
	switch { // show fewer points of the opposite side
	case o.Score >= leaning:
		contra--
	case o.Score <= -leaning:
		pro--
	}
	a := reactionData{
		Likes: firstPoints(o.Likes, pro), Dislikes: firstPoints(o.Dislikes, contra), Missing: o.Missing[:min(len(o.Missing), shownPoints)],
	}
	for _, stand := range stances {
		if o.Score >= stand.least {
			a.Stand = stand.sentence
			break
		}
	}
	var out modelReaction
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
		panic(err) // the template only uses fields of a struct, and a test executes it
	}
	out.Text = dropEmptyLines(b.String())
	return orEmptyLists(out)
}

func orEmptyLists(out modelReaction) modelReaction {
	for _, list := range []*[]string{&out.Themes, &out.Risks, &out.Actions, &out.Quotes} {
		if *list == nil {
			*list = []string{}
		}
	}
	return out
}

// firstPoints returns the first points with shortened text, without points much weaker than the first.
func firstPoints(points []text.Point, most int) []text.Point {
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

// lowerFirst returns a phrase for use inside a sentence. Names and abbreviations keep their capital.
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

// dropEmptyLines trims lines and removes empty ones.
func dropEmptyLines(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Preview returns the built-in engine's reaction of a persona with these concerns to a text, and its rating.
func Preview(title, content string, cares []text.Care) (reaction string, rating float64) {
	of := &subject{Title: title, Content: content}
	said := builtinReaction(personaReading{subject: of, Reader: &reader{cares: cares}, textStudy: newStudy(of)})
	rating, _ = rateReaction(said.Text)
	return said.Text, rating
}
