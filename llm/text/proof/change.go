package proof

import (
	"fmt"
	"slices"
)

// kept are the kinds that a statement may not leave out, and how many words after one it is about.
// "may close the plant" is about "close" and "plant".
var kept = map[kind]int{
	"not": 2, "may": 2, "must": 2, "want": 2, "deny": 2, "say": 3, "if": 100, "some": 1, "few": 1, "many": 1, "most": 1,
	"about": 1, "upto": 1, "least": 1, "before": 1, "after": 1, "until": 1, "against": 1,
}

// limits are kinds that a denial may not lose: "no cuts before March" is not "no cuts".
var limits = map[kind]bool{"before": true, "after": true, "until": true}

// added are the kinds that a statement may not have without the quote, and the words that they are
// about.
var added = map[kind]int{
	"not": 2, "may": 2, "must": 2, "if": 1, "only": 2, "some": 1, "few": 1, "many": 1, "most": 1, "all": 1, "about": 1,
	"upto": 1, "least": 1, "before": 1, "after": 1, "until": 1, "because": 1, "against": 1, "more": 1, "less": 1,
}

// changedKind returns a fault for a word such as "not" or "may" that the statement adds or leaves
// out.
func (c *claim) changedKind() string {
	for i, w := range c.said {
		for _, k := range w.kinds {
			if n, ok := added[k]; ok && !c.hasKindNear(k, scope(c.said, i, n)) {
				return fmt.Sprintf("the quote does not say “%s” of it", w.lower)
			}
		}
	}
	for j, w := range c.quoted {
		for _, k := range w.kinds {
			n, ok := kept[k]
			if !ok || hasKind(c.said, k) || k == "say" && c.isOwnSaying(j) {
				continue
			}
			if c.repeats(k, scope(c.quoted, j, n)) || limits[k] && c.isPartWith("not", w.part) && hasKind(c.said, "not") {
				return fmt.Sprintf("it leaves out “%s” of the quote", w.lower)
			}
		}
	}
	return ""
}

func hasKind(words []word, k kind) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.is(k) })
}

// hasKindNear reports whether the quote has a word of a kind in a part with one of the words that
// the statement's is about.
func (c *claim) hasKindNear(k kind, about []int) bool {
	isNear := func(place int) bool {
		for _, i := range about {
			for _, j := range c.matches[i] {
				if c.quoted[j].part == c.quoted[place].part {
					return true
				}
			}
		}
		return len(about) == 0
	}
	for j := range c.quoted {
		if c.quoted[j].is(k) && isNear(j) {
			return true
		}
	}
	return false
}

// repeats reports whether the statement has a word of the quote that is always in the scope of a
// kind there.
func (c *claim) repeats(k kind, about []int) bool {
	for _, matches := range c.matches {
		if !slices.ContainsFunc(matches, func(j int) bool { return slices.Contains(about, j) }) {
			continue
		}
		if !slices.ContainsFunc(matches, func(j int) bool { return !c.isPartWith(k, c.quoted[j].part) }) {
			return true
		}
	}
	return false
}

func (c *claim) isPartWith(k kind, part int) bool {
	return slices.ContainsFunc(c.quoted, func(w word) bool { return w.part == part && w.is(k) })
}

// objects are the forms of the first person that are told something.
var objects = wordSet("us me uns mir mich")

// isOwnSaying reports whether the speaker of the quote is the one who says something in it: "we say",
// or "said Okafor".
func (c *claim) isOwnSaying(at int) bool {
	for i := max(0, at-3); i < min(len(c.quoted), at+3); i++ {
		w := c.quoted[i]
		if w.isSelf && !objects[w.lower] && w.sentence == c.quoted[at].sentence && (i < at || !w.is("self")) {
			return true
		}
	}
	return false
}

// scope returns the next n words that a word is about, or the last ones before it at the end of a
// clause: German has "nicht" there. The scope of "if" is its whole sentence.
func scope(words []word, at, n int) (about []int) {
	counts := func(i int) bool { return words[i].content || words[i].number != nil }
	w := words[at]
	if n >= len(words) || w.is("if") {
		for i := range words {
			if words[i].sentence == w.sentence && counts(i) {
				about = append(about, i)
			}
		}
		return about
	}
	for i := at + 1; i < len(words) && words[i].clause == w.clause && words[i].part == w.part && len(about) < n; i++ {
		if counts(i) {
			about = append(about, i)
		}
	}
	if len(about) > 0 || w.is("say") {
		return about
	}
	for i := at - 1; i >= 0 && words[i].clause == w.clause && words[i].part == w.part && len(about) < n; i-- {
		if counts(i) {
			about = append(about, i)
		}
	}
	return about
}

// changedTense returns a fault for something done that the quote does not say is done, or the
// reverse.
func (c *claim) changedTense() string {
	isReported := slices.ContainsFunc(c.said, func(w word) bool { return (w.is("frame") || w.is("say")) && w.past })
	for i, w := range c.said {
		if !w.content || len(c.matches[i]) == 0 || w.is("frame") || w.is("say") {
			continue
		}
		done, coming, there := false, false, false
		for _, j := range c.matches[i] {
			q := c.quoted[j]
			done, coming, there = done || q.past, coming || q.will, there || q.lower == w.lower
		}
		switch {
		case w.past && !done && (coming || !there && !isReported && !w.passive):
			return fmt.Sprintf("the quote does not say that “%s” is done", w.lower)
		case w.will && done && !coming && hasKind(c.said, "will"):
			return fmt.Sprintf("the quote says that “%s” is done", w.lower)
		}
	}
	return ""
}
