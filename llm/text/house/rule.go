package house

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"rostrum/model"
)

// MaxSource is the greatest number of characters of a rule.
const MaxSource = 20_000

// maxName is the greatest number of characters of a rule's name.
const maxName = 200

// Rule is a parsed rule. It never changes, so several goroutines may use it at the same time.
type Rule struct {
	Name     string
	Kind     model.HouseRuleKind
	Level    model.HouseRuleLevel
	Message  string
	Language string // base language of the texts that it is for, such as "de"; "" is all
	Link     string // "" if it has none
	Source   string

	look func(*search) // finds what is wrong in a text
}

// Error is what is wrong with a rule.
type Error struct {
	Line   int    // from 1, in the text that Parse or ParseAll got
	Field  string // "" if it is about the whole rule
	Reason string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d: %s %s", e.Line, e.Field, e.Reason)
}

// ParseAll parses rules that are separated by lines of three dashes. It returns an *Error for the
// first wrong rule, and for a name that two of them have.
func ParseAll(source string) ([]*Rule, error) {
	var rules []*Rule
	named := map[string]bool{}
	add := func(part string, before int) error {
		if isBlank(part) {
			return nil
		}
		rule, err := parse(part, before)
		switch {
		case err != nil:
			return err
		case named[rule.Name]:
			return &Error{before + 1, "name", "is that of an earlier rule"}
		}
		named[rule.Name] = true
		rules = append(rules, rule)
		return nil
	}
	var part strings.Builder
	line, before := 0, 0
	for text := range strings.Lines(source) {
		if line++; !separator.MatchString(text) {
			part.WriteString(text)
			continue
		}
		if err := add(part.String(), before); err != nil {
			return nil, err
		}
		part.Reset()
		before = line
	}
	err := add(part.String(), before)
	return rules, err
}

// separator matches the line between two rules.
var separator = regexp.MustCompile(`^---[ \t]*(?:#.*)?\r?\n?$`)

// isBlank reports whether a part has nothing but comments.
func isBlank(part string) bool {
	for line := range strings.Lines(part) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// Parse parses one rule. It returns an *Error that names the field.
func Parse(source string) (*Rule, error) { return parse(source, 0) }

// parse parses a rule that follows the given number of lines.
func parse(source string, before int) (*Rule, error) {
	if utf8.RuneCountInString(source) > MaxSource {
		return nil, &Error{before + 1, "", fmt.Sprintf("the rule has more than %d characters", MaxSource)}
	}
	fields, err := readFields(source, before)
	if err != nil {
		return nil, err
	}
	rule := &Rule{Source: strings.TrimSpace(source) + "\n"}
	fields.readHead(rule)
	read, ok := readers[rule.Kind]
	if fields.err == nil && !ok {
		fields.fail("extends", "must be existence, substitution, occurrence, capitalization, repetition, conditional or readability")
	}
	if fields.err == nil {
		rule.look = read(fields, rule)
		fields.refuseRest(rule.Kind)
	}
	if fields.err != nil {
		return nil, fields.err
	}
	return rule, nil
}

// readFields reads the keys of a rule.
func readFields(source string, before int) (*fields, error) {
	var root yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(source))
	if err := decoder.Decode(&root); err != nil {
		return nil, &Error{before + 1, "", "the rule is no YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &Error{before + 1, "", "only one rule is allowed here"}
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
		return nil, &Error{before + 1, "", "the rule must have keys, such as extends and message"}
	}
	found := &fields{before: before, nodes: map[string]*yaml.Node{}, lines: map[string]int{}}
	content := root.Content[0].Content
	for i := 0; i+1 < len(content); i += 2 {
		key, value := content[i], content[i+1]
		if key.Kind != yaml.ScalarNode || found.nodes[key.Value] != nil {
			return nil, &Error{before + key.Line, key.Value, "is there twice, or is no text"}
		}
		found.nodes[key.Value] = value
		found.names = append(found.names, key.Value)
		found.lines[key.Value] = before + key.Line
	}
	return found, nil
}

// readHead reads the keys that every rule has.
func (f *fields) readHead(rule *Rule) {
	rule.Kind = model.HouseRuleKind(f.text("extends"))
	rule.Name = strings.TrimSpace(f.text("name"))
	if rule.Name == "" || utf8.RuneCountInString(rule.Name) > maxName || strings.ContainsAny(rule.Name, "\n\r\t") {
		f.fail("name", fmt.Sprintf("is required: one line of at most %d characters", maxName))
	}
	if rule.Message = f.text("message"); strings.TrimSpace(rule.Message) == "" {
		f.fail("message", "is required")
	}
	switch rule.Level = model.HouseRuleLevel(f.text("level")); rule.Level {
	case "":
		rule.Level = model.HouseRuleLevelWarning
	case model.HouseRuleLevelSuggestion, model.HouseRuleLevelWarning, model.HouseRuleLevelError:
	default:
		f.fail("level", "must be suggestion, warning or error")
	}
	if rule.Link = f.text("link"); rule.Link != "" && !strings.HasPrefix(rule.Link, "https://") &&
		!strings.HasPrefix(rule.Link, "http://") {
		f.fail("link", "must be an address of the web")
	}
	if given := f.text("language"); given != "" {
		if rule.Language = BaseOf(given); rule.Language == "" {
			f.fail("language", "must be the tag of a language, such as de")
		}
	}
}

// BaseOf returns the base language of a tag, such as "pt" of "pt-BR"; "" if it is no tag.
func BaseOf(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	base, _ := parsed.Base()
	return base.String()
}

// say returns the rule's message with the values in place of each %s.
func (r *Rule) say(values ...string) string {
	said := r.Message
	var out strings.Builder
	for _, value := range values {
		before, after, found := strings.Cut(said, "%s")
		if !found {
			break
		}
		out.WriteString(before + value)
		said = after
	}
	return out.String() + said
}
