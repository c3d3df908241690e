package web

import "rostrum/errs"

const (
	// maxValues limits the values of a JSON text. Decoded into maps and slices, a value that is two
	// bytes long needs up to 150 bytes.
	maxValues = 50_000
	// maxDepth limits the levels of nested arrays and objects.
	maxDepth = 100
)

// CheckJSON returns errs.TooLarge for a JSON text with more than 50,000 values, and
// errs.MalformedJSON for more than 100 levels of arrays and objects. It does not check the syntax.
// It is called before a text is decoded, which takes far more memory than the text.
func CheckJSON(text []byte) error {
	values, depth := measureJSON(text)
	switch {
	case depth > maxDepth:
		return errs.New(errs.MalformedJSON, "the body nests deeper than %d levels", maxDepth)
	case values > maxValues:
		return errs.New(errs.TooLarge, "the body has more than %d values", maxValues)
	}
	return nil
}

// measureJSON returns an upper bound of the number of values and the number of nested levels.
// Strings are skipped.
func measureJSON(text []byte) (values, deepest int) {
	level, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == ',':
			values++
		case c == '[' || c == '{':
			values++
			level++
			deepest = max(deepest, level)
		case c == ']' || c == '}':
			level--
		}
	}
	return values + 1, deepest
}
