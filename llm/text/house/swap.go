package house

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// swaps are the pairs of a substitution, the longest expressions first.
type swaps struct {
	from   []string
	to     []string
	groups []int // the number of the group of each pair; the groups of its expression follow
}

// newSwaps orders the pairs, and puts each expression in a group.
func (f *fields) newSwaps(from, to []string) swaps {
	order := make([]int, len(from))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(from[b]) - len(from[a]) })
	var out swaps
	group := 2 // 0 is the match, 1 all expressions
	for _, i := range order {
		compiled, err := regexp.Compile(widenWords(from[i]))
		if err != nil {
			f.fail("swap", "has the expression \""+from[i]+"\", which Go does not read: "+reasonOf(err))
			return out
		}
		out.from, out.to = append(out.from, "("+from[i]+")"), append(out.to, to[i])
		out.groups = append(out.groups, group)
		group += 1 + compiled.NumSubexp()
		for _, ref := range reference.FindAllString(to[i], -1) {
			if int(ref[1]-'0') > compiled.NumSubexp() {
				f.fail("swap", fmt.Sprintf("has the replacement %q, but %q has no such group", to[i], from[i]))
			}
		}
	}
	return out
}

// reference matches a place of a replacement that stands for a group of the expression.
var reference = regexp.MustCompile(`\$[1-9]`)

// replace returns what may take the place of a match: the texts between the bars of its pair.
func (w swaps) replace(said string, at []int) []string {
	for i, group := range w.groups {
		if at[2*group] < 0 {
			continue
		}
		last := len(at)/2 - 1
		if i+1 < len(w.groups) {
			last = w.groups[i+1] - 1
		}
		text := reference.ReplaceAllStringFunc(w.to[i], func(ref string) string {
			number := group + int(ref[1]-'0')
			if number > last || at[2*number] < 0 {
				return ""
			}
			return said[at[2*number]:at[2*number+1]]
		})
		return strings.Split(text, "|")
	}
	return nil
}
