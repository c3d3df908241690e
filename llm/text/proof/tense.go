package proof

import (
	"regexp"
	"strings"
)

// markTense sets past, future and passive verbs.
func markTense(words []word, language string) {
	for i := range words {
		w := &words[i]
		w.will = w.is("will")
		if pattern := future[language]; pattern != nil && w.content && pattern.MatchString(w.lower) {
			w.will = true
		}
		if !w.content {
			continue
		}
		w.past = w.is("past") || language == "en" && strings.HasSuffix(w.lower, "ed")
		markAuxiliary(words, i, language)
		for j := i - 1; j >= 0 && words[j].part == w.part; j-- {
			if words[j].is("will") || words[j].is("may") || words[j].is("want") {
				w.will, w.past = true, false
			}
		}
	}
}

// markAuxiliary sets past and passive by the verbs before a verb, such as "has" and "was". German
// has the verb at the end of its clause.
func markAuxiliary(words []word, i int, language string) {
	w := &words[i]
	for j := i - 1; j >= 0 && words[j].clause == w.clause && words[j].part == w.part; j-- {
		before := &words[j]
		if before.is("did") && (language != "en" || w.past) {
			w.past = true
		}
		if before.is("be") && isParticiple(w, before.lower, language) {
			w.passive = true
		}
		if before.content && language != "de" {
			break
		}
	}
}

// participles match the form of verbs after "is" in a passive clause.
var participles = map[string]*regexp.Regexp{
	"de": regexp.MustCompile(`^(?:an|ab|auf|aus|ein|vor|zu|um|bei|mit|nach|her|hin|weg)?ge.*(?:t|en)$|(?:t|iert)$`),
	"fr": regexp.MustCompile(`(?:é|ée|és|ées|i|is|ie|it|u|us|ue|ues)$`),
	"es": regexp.MustCompile(`(?:ado|ada|ados|adas|ido|ida|idos|idas|to|ta|cho|cha)$`),
}

// isParticiple reports whether a word is a passive verb after a form of "be". French "est" is also
// a part of "est arrivé", so that only "été" shows the passive.
func isParticiple(w *word, be, language string) bool {
	if language == "en" {
		return w.past
	}
	pattern := participles[language]
	return pattern != nil && pattern.MatchString(w.lower) && (language != "fr" || be == "été")
}
