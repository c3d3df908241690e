package audience

import (
	_ "embed"
	"math"
	"regexp"
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
	var b strings.Builder
	for _, word := range text.Words(strings.ReplaceAll(sentence, "’", "'")) {
		b.WriteString(" " + strings.ToLower(word.Text))
	}
	said := strings.ReplaceAll(strings.ReplaceAll(b.String()+" ", "n't ", " not "), " i'm ", " i am ")
	found, best := "", 0.0
	for _, p := range phrases() {
		if len(p.words) > len(found) && strings.Contains(said, p.words) {
			found, best = p.words, p.worth
		}
	}
	if found != "" {
		before := strings.Fields(said[:strings.Index(said, found)])
		for _, word := range before[max(0, len(before)-3):] {
			if word == "not" || word == "never" || word == "hardly" || word == "no" {
				return best * denied, 1
			}
		}
		return best, 1
	}
	if feeling := text.Sentiment(sentence); feeling != 0 {
		return feelingWorth * feeling, feelingWeight
	}
	return 0, 0
}
