package proof

import (
	"fmt"
	"slices"
)

// roleWord is a word of the statement that the quote has exactly once, with both places.
type roleWord struct {
	said, quoted *word
	place        int
}

// changedRole returns a fault if the statement exchanges who does what to whom: if words have the
// reverse order without a reason, such as a passive verb with "by".
func (c *claim) changedRole() string {
	words := c.roleWords()
	for i, a := range words {
		for j := i + 1; j < len(words); j++ {
			b := words[j]
			if a.quoted.sentence != b.quoted.sentence {
				continue
			}
			if a.place > b.place && c.isLike(a, b) && !a.mayMove(b) {
				return fmt.Sprintf("it exchanges “%s” and “%s”", a.said.lower, b.said.lower)
			}
			for k := j + 1; k < len(words); k++ {
				third := words[k]
				if a.place > b.place && b.place > third.place && third.quoted.sentence == a.quoted.sentence &&
					!a.mayMove(third) {
					return fmt.Sprintf("it exchanges “%s” and “%s”", a.said.lower, third.said.lower)
				}
				if a.place < b.place && b.place < third.place && third.isAgent() != third.wasAgent() &&
					b.said.passive != b.quoted.passive {
					return fmt.Sprintf("it exchanges who does “%s”", b.said.lower)
				}
			}
		}
	}
	return c.changedVoice()
}

// roleWords returns the words with one place in the statement and one in the quote.
func (c *claim) roleWords() []roleWord {
	places := map[int]int{}
	count := func(words []word) (selves int) {
		for i := range words {
			if words[i].isSelf && (i == 0 || !words[i-1].isSelf) {
				selves++
			}
		}
		return selves
	}
	for _, matches := range c.matches {
		for _, j := range matches {
			places[j]++
		}
	}
	var found []roleWord
	own := slices.IndexFunc(c.quoted, func(w word) bool { return w.isSelf })
	oneSelf := count(c.said) == 1 && count(c.quoted) == 1
	for i := range c.said {
		w := &c.said[i]
		switch {
		case w.isSelf:
			if oneSelf && (i == 0 || !c.said[i-1].isSelf) {
				found = append(found, roleWord{w, &c.quoted[own], own})
			}
		case (w.content || w.number != nil) && len(c.matches[i]) == 1 && places[c.matches[i][0]] == 1:
			j := c.matches[i][0]
			found = append(found, roleWord{w, &c.quoted[j], j})
		}
	}
	return found
}

// dropFrames takes "Ines Okafor says that" and "according to her" out of the statement, because
// the speaker has no part in what is said there.
func (c *claim) dropFrames() {
	for i := range c.said {
		if !c.said[i].is("say") && !c.said[i].is("frame") || len(c.matches[i]) > 0 {
			continue
		}
		c.said[i].content = false
		for _, step := range []int{-1, 1} {
			at := i + step
			if at >= 0 && at < len(c.said) && !c.said[at].isSelf {
				at += step
			}
			if at < 0 || at >= len(c.said) || !c.said[at].isSelf {
				continue
			}
			for ; at >= 0 && at < len(c.said) && c.said[at].isSelf; at += step {
				c.said[at].isSelf, c.said[at].content = false, false
			}
			break
		}
	}
}

// isLike reports whether an exchange of two words alone changes a claim: two names, two numbers,
// or a name and the speaker. German nouns look like names, and their clauses may change places.
func (c *claim) isLike(a, b roleWord) bool {
	if a.said.number != nil || b.said.number != nil {
		return a.said.number != nil && b.said.number != nil
	}
	if compares(a) != compares(b) {
		return true
	}
	isParty := func(w roleWord) bool { return w.said.isSelf || w.said.isName || w.quoted.isName }
	return isParty(a) && isParty(b) && (c.language != "de" || a.quoted.clause == b.quoted.clause)
}

// compares reports whether a word is the lesser or greater side of a comparison: "than York".
func compares(w roleWord) bool { return thans[w.said.prep] || thans[w.quoted.prep] }

var thans = wordSet("than als")

// mayMove reports whether two words may exchange their order: one keeps its preposition, or "by"
// shows who acts.
func (a roleWord) mayMove(b roleWord) bool {
	stays := func(w roleWord) bool { return w.said.prep != "" && w.said.prep == w.quoted.prep }
	turns := func(w roleWord) bool { return w.isAgent() != w.wasAgent() }
	return stays(a) || stays(b) || turns(a) != turns(b)
}

// agents are the prepositions before the one who acts.
var agents = wordSet("by von vom durch par por")

func (a roleWord) isAgent() bool  { return agents[a.said.prep] }
func (a roleWord) wasAgent() bool { return agents[a.quoted.prep] }

// changedVoice returns a fault if the subject of an active verb becomes that of a passive one, or
// stands after its verb.
func (c *claim) changedVoice() string {
	for i := range c.said {
		if len(c.matches[i]) != 1 || !c.said[i].content || c.said[i].isName {
			continue
		}
		j := c.matches[i][0]
		subject, before := subjectOf(c.said, i), subjectOf(c.quoted, j)
		hasPrep := c.said[i].prep != "" && c.said[i].prep == c.quoted[j].prep // it is no verb
		if subject < 0 || before < 0 || hasPrep {
			continue
		}
		keeps, turns := c.isSame(subject, before), c.said[i].passive != c.quoted[j].passive
		if keeps && turns || !keeps && !turns && c.isOnlyAfter(before, i) {
			return fmt.Sprintf("it exchanges who does “%s”", c.said[i].lower)
		}
	}
	return ""
}

func (c *claim) isSame(said, quoted int) bool {
	return c.said[said].same(&c.quoted[quoted], c.language) || c.said[said].isSelf && c.quoted[quoted].isSelf
}

// isOnlyAfter reports whether the statement has a word of the quote, and only after a place.
func (c *claim) isOnlyAfter(quoted, place int) bool {
	after := false
	for i := range c.said {
		if c.isSame(i, quoted) {
			if i < place {
				return false
			}
			after = true
		}
	}
	return after
}

// subjectOf returns the place of the first word of a verb's clause that has no preposition, or -1.
func subjectOf(words []word, at int) int {
	found := -1
	for i := at - 1; i >= 0 && words[i].clause == words[at].clause && words[i].part == words[at].part; i-- {
		if words[i].is("because") || words[i].is("if") || isPronoun(words[i].lower) {
			break
		}
		if (words[i].content || words[i].isSelf) && words[i].prep == "" {
			found = i
		}
	}
	return found
}
