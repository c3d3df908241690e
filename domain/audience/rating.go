package audience

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rostrum/llm/text"
	"rostrum/model"
)

//go:embed stance.txt
var stanceList string

// stancePhrase is an expression of approval or rejection.
type stancePhrase struct {
	words string // lower case with surrounding spaces
	worth float64
}

var stancePhrases = sync.OnceValue(func() []stancePhrase {
	var all []stancePhrase
	for line := range strings.Lines(stanceList) {
		weight, list, ok := strings.Cut(line, ":")
		worth, err := strconv.ParseFloat(weight, 64)
		if !ok || err != nil {
			continue // a comment line
		}
		for words := range strings.SplitSeq(list, "|") {
			all = append(all, stancePhrase{" " + strings.TrimSpace(words) + " ", worth})
		}
	}
	return all
})

// Weights of sentences in a rating, as documented for Reaction.rating in the schema.
const (
	firstWeight   = 3.0
	feelingWorth  = 0.5 // of a sentence without a stance
	feelingWeight = 0.5
	takesSides    = 0.3  // from here a sentence is for or against
	denied        = -0.7 // factor of a negated stance
)

// quotation matches quoted speech, which is not the reaction's own opinion.
var quotation = regexp.MustCompile(`“[^”]*”|„[^“”]*[“”]|«[^»]*»|"[^"]*"`)

// ownWords returns a reaction without the speech that it quotes.
func ownWords(reaction string) string { return quotation.ReplaceAllString(reaction, " ") }

// rateReaction derives the rating and sentiment of a model's reaction from its words alone, so equal
// texts get equal ratings. ok is false if no sentence takes a stand or has a feeling.
func rateReaction(reaction string) (rating float64, sentiment model.ReactionSentiment, ok bool) {
	rating, bothSides, ok := rateSentences(ownWords(reaction))
	return rating, sentimentWith(rating, bothSides), ok
}

// rateSentences rates a text by its sentences. bothSides reports whether some are for and some
// against. ok is false if none counts.
func rateSentences(own string) (rating float64, bothSides, ok bool) {
	sum, weight := 0.0, 0.0
	pro, contra := false, false
	for i, sentence := range text.Sentences(own) {
		worth, counts := sentenceStance(sentence.Text)
		if i == 0 {
			counts *= firstWeight
		}
		sum, weight = sum+worth*counts, weight+counts
		pro, contra = pro || worth >= takesSides, contra || worth <= -takesSides
	}
	if weight == 0 {
		return 0, false, false
	}
	return math.Round(10*(3+2*sum/weight)) / 10, pro && contra, true
}

// sentimentWith returns the sentiment of a rating. A neutral one is mixed if there are sentences
// for and against.
func sentimentWith(rating float64, bothSides bool) model.ReactionSentiment {
	sentiment := model.SentimentOf(rating)
	if sentiment == model.ReactionSentimentNeutral && bothSides {
		return model.ReactionSentimentMixed
	}
	return sentiment
}

// sentenceStance returns a sentence's stance from -1 to 1 and its weight: 0 without stance or
// sentiment.
func sentenceStance(sentence string) (worth, counts float64) {
	said := spellOut(sentence)
	if worth, ok := findStance(said, denial.ReplaceAllString(said, " ")); ok {
		return worth, 1
	}
	if feeling := text.Sentiment(sentence); feeling != 0 {
		return feelingWorth * feeling, feelingWeight
	}
	return 0, 0
}

// spellOut normalizes a sentence like the list of stances: lower case, a space around each word, no
// contractions.
func spellOut(sentence string) string {
	var b strings.Builder
	for _, word := range text.Words(strings.ReplaceAll(sentence, "’", "'")) {
		b.WriteString(" " + strings.ToLower(word.Text))
	}
	return strings.NewReplacer("n't ", " not ", " i'm ", " i am ", " we're ", " we are ").Replace(b.String() + " ")
}

// denial matches a negation inside a stance: "I do not support", "it hardly helps me".
var denial = regexp.MustCompile(` (?:(?:do|does|did|can|could|will|would) )?(?:not|never|hardly|cannot) `)

// findStance returns the value of a sentence's longest stance phrase. A phrase is negated if it
// follows a negation closely, or matches only with the negations removed.
func findStance(said, undenied string) (worth float64, ok bool) {
	found, at := "", -1
	for _, p := range stancePhrases() {
		if len(p.words) <= len(found) {
			continue
		}
		if i := strings.Index(said, p.words); i >= 0 {
			found, worth, at = p.words, p.worth, i
		} else if strings.Contains(undenied, p.words) {
			found, worth, at = p.words, denied*p.worth, -1
		}
	}
	if at >= 0 {
		before := strings.Fields(said[:at])
		if slices.ContainsFunc(before[max(0, len(before)-3):],
			func(word string) bool { return denial.MatchString(" "+word+" ") || word == "no" }) {
			worth *= denied
		}
	}
	return worth, found != ""
}
