package speaker_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rostrum/llm/text/speaker"
)

// parts are marks, words and phrases that rules look for; \n and \t stand for their characters.
var parts = strings.Split(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(
	`“|”|"|„|«|»|’|‘|,|.|:|;|?|!|—|–|-|(|)|[|]|*|_|#|…|'|\n|\n\n|\n> |\t|A|B|1.|2026|Anna|Porter|Anna Porter|NL|(NL)|Mr|Mr.|Dr.|`+
		`the|The|of|and|said|says|according to|chair|the mayor|he|she|I|we|if|that|not|would|sign|reads|Present:|Minutes of the board|From:|Q:|A:|Remarks by|Interview:|Ad break|yours sincerely|`+
		`sagte|der|die|und|sie|er|Jan Peters|so|laut|34-Jährige|dass|dit|le|la|maire|selon|elle|il|et|les|Mme|Paul Roy|que|l'|d'|`+
		`dijo|el|los|y|alcalde|según|Luis Prado|Sr.|en|Toma la palabra`), "|")

// The random texts of TestRandomTexts.
const (
	randomTexts = 8000
	mostParts   = 9
)

// TestRandomTexts reads short texts of which each part has a rule, so that rules meet at the ends
// of the text, of a block and of a sentence.
func TestRandomTexts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(randomTexts) {
		random := rand.New(rand.NewPCG(seed, 0))
		var text strings.Builder
		for range 1 + random.IntN(mostParts) {
			text.WriteString(parts[random.IntN(len(parts))])
			if random.IntN(5) > 0 {
				text.WriteByte(' ')
			}
		}
		checkReading(t, speaker.Source{Title: text.String(), Author: "Anna Porter", Text: text.String()})
	}
}

// checkReading reads a text that no rule expects, and checks the positions of its statements.
func checkReading(t *testing.T, source speaker.Source) {
	t.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("the text %q panics: %v", source.Text, panicked)
		}
	}()
	runes := []rune(source.Text)
	for _, said := range speaker.Read(source).Statements() {
		if said.Start < 0 || said.End > len(runes) || said.Start >= said.End ||
			string(runes[said.Start:said.End]) != said.Text {
			t.Errorf("the text %q has a statement %q at %d to %d", source.Text, said.Text, said.Start, said.End)
		}
	}
}
