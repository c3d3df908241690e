package command

import (
	"regexp"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// The run of words that an answer may not share with a passage that addresses a model, and the words that are shown of a longer one.
const longestShared = 4

var (
	address   = regexp.MustCompile(`(?i)\bhttps?://[^\s)>\]"'?&{]+`)
	quotation = regexp.MustCompile(`“([^”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|"([^"]+)"|'([^']{3,})'`)
)

// Obeys reports whether an answer has what only passages that address a model have: an address, a quotation, or a run of four words. The rest is all
// else that the model was given.
func Obeys(answer string, passages []string, rest string) bool {
	if len(passages) == 0 {
		return false
	}
	said, known := words(answer), words(rest)
	for _, passage := range passages {
		for _, code := range encoded.FindAllString(passage, -1) {
			if plain, ok := decode(code); ok {
				passage += "\n" + plain
			}
		}
		for _, part := range payloads(passage) {
			if strings.Contains(said, part) && !strings.Contains(known, part) {
				return true
			}
		}
	}
	return false
}

// payloads returns what a passage may ask for: its addresses, quotations and runs of words, each with spaces around it.
func payloads(passage string) []string {
	var found []string
	for _, link := range address.FindAllString(passage, -1) {
		found = append(found, words(link))
	}
	for _, groups := range quotation.FindAllStringSubmatch(passage, -1) {
		if quoted := words(strings.Join(groups[1:], "")); strings.TrimSpace(quoted) != "" {
			found = append(found, quoted)
		}
	}
	all := strings.Fields(words(passage))
	for i := 0; i+longestShared <= len(all); i++ {
		found = append(found, " "+strings.Join(all[i:i+longestShared], " ")+" ")
	}
	return slices.Compact(found)
}

// words returns the words of a text in lower case, with spaces around each.
func words(said string) string {
	var b strings.Builder
	for _, word := range text.Words(strings.ReplaceAll(said, `\"`, `"`)) {
		b.WriteString(" " + strings.ToLower(word.Text))
	}
	return b.String() + " "
}
