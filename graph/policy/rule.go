package policy

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// checkRange returns the field error of a number outside its @range, bounds inclusive; kind is
// empty inside.
func checkRange(n int, lowest, highest *int) (kind, msg string) {
	switch {
	case lowest != nil && n < *lowest:
		return "greater_than_equal", fmt.Sprintf("must be at least %d", *lowest)
	case highest != nil && n > *highest:
		return "less_than_equal", fmt.Sprintf("must be at most %d", *highest)
	}
	return "", ""
}

// checkLength returns the field error of a text outside its @length; kind is empty inside. It
// counts code points without surrounding white space, and none in a text of which nothing is seen.
func checkLength(text string, shortest, longest *int) (kind, msg string) {
	length := utf8.RuneCountInString(strings.TrimSpace(text))
	if !strings.ContainsFunc(text, isSeen) {
		length = 0
	}
	switch {
	case shortest != nil && length < *shortest:
		return "string_too_short", fmt.Sprintf("must have %d or more characters", *shortest)
	case longest != nil && length > *longest:
		return "string_too_long", fmt.Sprintf("must have %d or fewer characters", *longest)
	}
	return "", ""
}

// isSeen reports whether a character is no white space, control or format character.
func isSeen(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.C, r) }

// intArgument returns a directive's argument; nil when it is not set.
func intArgument(d *ast.Directive, name string) *int {
	arg := d.Arguments.ForName(name)
	if arg == nil {
		return nil
	}
	value, err := arg.Value.Value(nil)
	if err != nil || value == nil {
		return nil
	}
	n, _ := toInt(value)
	return &n
}
