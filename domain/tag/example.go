package tag

import (
	"strings"

	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/model/optional"
)

// The limits of the passages that are compared with examples.
const (
	maxPassages = 40
	minPassage  = 40  // characters
	maxPassage  = 600 // characters
)

// nearestExample is the example most similar to a document.
type nearestExample struct {
	offline.Neighbor
	id string
}

// nearestTo returns the example most similar to any passage of the document; nil if none is
// similar.
func (t *tagDefinition) nearestTo(doc *model.Document) *nearestExample {
	if t.index == nil {
		return nil
	}
	var best *nearestExample
	for _, passage := range documentPassages(doc) {
		if i, score := t.index.Nearest(passage); i >= 0 && (best == nil || score > best.Similarity) {
			best = &nearestExample{offline.Neighbor{Value: t.examples[i].Value, Passage: passage, Similarity: score},
				t.examples[i].ID}
		}
	}
	return best
}

// documentPassages returns the beginning of a document and its paragraphs.
func documentPassages(doc *model.Document) []string {
	content := optional.ValueOr(doc.Content, "")
	list := []string{truncateAtWord(content, maxPassage)}
	for paragraph := range strings.Lines(content) {
		paragraph = strings.TrimSpace(paragraph)
		if len(list) < maxPassages && len(paragraph) >= minPassage && !strings.HasPrefix(list[0], paragraph) {
			list = append(list, truncateAtWord(paragraph, maxPassage))
		}
	}
	return list
}
