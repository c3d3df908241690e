package persona

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"rostrum/llm/text"
	"rostrum/model"
)

//go:embed reply.tmpl
var replyWords string

var replyTemplate = template.Must(template.New("reply").Funcs(template.FuncMap{"lower": lowerFirst}).Parse(replyWords))

// answerer is what the built-in engine's replies are written from: all of it is told from the texts.
type answerer struct {
	*exchange
	Verdict    string
	Likes      []quoted
	Dislikes   []quoted
	Missing    []string
	Points     []string // the sentences that carry the material
	Themes     []string
	Found      []quoted // what the passages say of the question
	Unknown    []string // words of the question that nothing speaks of
	Questions  []string
	TalkedOver string // what the conversation was about before
}

// quoted is a sentence and what it is about, or where it comes from.
type quoted struct{ Text, About string }

// The most that a built-in reply shows of each kind; a terse persona shows less.
const (
	shownPoints = 3
	tersePoints = 1
)

// reply is the built-in engine's answer to an exchange.
func reply(x *exchange) (string, error) {
	shown := shownPoints
	if terse(x.Persona) {
		shown = tersePoints
	}
	a := answerer{exchange: x}
	judged := x.Material()
	if x.Type == model.InteractionTypeConversation {
		judged = a.converse(shown)
	}
	o := text.NewStudy(judged).Opinion(Cares(x.Persona, x.Refinements))
	a.Verdict, a.Likes, a.Dislikes = o.Verdict(), quotes(o.Likes, shown), quotes(o.Dislikes, shown)
	a.Missing = o.Missing[:min(len(o.Missing), shownPoints)]
	for _, point := range text.Rank(x.Material(), shownPoints) {
		a.Points = append(a.Points, point.Text)
	}
	for _, phrase := range text.Keyphrases(x.Material(), 5) {
		a.Themes = append(a.Themes, phrase.Text)
	}
	if x.FollowUps {
		a.Questions = a.ask()
	}
	var b strings.Builder
	if err := replyTemplate.ExecuteTemplate(&b, string(x.Type), a); err != nil {
		return "", err
	}
	return squeeze(b.String()), nil
}

// converse finds what the passages, and what the persona holds, say of the question, and gives it as one text.
func (a *answerer) converse(shown int) string {
	type rated struct {
		quoted
		score float64
	}
	var all []rated
	wanted := text.Stems(a.InputContent, "en")
	rate := func(said, from string) {
		if score := coveredBoth(wanted, text.Stems(said, "en")); score > 0 {
			all = append(all, rated{quoted{said, from}, score})
		}
	}
	for _, statement := range a.Persona.GroundedStatements {
		rate(statement.Statement, statement.DocumentTitle)
	}
	for _, passage := range a.Passages {
		for _, sentence := range text.Sentences(passage.Text) {
			rate(sentence.Text, passage.item.Title)
		}
	}
	slices.SortStableFunc(all, func(x, y rated) int { return cmp.Compare(y.score, x.score) })
	var said strings.Builder
	for _, one := range all[:min(len(all), shown)] {
		a.Found = append(a.Found, one.quoted)
		said.WriteString(one.Text + "\n")
	}
	if a.suggestion != nil {
		a.Unknown = a.suggestion.MissingTerms
	}
	if n := len(a.History); n > 0 {
		if before := text.Keyphrases(a.History[n-1].InputContent, 1); len(before) > 0 {
			a.TalkedOver = before[0].Text
		}
	}
	return said.String()
}

// coveredBoth is covered for a list of wanted stems that may be empty.
func coveredBoth(wanted, there []string) float64 {
	if len(wanted) == 0 {
		return 0
	}
	return covered(wanted, there)
}

// ask lists the questions that the material leaves open for the persona.
func (a *answerer) ask() []string {
	var questions []string
	for _, phrase := range a.Missing {
		questions = append(questions, "What does this mean for "+lowerFirst(phrase)+"?")
	}
	for _, one := range a.Dislikes {
		questions = append(questions, "What will be done about "+lowerFirst(one.About)+"?")
	}
	for _, theme := range a.Themes {
		questions = append(questions, "What shows that the claims about "+lowerFirst(theme)+" hold?")
	}
	return questions[:min(len(questions), 3)]
}

func quotes(points []text.Point, most int) []quoted {
	var out []quoted
	for _, p := range points[:min(len(points), most)] {
		out = append(out, quoted{text.Truncate(p.Text, 300), p.About})
	}
	return out
}

var terseWords = setOf("short brief terse curt dry blunt concise laconic few")

// terse reports a persona that says little.
func terse(p *model.Persona) bool {
	for _, word := range text.Words(p.CommunicationStyle + " " + p.Tone) {
		if terseWords[strings.ToLower(word.Text)] {
			return true
		}
	}
	return false
}

// lowerFirst writes a phrase as it stands inside a sentence, unless it begins with a name or an abbreviation.
func lowerFirst(phrase string) string {
	runes := []rune(phrase)
	if len(runes) > 1 && strings.ToUpper(string(runes[1])) == string(runes[1]) || strings.Contains(phrase, " ") && strings.ToLower(phrase[1:]) != phrase[1:] {
		return phrase
	}
	return strings.ToLower(string(runes[:1])) + string(runes[1:])
}

// squeeze leaves one empty line between paragraphs.
func squeeze(s string) string {
	var paragraphs []string
	for _, paragraph := range strings.Split(s, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
