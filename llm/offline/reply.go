package offline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// Reply asks a persona about a material or a question.
type Reply struct {
	Kind      model.InteractionType
	Question  string
	Document  string // title of the document that is the material; empty if the question is
	Material  string
	Sources   []Source
	Concerns  []Concern
	FollowUps bool
	Options   []string // options of the request that only a text model follows
}

// Source is a text with its title.
type Source struct{ Title, Text string }

// The limits of a reply.
const (
	mostAnswers   = 3
	mostQuestions = 3
	mostPhrases   = 5
)

// Answer returns passages that answer a question, or passages of the material on the persona's
// concerns. It fails with engine_required for a simulation.
func (r Reply) Answer(context.Context) (any, []string, error) {
	ignored, kind := slices.Clone(r.Options), r.Kind
	if kind == model.InteractionTypeCommunication && r.Document == "" && onlyAsks(r.Question) {
		kind = model.InteractionTypeConversation
	}
	var parts, missing []string
	switch kind {
	case model.InteractionTypeSimulation:
		return nil, nil, Required("a simulation")
	case model.InteractionTypeConversation:
		parts = []string{r.findAnswer()}
	default:
		if kind == model.InteractionTypeAnalysis {
			parts = append(parts, describeText(r.Material))
		}
		study := NewStudy("", r.Material)
		found := study.Read(r.Concerns)
		parts, missing = append(parts, extractOf(study, found).Text), found.NotFound
	}
	switch {
	case r.FollowUps && len(missing) > 0:
		lines := []string{"Follow-up questions:"}
		for _, phrase := range missing[:min(len(missing), mostQuestions)] {
			lines = append(lines, "- What does this mean for "+phrase+"?")
		}
		parts = append(parts, strings.Join(lines, "\n"))
	case r.FollowUps:
		ignored = append(ignored, "enable_follow_up_questions")
	}
	return strings.Join(parts, "\n\n"), ignoredOptions(ignored), nil
}

// onlyAsks reports whether a text consists of questions.
func onlyAsks(said string) bool {
	return !slices.ContainsFunc(text.Sentences(said), func(s text.Span) bool { return !text.Asks(s.Text) })
}

// describeText returns the main sentences and the key phrases of a text.
func describeText(material string) string {
	lines := []string{"Main sentences of the text:"}
	for _, span := range text.Rank(material, mostAnswers) {
		lines = append(lines, "- "+strings.Join(strings.Fields(text.Plain(span.Text)), " "))
	}
	var phrases []string
	for _, phrase := range text.Keyphrases(material, mostPhrases) {
		phrases = append(phrases, phrase.Text)
	}
	return strings.Join(append(lines, "Key phrases: "+strings.Join(phrases, ", ")+"."), "\n")
}

// leastMatch is the share of a question's words that a sentence which answers it has.
const leastMatch = 0.6

// sourced is a sentence with the title of its source.
type sourced struct {
	sentence
	title string
	share float64
}

// findAnswer returns the sources' sentences with the question's names and most other words. If there
// are none it says so and returns the sentences with some of the words.
func (r Reply) findAnswer() string {
	language := text.GuessLanguage(r.Question)
	wanted, names := questionWords(r.Question, language)
	found := r.findSentences(language, func(s, title []text.Token) float64 {
		share := shareOf(wanted, names, s, title)
		if share < leastMatch {
			return 0
		}
		return share
	})
	if len(found) > 0 {
		return "Passages on this, as no text model is configured:\n" + listSentences(found)
	}
	near := r.findSentences(language, func(s, _ []text.Token) float64 { return shareOf(wanted, nil, s, nil) })
	switch said := r.describeWords(wanted, language); {
	case len(near) > 0:
		return said + "\nThe nearest passages:\n" + listSentences(near)
	case len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources,
		func(s Source) bool { return text.GuessLanguage(s.Text) == language }):
		return "The documents are in another language than the question, so their words cannot be compared."
	default:
		return said
	}
}

// findSentences returns the distinct sentences of the sources with a share above 0, the largest
// first. Without any it returns headings and table rows. Questions are left out.
func (r Reply) findSentences(language string, share func(sentence, title []text.Token) float64) []sourced {
	if found := r.findIn(text.Prose, language, share); len(found) > 0 {
		return found
	}
	return r.findIn(text.Sentences, language, share)
}

func (r Reply) findIn(split func(string) []text.Span, language string,
	share func(sentence, title []text.Token) float64) (found []sourced) {
	seen := map[string]bool{}
	for _, source := range r.Sources {
		title := text.Tokens(source.Title, language)
		for _, s := range readSentences(split(text.BlankStruck(source.Text)), language) {
			if by := share(s.tokens, title); by > 0 && !seen[s.Text] && !text.Asks(s.Text) {
				found, seen[s.Text] = append(found, sourced{s, source.Title, by}), true
			}
		}
	}
	slices.SortStableFunc(found, func(a, b sourced) int { return cmp.Compare(b.share, a.share) })
	return found[:min(len(found), mostAnswers)]
}

func listSentences(found []sourced) string {
	lines := make([]string, len(found))
	for i, s := range found {
		said := text.Truncate(strings.Join(strings.Fields(text.Plain(s.Text)), " "), passageRunes)
		lines[i] = fmt.Sprintf("- “%s” (%s)", said, s.title)
	}
	return strings.Join(lines, "\n")
}

// describeWords names the wanted words that no source and no title has, or says that no sentence has
// most of them.
func (r Reply) describeWords(wanted []text.Token, language string) string {
	var all []text.Token
	for _, source := range r.Sources {
		all = append(all, text.Tokens(source.Title+"\n"+text.BlankStruck(source.Text), language)...)
	}
	var words, missing []string
	for _, w := range wanted {
		words = append(words, w.Text)
		if !slices.ContainsFunc(all, func(t text.Token) bool { return t.Stem == w.Stem }) {
			missing = append(missing, w.Text)
		}
	}
	if len(missing) == 0 {
		return "No passage found with most of these words together: " + strings.Join(optional.Distinct(words), ", ") + "."
	}
	return notFound(optional.Distinct(missing), ", ")
}

// questionWords returns a question's content words with their first spelling, and the stems of its
// names and numbers. A sentence needs all of these.
func questionWords(question, language string) (wanted []text.Token, names map[string]bool) {
	names = map[string]bool{}
	for _, name := range text.Names(question) {
		for _, token := range text.Tokens(name.Text, language) {
			names[token.Stem] = !token.Stop
		}
	}
	words := lexiconOf(language)
	for _, token := range text.Tokens(question, language) {
		if token.Stop || words.questions[strings.ToLower(token.Text)] || words.questions[token.Stem] {
			continue
		}
		wanted = append(wanted, token)
		names[token.Stem] = names[token.Stem] || isNumber(token)
	}
	return wanted, names
}

// shareOf returns the share of the wanted words in a sentence; 0 if it lacks a name. A name in the
// title is what the document is about, so a sentence need not repeat it, and it does not count.
func shareOf(wanted []text.Token, names map[string]bool, sentence, title []text.Token) float64 {
	found, counted := 0, 0
	for _, w := range wanted {
		isWanted := func(t text.Token) bool { return t.Stem == w.Stem }
		switch {
		case slices.ContainsFunc(sentence, isWanted):
			found++
			counted++
		case names[w.Stem] && slices.ContainsFunc(title, isWanted):
		case names[w.Stem]:
			return 0
		default:
			counted++
		}
	}
	return float64(found) / float64(max(1, counted))
}
