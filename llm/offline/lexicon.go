package offline

import (
	"embed"
	"strings"
	"sync"

	"rostrum/llm/text"
)

//go:embed lexicon
var lexiconFiles embed.FS

// lexicon holds the word lists of a language. Negations and hedges are whole words, because their
// stems are other words' stems too.
type lexicon struct {
	negations, hedges    map[string]bool
	bounds, ups, downs   map[string]bool
	questions            map[string]bool
	futures, identifiers map[string]bool
	others               map[string]map[string]bool // lists for auto-tags, by kind
}

// lexicons returns the word lists by language.
var lexicons = sync.OnceValue(func() map[string]*lexicon {
	all := map[string]*lexicon{}
	for _, language := range []string{"en", "de", "fr", "es"} {
		lists := map[string]map[string]bool{}
		for line := range strings.Lines(readLexicon(language)) {
			kind, words, found := strings.Cut(line, ":")
			if !found || strings.HasPrefix(line, "#") {
				continue
			}
			lists[kind] = map[string]bool{}
			for word := range strings.FieldsSeq(words) {
				lists[kind][word] = true
				if kind != "negation" && kind != "hedge" {
					lists[kind][stemOf(word, language)] = true
				}
			}
		}
		all[language] = &lexicon{
			lists["negation"], lists["hedge"], lists["bound"], lists["up"], lists["down"],
			lists["question"], lists["future"], lists["identifier"],
			lists,
		}
	}
	return all
})

// lexiconOf returns the word lists of a language, else the English ones.
func lexiconOf(language string) *lexicon {
	if found := lexicons()[language]; found != nil {
		return found
	}
	return lexicons()["en"]
}

func readLexicon(name string) string {
	raw, err := lexiconFiles.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(raw)
}

func stemOf(word, language string) string {
	for _, token := range text.Tokens(word, language) {
		return token.Stem
	}
	return word
}

// synonymGroups returns the groups of English synonyms by stem.
var synonymGroups = sync.OnceValue(func() map[string][]int {
	groups := map[string][]int{}
	n := 0
	for line := range strings.Lines(readLexicon("synonym_en")) {
		if n++; strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			stem := stemOf(word, "en")
			groups[stem] = append(groups[stem], n)
		}
	}
	return groups
})

// sentence is a sentence with its words.
type sentence struct {
	text.Span
	tokens []text.Token
}

// readSentences returns the sentences of a text.
func readSentences(spans []text.Span, language string) []sentence {
	all := make([]sentence, len(spans))
	for i, span := range spans {
		all[i] = sentence{span, tokensOf(span.Text, language)}
	}
	return all
}

// has reports whether a list has a word.
func (l *lexicon) has(kind string, token text.Token) bool {
	return l.others[kind][strings.ToLower(token.Text)]
}

// isNegation reports whether a word negates others.
func (l *lexicon) isNegation(token text.Token) bool {
	lower := strings.ReplaceAll(strings.ToLower(token.Text), "’", "'")
	return l.negations[lower] || strings.HasSuffix(lower, "n't")
}

// isHedge reports whether a word expresses doubt, intention or denial. "May" with a capital is a
// month.
func (l *lexicon) isHedge(token text.Token) bool {
	return token.Text != "May" && l.hedges[strings.ToLower(token.Text)]
}

// direction returns the direction of a word: more (1), less (-1) or neither (0).
func (l *lexicon) direction(token text.Token) int {
	lower := strings.ToLower(token.Text)
	switch {
	case l.ups[lower] || l.ups[token.Stem]:
		return 1
	case l.downs[lower] || l.downs[token.Stem]:
		return -1
	}
	return 0
}

// firstPerson returns the pronouns of the first person in all languages.
var firstPerson = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, words := range lexicons() {
		for word := range words.others["first"] {
			all[word] = true
		}
	}
	return all
})
