package persona

import (
	"cmp"
	_ "embed"
	"math"
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
	TalkedOver string // what was said before in the conversation
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
	judged, form := x.Material(), x.Type
	if form == model.InteractionTypeCommunication && x.Document == nil && onlyAsks(judged) {
		form = model.InteractionTypeConversation
	}
	if form == model.InteractionTypeConversation {
		judged = a.converse(shown)
	} else if len(x.ContextDocumentIDs) > 0 {
		a.converse(shown)
	}
	o := text.NewStudy("", judged).Opinion(Cares(x.Persona, x.Refinements))
	a.Verdict, a.Likes, a.Dislikes = o.Verdict(), quotes(o.Likes, shown), quotes(o.Dislikes, shown)
	a.Missing = o.Missing[:min(len(o.Missing), shownPoints)]
	for _, point := range text.Rank(joined(text.Prose(x.Material())), shownPoints) {
		a.Points = append(a.Points, text.Plain(point.Text))
	}
	for _, phrase := range text.Keyphrases(x.Material(), 5) {
		a.Themes = append(a.Themes, phrase.Text)
	}
	if x.FollowUps {
		a.Questions = a.ask()
	}
	var b strings.Builder
	if err := replyTemplate.ExecuteTemplate(&b, string(form), a); err != nil {
		return "", err
	}
	return squeeze(b.String()), nil
}

// converse finds what the passages, and what the persona holds, say of the question, and gives it as one text.
func (a *answerer) converse(shown int) string {
	var all []quoted
	for _, statement := range a.Persona.GroundedStatements {
		all = append(all, quoted{text.Plain(statement.Statement), statement.DocumentTitle})
	}
	for _, passage := range a.Passages {
		for _, sentence := range text.Prose(passage.Text) {
			all = append(all, quoted{text.Plain(sentence.Text), passage.item.Title})
		}
	}
	a.Found = fitting(all, a.InputContent, shown)
	var said strings.Builder
	for _, one := range a.Found {
		said.WriteString(one.Text + "\n")
	}
	if a.suggestion != nil {
		a.Unknown = a.suggestion.MissingTerms
	}
	if n := len(a.History); n > 0 {
		a.TalkedOver = text.Truncate(text.Plain(a.History[n-1].InputContent), shownBefore)
	}
	return said.String()
}

// shownBefore is how much is repeated of what was said before.
const shownBefore = 120

// titled is what it is worth that a sentence's document has a word in its title, of what it is worth that the sentence has it.
const titled = 0.25

// fitting are the sentences that say most of what is wanted, best first and each once; a word that few of them have counts more.
func fitting(all []quoted, wanted string, most int) []quoted {
	language := languageOf(wanted)
	words := slices.Compact(slices.Sorted(slices.Values(text.Stems(wanted, language))))
	all = eachOnce(all)
	stems, titles, seen := make([][]string, len(all)), make([][]string, len(all)), map[string]int{}
	for i, one := range all {
		stems[i], titles[i] = text.Stems(one.Text, language), text.Stems(one.About, language)
		for _, word := range words {
			if slices.Contains(stems[i], word) {
				seen[word]++
			}
		}
	}
	scores := map[string]float64{}
	var found []quoted
	for i, one := range all {
		for _, word := range words {
			rarity := math.Log(1 + float64(len(all)+1)/float64(seen[word]+1))
			switch {
			case slices.Contains(stems[i], word):
				scores[one.Text] += rarity
			case slices.Contains(titles[i], word):
				scores[one.Text] += rarity * titled
			}
		}
		if scores[one.Text] > 0 {
			found = append(found, one)
		}
	}
	slices.SortStableFunc(found, func(x, y quoted) int { return cmp.Compare(scores[y.Text], scores[x.Text]) })
	return found[:min(len(found), most)]
}

// eachOnce leaves out sentences that were there before.
func eachOnce(all []quoted) []quoted {
	told := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(one quoted) bool {
		again := told[one.Text]
		told[one.Text] = true
		return again
	})
}

// onlyAsks reports a text of nothing but questions.
func onlyAsks(said string) bool {
	return !slices.ContainsFunc(text.Sentences(said), func(sentence text.Span) bool { return !text.Asks(sentence.Text) })
}

// joined is a text of the sentences, each on its line.
func joined(sentences []text.Span) string {
	lines := make([]string, len(sentences))
	for i, sentence := range sentences {
		lines[i] = sentence.Text
	}
	return strings.Join(lines, "\n")
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
		out = append(out, quoted{text.Truncate(text.Plain(p.Text), 300), p.About})
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
