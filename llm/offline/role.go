package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// hasOtherRoles reports whether a passage may have a point's words in other roles, for example
// subject and object exchanged. It looks for another order, for a genitive of the passage's own,
// and for a conjunction or relative pronoun of its own between the words.
func (t *Text) hasOtherRoles(p point, w passage) bool {
	agent := -1 // the index in the sentence of the agent of a passive that the point does not have
	first, last := w.bounds()
	for i, token := range w.tokens {
		word := strings.ToLower(token.Text)
		switch at := w.from + i; {
		case at < first || at > last:
		case p.all[word]:
		case t.words.has("joint", token):
			return true
		case t.words.has("agent", token) && !isNumber(w.tokens[i+1]): // "cut by 30 percent" has no agent
			agent = at
		}
	}
	for n, at := range w.at {
		if at >= 0 && isGenitive(w.tokens[at-w.from]) && !isGenitive(p.tokens[n]) {
			return true
		}
	}
	if agent >= 0 {
		return !t.isPassiveOf(p, w, agent)
	}
	return !t.inOrder(p, w)
}

// bounds returns the indexes of the first and the last word of the point in the sentence.
func (w passage) bounds() (first, last int) {
	first = -1
	for _, at := range w.at {
		if at >= 0 && (first < 0 || at < first) {
			first = at
		}
		last = max(last, at)
	}
	return first, last
}

// isPassiveOf reports whether a passage with an agent states the point in the passive: the point's
// subject is the agent, after the others, except phrases with a preposition and the verb in German.
func (t *Text) isPassiveOf(p point, w passage, agent int) bool {
	if w.at[0] < agent {
		return false
	}
	for n, at := range w.at {
		if at > w.at[0] && at != w.at[0]+n && p.groups[n] == 0 && (t.language != "de" || isCapital(p.tokens[n])) {
			return false
		}
	}
	return slices.ContainsFunc(w.at, func(at int) bool { return at >= 0 && at < agent })
}

// inOrder reports whether a point's words have the same order in the passage. A phrase that begins
// with a preposition may stand elsewhere as a whole. So may German verbs; in German only nouns and
// names are compared.
func (t *Text) inOrder(p point, w passage) bool {
	last := map[int]int{} // by group, the index of its last word
	for n, token := range p.tokens {
		if w.at[n] < 0 || t.language == "de" && !isCapital(token) {
			continue
		}
		group := p.groups[n]
		if before, ok := last[group]; ok && w.at[n] < before {
			return false
		}
		last[group] = w.at[n]
	}
	return true
}

func isCapital(token text.Token) bool {
	first, _ := utf8.DecodeRuneInString(token.Text)
	return unicode.IsUpper(first)
}

func isGenitive(token text.Token) bool {
	return strings.HasSuffix(token.Text, "'s") || strings.HasSuffix(token.Text, "’s")
}
