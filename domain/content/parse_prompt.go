package content

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// parsedPrompt is the meaning of a prompt as parsed by the built-in engine.
type parsedPrompt struct {
	statements []string // statements for the readers
	topic      string   // subject of the piece; may be empty
}

// parsePrompt parses a prompt. An instruction may contain a statement ("Announce that …", "Write a press release: …") or a topic ("Write
// about …").
func parsePrompt(prompt string) parsedPrompt {
	var w parsedPrompt
	for _, s := range text.Sentences(prompt) {
		if !isOrder(s.Text) {
			w.statements = append(w.statements, asSentence(s.Text))
			continue
		}
		statement, topic := parseOrder(s.Text)
		if statement != "" {
			w.statements = append(w.statements, asSentence(capitalizeFirst(statement)))
		}
		if w.topic == "" {
			w.topic = capitalizeFirst(strings.TrimRight(topic, " .!。"))
		}
	}
	return w
}

var (
	thatClause      = regexp.MustCompile(`(?i)^(?:[\pL'’-]+[ ,]+){1,12}?(?:that|dass|que|che) (.+)$`)
	colonClause     = regexp.MustCompile(`^[^:"“„«]{3,120}[:：] ?(.+)$`)
	aboutPhrase     = regexp.MustCompile(`(?i)\b(?:about|announcing|introducing|presenting|celebrating|über|sobre) (.+)$`)
	announcedPhrase = regexp.MustCompile(`(?i)^(?:please )?(?:announce|introduce|present|launch|celebrate|promote|describe|explain|summari[sz]e) (.+)$`)
)

// minStatementWords is the minimum number of words of a statement within an instruction.
const minStatementWords = 4

// parseOrder returns the statement of an instruction and its topic: the statement itself, or else the object of the instruction.
func parseOrder(order string) (statement, topic string) {
	for _, kind := range []*regexp.Regexp{thatClause, colonClause} {
		if part := kind.FindStringSubmatch(order); part != nil && isStatement(part[1]) {
			return part[1], part[1]
		}
	}
	for _, kind := range []*regexp.Regexp{aboutPhrase, announcedPhrase} {
		if part := kind.FindStringSubmatch(order); part != nil {
			return "", part[1]
		}
	}
	return "", ""
}

// isStatement reports whether words form a sentence: they begin with a capital, a determiner or a pronoun and are no clause about the
// piece.
func isStatement(words string) bool {
	first, _ := utf8.DecodeRuneInString(words)
	opening := strings.ToLower(strings.Trim(strings.Fields(words)[0], ",;"))
	if len(text.Words(words)) < minStatementWords || isOrder(words) {
		return false
	}
	return !unicode.IsLower(first) || slices.Contains(strings.Fields(
		"the a an our we us you your he she it its they their there this that these those i my all every each no some most many more der die das "+
			"ein eine wir unser unsere le la les un une nous notre el los las una nosotros il lo gli"), opening)
}

// isOrder reports whether a sentence instructs the writer instead of informing the reader.
func isOrder(sentence string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(sentence)), " ")
	first = strings.Trim(first, ",:;.!")
	return strings.HasSuffix(sentence, "?") || slices.Contains(strings.Fields(
		"write draft create make generate compose please use keep include mention announce explain describe summarise summarize tell give prepare "+
			"avoid focus highlight emphasise emphasize add turn rewrite can could i we'd don't introduce present launch celebrate promote ignore say state "+
			"schreib schreibe verfasse erstelle kündige écris rédige annonce escribe redacta anuncia scrivi annuncia"), first)
}

var (
	linkMark     = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	emphasisMark = regexp.MustCompile(`(\*\*|__|~~)(\S(?:[^\n]*?\S)?)(\*\*|__|~~)`)
	listMark     = regexp.MustCompile(`^\s*(?:[-*+>]|\d{1,3}[.)])\s+`)
)

// plainProse returns a source without Markdown headings, tables, code and marks, so that only prose is ranked.
func plainProse(source string) string {
	var out []string
	fenced := false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "```"):
			fenced = !fenced
			continue
		case fenced, strings.HasPrefix(bare, "|"), strings.HasPrefix(bare, "#"):
			out = append(out, "")
			continue
		case listMark.MatchString(line):
			out = append(out, "")
			for listMark.MatchString(line) {
				line = listMark.ReplaceAllString(line, "")
			}
		}
		out = append(out, emphasisMark.ReplaceAllString(linkMark.ReplaceAllString(line, "$1"), "$2"))
	}
	return strings.Join(out, "\n")
}
