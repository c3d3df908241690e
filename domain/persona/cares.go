package persona

import (
	"slices"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
)

// Cares returns the persona's interests and concerns, and the subjects of refinements. Without
// interests and concerns it uses key phrases of the description as topics.
func Cares(p *model.Persona, learned []*model.PersonaRefinement) []offline.Concern {
	language := text.GuessLanguage(strings.Join([]string{p.Interests, p.Concerns, p.Description}, ".\n"))
	cares := slices.Concat(offline.Concerns(p.Interests, language), offline.Concerns(p.Concerns, language))
	if len(cares) == 0 {
		cares = appendTopics(cares, p.Description, language, 5)
	}
	for _, refinement := range learned {
		cares = appendTopics(cares, refinement.Instruction, language, 3)
	}
	return cares
}

// appendTopics adds key phrases of a text as subjects that are no stated interests or concerns.
func appendTopics(cares []offline.Concern, said, language string, most int) []offline.Concern {
	for _, phrase := range text.Keyphrases(said, most) {
		if topic, ok := offline.NewConcern(phrase.Text, language); ok {
			topic.IsTopic = true
			cares = append(cares, topic)
		}
	}
	return cares
}

// coveredShare returns the share of the wanted stems that are present, from 0 to 1.
func coveredShare(wanted, present []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(present, stem) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
