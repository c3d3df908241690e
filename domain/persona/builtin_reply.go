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
var replyText string

var replyTemplate = template.Must(template.New("reply").Funcs(template.FuncMap{"lower": lowerFirst}).Parse(replyText))

// replyData is the data of the templates for built-in replies. All of it is extracted from texts.
type replyData struct {
	*replyTask
	Verdict    string
	Likes      []citedSentence
	Dislikes   []citedSentence
	Missing    []string
	Points     []string // the most important sentences of the material
	Themes     []string
	Found      []citedSentence // sentences that answer the question
	Unknown    []string        // words of the question without a match
	Questions  []string
	TalkedOver string // the previous input of the conversation
}

// citedSentence is a sentence with its subject or its source.
type citedSentence struct{ Text, About string }

// Maximum points of each kind in a built-in reply, for ordinary and for terse personas.
const (
	maxPoints      = 3
	maxTersePoints = 1
)

// builtinReply returns the reply of the built-in engine. It returns an error if the template fails.
func builtinReply(x *replyTask) (string, error) {
	limit := maxPoints
	if isTerse(x.Persona) {
		limit = maxTersePoints
	}
	a := replyData{replyTask: x}
	judged, form := x.Material(), x.Type
	if form == model.InteractionTypeCommunication && x.Document == nil && onlyAsks(judged) {
		form = model.InteractionTypeConversation
	}
	if form == model.InteractionTypeConversation {
		judged = a.findAnswers(limit)
	} else if len(x.ContextDocumentIDs) > 0 {
		a.findAnswers(limit)
	}
	o := text.NewStudy("", judged).Opinion(Cares(x.Persona, x.Refinements))
	a.Verdict, a.Likes, a.Dislikes = o.Verdict(), quotePoints(o.Likes, limit), quotePoints(o.Dislikes, limit)
	a.Missing = o.Missing[:min(len(o.Missing), maxPoints)]
	for _, point := range text.Rank(joinLines(text.Prose(x.Material())), maxPoints) {
		a.Points = append(a.Points, text.Plain(point.Text))
	}
	for _, phrase := range text.Keyphrases(x.Material(), 5) {
		a.Themes = append(a.Themes, phrase.Text)
	}
	if x.FollowUps {
		a.Questions = a.openQuestions()
	}
	var b strings.Builder
	if err := replyTemplate.ExecuteTemplate(&b, string(form), a); err != nil {
		return "", err
	}
	return trimParagraphs(b.String()), nil
}

// findAnswers stores the sentences of passages and grounded statements that match the question, and returns them as one text.
func (a *replyData) findAnswers(limit int) string {
	var sentences []citedSentence
	for _, statement := range a.Persona.GroundedStatements {
		sentences = append(sentences, citedSentence{text.Plain(statement.Statement), statement.DocumentTitle})
	}
	for _, p := range a.Passages {
		for _, sentence := range text.Prose(p.Text) {
			sentences = append(sentences, citedSentence{text.Plain(sentence.Text), p.item.Title})
		}
	}
	a.Found = rankSentences(sentences, a.InputContent, limit)
	var answers strings.Builder
	for _, sentence := range a.Found {
		answers.WriteString(sentence.Text + "\n")
	}
	if a.suggestion != nil {
		a.Unknown = a.suggestion.MissingTerms
	}
	if n := len(a.History); n > 0 {
		a.TalkedOver = text.Truncate(text.Plain(a.History[n-1].InputContent), maxPreviousRunes)
	}
	return answers.String()
}

// maxPreviousRunes limits the quote of the previous input, in code points.
const maxPreviousRunes = 120

// titleWeight is the weight of a matching word in the title of a sentence's document; a match in the sentence weighs 1.
const titleWeight = 0.25

// rankSentences returns up to most distinct sentences that match wanted, best first. Rare words weigh more.
func rankSentences(all []citedSentence, query string, limit int) []citedSentence {
	language := languageOf(query)
	words := slices.Compact(slices.Sorted(slices.Values(text.Stems(query, language))))
	all = distinctSentences(all)
	stems, titles, seen := make([][]string, len(all)), make([][]string, len(all)), map[string]int{}
	for i, sentence := range all {
		stems[i], titles[i] = text.Stems(sentence.Text, language), text.Stems(sentence.About, language)
		for _, word := range words {
			if slices.Contains(stems[i], word) {
				seen[word]++
			}
		}
	}
	scores := map[string]float64{}
	var found []citedSentence
	for i, sentence := range all {
		for _, word := range words {
			rarity := math.Log(1 + float64(len(all)+1)/float64(seen[word]+1))
			switch {
			case slices.Contains(stems[i], word):
				scores[sentence.Text] += rarity
			case slices.Contains(titles[i], word):
				scores[sentence.Text] += rarity * titleWeight
			}
		}
		if scores[sentence.Text] > 0 {
			found = append(found, sentence)
		}
	}
	slices.SortStableFunc(found, func(x, y citedSentence) int { return cmp.Compare(scores[y.Text], scores[x.Text]) })
	return found[:min(len(found), limit)]
}

// distinctSentences returns the sentences without duplicates.
func distinctSentences(all []citedSentence) []citedSentence {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(sentence citedSentence) bool {
		duplicate := seen[sentence.Text]
		seen[sentence.Text] = true
		return duplicate
	})
}

// onlyAsks reports whether the text consists of questions.
func onlyAsks(input string) bool {
	return !slices.ContainsFunc(text.Sentences(input), func(sentence text.Span) bool { return !text.Asks(sentence.Text) })
}

// joinLines returns the sentences as a text with one sentence per line.
func joinLines(sentences []text.Span) string {
	lines := make([]string, len(sentences))
	for i, sentence := range sentences {
		lines[i] = sentence.Text
	}
	return strings.Join(lines, "\n")
}

// openQuestions returns up to three questions that the material leaves open for the persona.
func (a *replyData) openQuestions() []string {
	var questions []string
	for _, phrase := range a.Missing {
		questions = append(questions, "What does this mean for "+lowerFirst(phrase)+"?")
	}
	for _, dislike := range a.Dislikes {
		questions = append(questions, "What will be done about "+lowerFirst(dislike.About)+"?")
	}
	for _, theme := range a.Themes {
		questions = append(questions, "What shows that the claims about "+lowerFirst(theme)+" hold?")
	}
	return questions[:min(len(questions), 3)]
}

func quotePoints(points []text.Point, most int) []citedSentence {
	var out []citedSentence
	for _, p := range points[:min(len(points), most)] {
		out = append(out, citedSentence{text.Truncate(text.Plain(p.Text), 300), p.About})
	}
	return out
}

var terseWords = setOf("short brief terse curt dry blunt concise laconic few")

// isTerse reports whether the persona's style or tone is described as short.
func isTerse(p *model.Persona) bool {
	for _, word := range text.Words(p.CommunicationStyle + " " + p.Tone) {
		if terseWords[strings.ToLower(word.Text)] {
			return true
		}
	}
	return false
}

// lowerFirst returns a phrase with a lower-case first letter, unless it begins with a name or an abbreviation.
func lowerFirst(phrase string) string {
	runes := []rune(phrase)
	if len(runes) > 1 && strings.ToUpper(string(runes[1])) == string(runes[1]) || strings.Contains(phrase, " ") && strings.ToLower(phrase[1:]) != phrase[1:] {
		return phrase
	}
	return strings.ToLower(string(runes[:1])) + string(runes[1:])
}

// trimParagraphs returns the text with exactly one empty line between paragraphs.
func trimParagraphs(s string) string {
	var paragraphs []string
	for _, paragraph := range strings.Split(s, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
