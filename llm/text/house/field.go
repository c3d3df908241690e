package house

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"rostrum/model"
)

// maxValues is the greatest number of values of a list.
const maxValues = 1000

// fields are the keys of a rule with their values. It keeps the first error.
type fields struct {
	before int // lines before the rule
	nodes  map[string]*yaml.Node
	names  []string       // in the order of the rule
	lines  map[string]int // the line of each key
	err    error
}

// take returns the value of a key and removes it; nil if the rule has no such key.
func (f *fields) take(name string) *yaml.Node {
	node := f.nodes[name]
	if node != nil {
		delete(f.nodes, name)
	}
	return node
}

// fail notes what is wrong with a field.
func (f *fields) fail(name, reason string) {
	line := f.lines[name]
	if line == 0 {
		line = f.before + 1
	}
	f.failAt(line, name, reason)
}

// failAt notes what is wrong with a field at a line.
func (f *fields) failAt(line int, name, reason string) {
	if f.err == nil {
		f.err = &Error{line, name, reason}
	}
}

// text returns a text; "" if there is none.
func (f *fields) text(name string) string {
	node := f.take(name)
	if node == nil {
		return ""
	}
	if !isText(node) {
		f.fail(name, "must be a text without control characters")
	}
	return node.Value
}

// isText reports whether a value is a text. Numbers and booleans are texts as they are written.
func isText(node *yaml.Node) bool {
	isControl := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	}
	return node.Kind == yaml.ScalarNode && node.ShortTag() != "!!null" && node.ShortTag() != "!!binary" &&
		!strings.ContainsFunc(node.Value, isControl)
}

// flag returns a boolean; false if there is none.
func (f *fields) flag(name string) bool {
	node := f.take(name)
	if node == nil {
		return false
	}
	var value bool
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!bool" || node.Decode(&value) != nil {
		f.fail(name, "must be true or false")
	}
	return value
}

// number returns a number from least on; missing if there is none.
func (f *fields) number(name string, least, missing float64) float64 {
	node := f.take(name)
	if node == nil {
		return missing
	}
	value, err := strconv.ParseFloat(node.Value, 64)
	if node.Kind != yaml.ScalarNode || err != nil || math.IsNaN(value) || value < least || value > 1e6 {
		f.fail(name, fmt.Sprintf("must be a number from %v on", least))
	}
	return value
}

// count returns a whole number from 1 on; 0 if there is none.
func (f *fields) count(name string) int {
	value := f.number(name, 1, 0)
	if value != math.Trunc(value) {
		f.fail(name, "must be a whole number")
	}
	return int(value)
}

// list returns texts that are not blank.
func (f *fields) list(name string) []string {
	node := f.take(name)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.SequenceNode || len(node.Content) > maxValues {
		f.fail(name, fmt.Sprintf("must be a list of at most %d texts", maxValues))
		return nil
	}
	values := make([]string, len(node.Content))
	for i, one := range node.Content {
		if !isText(one) || strings.TrimSpace(one.Value) == "" {
			f.failAt(f.before+one.Line, name, "has a value that is no text, is blank, or has control characters")
		}
		values[i] = one.Value
	}
	return values
}

// swaps returns the pairs of a substitution in their order.
func (f *fields) swaps() (from, to []string) {
	node := f.take("swap")
	if node == nil || node.Kind != yaml.MappingNode || len(node.Content) == 0 || len(node.Content) > 2*maxValues {
		f.fail("swap", fmt.Sprintf("must have from 1 to %d pairs, each a text to avoid and the one to prefer", maxValues))
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if !isText(key) || !isText(value) || strings.TrimSpace(key.Value) == "" ||
			slices.Contains(from, key.Value) {
			f.failAt(f.before+key.Line, "swap", "has a pair that is blank, no text, has control characters, or is there twice")
		}
		from, to = append(from, key.Value), append(to, value.Value)
	}
	return from, to
}

// scopeNames are the parts of a text that a rule may look at.
var scopeNames = []string{"text", "paragraph", "sentence", "heading", "heading.h1", "heading.h2", "heading.h3",
	"heading.h4", "heading.h5", "heading.h6", "list", "table"}

// readScopes reads the parts of texts that a rule looks at.
func (f *fields) readScopes() []string {
	node := f.nodes["scope"]
	if node == nil {
		return []string{"text"}
	}
	var scopes []string
	if node.Kind == yaml.SequenceNode {
		scopes = f.list("scope")
	} else {
		scopes = []string{f.text("scope")}
	}
	for _, scope := range scopes {
		if !slices.Contains(scopeNames, scope) {
			f.fail("scope", fmt.Sprintf("%q is not supported; known are %s", scope, strings.Join(scopeNames, ", ")))
		}
	}
	if len(scopes) == 0 {
		f.fail("scope", "must not be empty")
	}
	return scopes
}

// readAction reads what an editor may do with a finding, which must be one of the names.
func (f *fields) readAction(names ...string) string {
	node := f.take("action")
	if node == nil {
		return ""
	}
	action := &fields{nodes: map[string]*yaml.Node{}}
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			action.nodes[node.Content[i].Value] = node.Content[i+1]
		}
	}
	name := action.text("name")
	if action.err != nil || len(action.nodes) > 0 || !slices.Contains(names, name) {
		f.fail("action", "is not supported here but as name: "+strings.Join(names, " or "))
	}
	return name
}

// refuseRest fails for the first key that nobody has read.
func (f *fields) refuseRest(kind model.HouseRuleKind) {
	for _, name := range f.names {
		if f.nodes[name] != nil {
			f.fail(name, fmt.Sprintf("is not supported in rules that extend %s", kind))
		}
	}
}

// checkMessage fails if the message has more %s than there are values for.
func (f *fields) checkMessage(rule *Rule, values int) {
	if strings.Count(rule.Message, "%s") > values {
		f.fail("message", fmt.Sprintf("must have at most %d times %%s", values))
	}
}
