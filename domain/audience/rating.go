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

// phrase is a way to say where one stands.
type phrase struct {
	words string // in lower case between spaces
	worth float64
}

var phrases = sync.OnceValue(func() []phrase {
	var all []phrase
	for line := range strings.Lines(stanceList) {
		weight, list, ok := strings.Cut(line, ":")
		worth, err := strconv.ParseFloat(weight, 64)
		if !ok || err != nil {
			continue // a remark
		}
		for words := range strings.SplitSeq(list, "|") {
			all = append(all, phrase{" " + strings.TrimSpace(words) + " ", worth})
		}
	}
	return all
})

// How sentences count for a rating; the schema tells it of Reaction.rating.
const (
	firstWeight   = 3.0
	feelingWorth  = 0.5 // of a sentence that takes no stand
	feelingWeight = 0.5
	takesSides    = 0.3  // a sentence beyond this speaks for or against
	denied        = -0.7 // what a denial leaves of a stand
	positiveFrom  = 3.5
	negativeUpTo  = 2.5
)

// quotation is what somebody else says.
var quotation = regexp.MustCompile(`“[^”]*”|„[^“”]*[“”]|«[^»]*»|"[^"]*"`)

// rate derives the rating and the sentiment of a reaction from its text: the same text gives the same ones, whoever wrote it.
func rate(reaction string) (float64, model.ReactionSentiment) {
	own := quotation.ReplaceAllString(reaction, " ")
	sum, weight := 0.0, 0.0
	pro, contra := false, false
	for i, sentence := range text.Sentences(own) {
		worth, counts := stance(sentence.Text)
		if i == 0 {
			counts *= firstWeight
		}
		sum, weight = sum+worth*counts, weight+counts
		pro, contra = pro || worth >= takesSides, contra || worth <= -takesSides
	}
	rating := 3.0
	if weight > 0 {
		rating = math.Round(10*(3+2*sum/weight)) / 10
	}
	switch {
	case rating >= positiveFrom:
		return rating, model.ReactionSentimentPositive
	case rating <= negativeUpTo:
		return rating, model.ReactionSentimentNegative
	case pro && contra:
		return rating, model.ReactionSentimentMixed
	}
	return rating, model.ReactionSentimentNeutral
}

// stance is where a sentence stands, from -1 to 1, and how much it counts: one without a stand and without a feeling does not.
func stance(sentence string) (worth, counts float64) {
	said := spelled(sentence)
	if worth, ok := stand(said, denial.ReplaceAllString(said, " ")); ok {
		return worth, 1
	}
	if feeling := text.Sentiment(sentence); feeling != 0 {
		return feelingWorth * feeling, feelingWeight
	}
	return 0, 0
}

// spelled writes a sentence as the list of stands does: in lower case, with a space around each word and no short forms.
func spelled(sentence string) string {
	var b strings.Builder
	for _, word := range text.Words(strings.ReplaceAll(sentence, "’", "'")) {
		b.WriteString(" " + strings.ToLower(word.Text))
	}
	return strings.NewReplacer("n't ", " not ", " i'm ", " i am ", " we're ", " we are ").Replace(b.String() + " ")
}

// denial is what stands inside a stand that is denied: "I do not support", "it hardly helps me".
var denial = regexp.MustCompile(` (?:(?:do|does|did|can|could|will|would) )?(?:not|never|hardly|cannot) `)

// stand finds the longest way in which a sentence says where its speaker stands. One that is only there without the denials is denied, and so
// is one close behind a denial.
func stand(said, undenied string) (worth float64, ok bool) {
	found, at := "", -1
	for _, p := range phrases() {
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
		if slices.ContainsFunc(before[max(0, len(before)-3):], func(word string) bool { return denial.MatchString(" "+word+" ") || word == "no" }) {
			worth *= denied
		}
	}
	return worth, found != ""
}
