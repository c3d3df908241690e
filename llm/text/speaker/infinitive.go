package speaker

import (
	"slices"
	"strings"
)

// addresseeReach is the number of tokens between a verb and its infinitive in which an addressee
// may be named: "demande au maire de …".
const addresseeReach = 6

// shortestInfinitive is the number of letters of a French or Spanish infinitive that its ending
// shows.
const shortestInfinitive = 4

// introducesInfinitive reports whether an infinitive follows a verb of saying as its reported
// words: "promised to ask", "a proposé de payer", "prometió entregar", "bat darum, … einzureichen".
func (r *page) introducesInfinitive(at, n, to int) bool {
	next := at + n
	switch {
	case r.german:
		return r.hasGermanInfinitive(next, to)
	case r.drops:
		return r.isInfinitive(next, to, "ar", "er", "ir", "arse", "erse", "irse")
	case r.inverts:
		return r.hasFrenchInfinitive(next, to)
	}
	return next+1 < to && r.isA(at, kindInfinitiveVerb) && r.tokens[next].lower == "to" && r.isPlainWord(next+1)
}

// isPlainWord reports whether a token is a word in lower case that begins no noun phrase.
func (r *page) isPlainWord(at int) bool {
	t := r.tokens[at]
	return t.word && !t.capital && !r.isA(at, kindDeterminer, kindPossessive, kindHim, kindHer)
}

// commaReach is the number of tokens after a German verb in which a comma introduces indirect
// speech.
const commaReach = 6

// hasGermanInfinitive reports whether a comma and an infinitive with "zu" follow a position.
func (r *page) hasGermanInfinitive(from, to int) bool {
	comma := from
	for comma < min(to-1, from+commaReach) && r.tokens[comma].word {
		comma++
	}
	if comma >= to || !r.tokens[comma].is(",") {
		return false
	}
	for i := comma + 1; i < to && !r.tokens[i].is(",;:"); i++ {
		if r.isGermanInfinitive(i, to) {
			return true
		}
	}
	return false
}

// isGermanInfinitive reports whether "zu" and an infinitive are at a token, in two words or in one:
// "zu kündigen", "einzureichen".
func (r *page) isGermanInfinitive(at, to int) bool {
	t := r.tokens[at]
	if t.lower == "zu" {
		return at+1 < to && !r.tokens[at+1].capital && strings.HasSuffix(r.tokens[at+1].lower, "n")
	}
	prefix, stem, isJoined := strings.Cut(t.lower, "zu")
	return isJoined && prefix != "" && len(stem) >= shortestInfinitive && strings.HasSuffix(stem, "n") && !t.capital
}

// hasFrenchInfinitive reports whether an infinitive follows a position, or its preposition does so
// after an addressee.
func (r *page) hasFrenchInfinitive(from, to int) bool {
	endings := []string{"er", "ir", "re", "oir"}
	if r.isInfinitive(from, to, endings...) {
		return true
	}
	reach := from + 1
	if from < to && addressees[r.tokens[from].lower] {
		reach = from + addresseeReach
	}
	for i := from; i < min(to, reach) && r.tokens[i].word; i++ {
		if word := r.tokens[i].lower; (word == "de" || word == "d'" || word == "d" || word == "à") &&
			r.isInfinitive(i+1, to, endings...) {
			return true
		}
	}
	return false
}

// addressees are the words that begin a French addressee.
var addressees = map[string]bool{"à": true, "au": true, "aux": true}

// isInfinitive reports whether a token is a word in lower case with one of the endings, and no noun
// with an article.
func (r *page) isInfinitive(at, to int, endings ...string) bool {
	if at >= to || r.tokens[at].capital || r.tokens[at].end-r.tokens[at].start < shortestInfinitive {
		return false
	}
	return hasEnding(r.tokens[at].lower, endings) && !notInfinitives[r.tokens[at].lower] &&
		!r.isFunctionWord(r.tokens[at].lower)
}

func hasEnding(word string, endings []string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(word, ending) })
}

// notInfinitives are other words with these endings that may follow a verb.
var notInfinitives = map[string]bool{"ayer": true, "hier": true, "mujer": true, "lugar": true, "encore": true,
	"contre": true, "entre": true, "notre": true, "votre": true, "autre": true, "outre": true, "octobre": true,
	"novembre": true, "décembre": true, "septembre": true, "titre": true, "libre": true, "premier": true,
	"dernier": true, "janvier": true, "février": true}

// isPassive reports whether a verb follows an auxiliary of the passive, which is not reflexive:
// "was told", but not "s'est amusé".
func (r *page) isPassive(at int) bool {
	return at > 0 && r.isA(at-1, kindPassive) && !(at > 1 && r.isA(at-fullName, kindReflexive))
}

// separableReach is the number of tokens between a German verb and its prefix.
const separableReach = 7

// prefixLength returns 1 if a German verb of a kind is at a token whose prefix ends the clause:
// "Dagegen wendet X ein, …"; 0 without one.
func (r *page) prefixLength(kind string, at, to int) int {
	for i := at + fullName; r.german && i < min(to, at+separableReach) && r.tokens[i].word; i++ {
		ends := i+1 == to || r.tokens[i+1].is(",.:;")
		if ends && r.words[kind][r.tokens[at].lower+" "+r.tokens[i].lower] {
			return 1
		}
	}
	return 0
}

// isNoun reports whether a word in the form of a verb is a noun: it follows an article or a
// preposition.
func (r *page) isNoun(at int) bool {
	before := r.tokens[at-1].lower
	return !r.words[kindAuxiliary][before] && (r.words[kindDeterminer][before] || r.words[kindPreposition][before])
}

// longestAdverb is the maximum number of words of an adverb.
const longestAdverb = 3

// adverbBefore returns the number of tokens of the adverb that ends in front of a position; 0
// without one.
func (r *page) adverbBefore(from, at int) int {
	for n := min(longestAdverb, at-from); n > 0; n-- {
		if (n > 1 || !r.isPronoun(at-1)) && r.words[kindAdverb][joinTokens(r.tokens[at-n:at])] {
			return n
		}
	}
	return 0
}

func (r *page) hasWords(from, to int) bool {
	for i := from; i < to; i++ {
		n := r.match(kindAdverb, i, to)
		if r.tokens[i].word && n == 0 {
			return true
		}
		i += max(n-1, 0)
	}
	return false
}
