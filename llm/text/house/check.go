package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
)

// maxTime limits the time of one check.
const maxTime = 5 * time.Second

// ErrSlow is the error of rules that take too long for a text.
var ErrSlow = errors.New("the rules take too long for this text")

// Finding is a place where a text does not keep to a rule.
type Finding struct {
	Rule         *Rule
	Message      string
	Passage      *text.Span // in code points of the Markdown; nil if it is about the whole text
	Replacements []string
}

// Report is what rules found in a text.
type Report struct {
	Findings    []Finding // in the order of the text, those about the whole text first
	Words       int
	Language    string       // the base language by which rules were chosen
	Readability *Readability // nil if it is not known
}

// weights are the points that a finding takes in a text of 100 words.
var weights = map[model.HouseRuleLevel]int{
	model.HouseRuleLevelSuggestion: 1, model.HouseRuleLevelWarning: 3, model.HouseRuleLevelError: 10,
}

// Score returns the score of a text from 0 to 100. Each finding takes 10 points for an error, 3 for
// a warning and 1 for a suggestion in a text of 100 words, and half of that in one of 200 words. A
// text of fewer words counts as one of 100. The score is rounded down, so that 100 means no finding.
func (r Report) Score() int {
	taken := 0
	for _, found := range r.Findings {
		taken += weights[found.Rule.Level]
	}
	words := max(r.Words, 100)
	return max(0, 100-(taken*100+words-1)/words)
}

// Count returns how many findings have the level.
func (r Report) Count(level model.HouseRuleLevel) int {
	count := 0
	for _, found := range r.Findings {
		if found.Rule.Level == level {
			count++
		}
	}
	return count
}

// search is the state of one check.
type search struct {
	ctx     context.Context
	content string // the Markdown
	blocks  []block
	rule    *Rule
	prose   prose
	folded  map[string]string // texts that were looked at, without case
	found   []placed
}

// placed is a finding with its place in bytes of the Markdown; start is -1 without a place.
type placed struct {
	Finding
	start, end int
}

// Check returns what the rules find in a Markdown text. The language chooses among the rules; ""
// stands for that of the text. It returns ErrSlow after five seconds, or earlier if the context would
// end soon, and the error of the context.
func Check(ctx context.Context, rules []*Rule, content, language string) (Report, error) {
	limit := maxTime
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)*3/4) // the rest is for the answer
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, ErrSlow)
	defer cancel()
	if language = BaseOf(language); language == "" {
		language = text.GuessLanguage(content)
	}
	s := &search{ctx: limited, content: content, blocks: readBlocks(content), folded: map[string]string{}}
	s.prose = readProse(s.blocks, language)
	for _, rule := range rules {
		if rule.Language == "" || rule.Language == language {
			s.rule = rule
			rule.look(s)
		}
		if limited.Err() != nil {
			return Report{}, fmt.Errorf("rule %s: %w", rule.Name, context.Cause(limited))
		}
	}
	report := Report{Language: language, Findings: s.place(), Readability: s.prose.readability()}
	for _, one := range s.blocks {
		report.Words += len(text.Words(one.text))
	}
	return report, nil
}

// isOver reports whether the time is over. Then a rule stops looking.
func (s *search) isOver() bool { return s.ctx.Err() != nil }

// add adds a finding at bytes of a block. What has markup inside gets no replacements, which would
// break the markup.
func (s *search) add(b *block, start, end int, replacements []string, values ...string) {
	one := placed{Finding{Rule: s.rule, Message: s.rule.say(values...)}, b.at[start], b.at[end-1] + 1}
	if s.content[one.start:min(one.end, len(s.content))] == b.text[start:end] {
		one.Replacements = replacements
	}
	one.end = min(one.end, len(s.content))
	s.found = append(s.found, one)
}

// addWhole adds a finding about the whole text.
func (s *search) addWhole(values ...string) {
	s.found = append(s.found, placed{Finding{Rule: s.rule, Message: s.rule.say(values...)}, -1, -1})
}

// place returns the findings in the order of the text, with their passages in code points.
func (s *search) place() []Finding {
	slices.SortStableFunc(s.found, func(a, b placed) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	findings := make([]Finding, len(s.found))
	bytes, points := 0, 0
	for i, one := range s.found {
		if one.start >= 0 {
			points += utf8.RuneCountInString(s.content[bytes:one.start])
			bytes = one.start
			words := s.content[one.start:one.end]
			one.Passage = &text.Span{Text: words, Start: points, End: points + utf8.RuneCountInString(words)}
		}
		findings[i] = one.Finding
	}
	return findings
}
