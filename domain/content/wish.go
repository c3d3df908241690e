package content

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// wish is what the built-in engine understands of a prompt.
type wish struct {
	statements []string // what readers are to be told
	topic      string   // what the piece is to be about; empty where the prompt does not say
}

// wished reads a prompt. A sentence that tells the writer what to do may still hold what readers are to be told ("Announce that …",
// "Write a press release: …"), or what the piece is about ("Write about …").
func wished(prompt string) wish {
	var w wish
	for _, s := range text.Sentences(prompt) {
		if !orders(s.Text) {
			w.statements = append(w.statements, asSentence(s.Text))
			continue
		}
		told, topic := toldIn(s.Text)
		if told != "" {
			w.statements = append(w.statements, asSentence(capital(told)))
		}
		if w.topic == "" {
			w.topic = capital(strings.TrimRight(topic, " .!。"))
		}
	}
	return w
}

var (
	that    = regexp.MustCompile(`(?i)^(?:[\pL'’-]+[ ,]+){1,12}?(?:that|dass|que|che) (.+)$`)
	after   = regexp.MustCompile(`^[^:"“„«]{3,120}[:：] ?(.+)$`)
	about   = regexp.MustCompile(`(?i)\b(?:about|announcing|introducing|presenting|celebrating|über|sobre) (.+)$`)
	heralds = regexp.MustCompile(`(?i)^(?:please )?(?:announce|introduce|present|launch|celebrate|promote|describe|explain|summari[sz]e) (.+)$`)
)

// fewestWords is how many words a statement has at least that is taken out of an order.
const fewestWords = 4

// toldIn finds the statement in an order, and what it is about: the statement itself, else what the order names.
func toldIn(order string) (told, topic string) {
	for _, kind := range []*regexp.Regexp{that, after} {
		if part := kind.FindStringSubmatch(order); part != nil && states(part[1]) {
			return part[1], part[1]
		}
	}
	for _, kind := range []*regexp.Regexp{about, heralds} {
		if part := kind.FindStringSubmatch(order); part != nil {
			return "", part[1]
		}
	}
	return "", ""
}

// states reports words that stand as a sentence: they begin with a name or with what begins a noun, not as a clause about the piece does.
func states(words string) bool {
	first, _ := utf8.DecodeRuneInString(words)
	opening := strings.ToLower(strings.Trim(strings.Fields(words)[0], ",;"))
	if len(text.Words(words)) < fewestWords || orders(words) {
		return false
	}
	return !unicode.IsLower(first) || slices.Contains(strings.Fields(
		"the a an our we us you your he she it its they their there this that these those i my all every each no some most many more der die das "+
			"ein eine wir unser unsere le la les un une nous notre el los las una nosotros il lo gli"), opening)
}

// orders reports a sentence of a prompt that tells the writer what to do, rather than the reader something.
func orders(sentence string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(sentence)), " ")
	first = strings.Trim(first, ",:;.!")
	return strings.HasSuffix(sentence, "?") || slices.Contains(strings.Fields(
		"write draft create make generate compose please use keep include mention announce explain describe summarise summarize tell give prepare "+
			"avoid focus highlight emphasise emphasize add turn rewrite can could i we'd don't introduce present launch celebrate promote ignore say state "+
			"schreib schreibe verfasse erstelle kündige écris rédige annonce escribe redacta anuncia scrivi annuncia"), first)
}

var (
	linked  = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	starred = regexp.MustCompile(`(\*\*|__|~~)(\S(?:[^\n]*?\S)?)(\*\*|__|~~)`)
	lead    = regexp.MustCompile(`^\s*(?:[-*+>]|\d{1,3}[.)])\s+`)
)

// proseIn takes Markdown's headings, tables, code and marks from a source, so that its sentences are those that people read.
func proseIn(source string) string {
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
		case lead.MatchString(line):
			out = append(out, "")
			for lead.MatchString(line) {
				line = lead.ReplaceAllString(line, "")
			}
		}
		out = append(out, starred.ReplaceAllString(linked.ReplaceAllString(line, "$1"), "$2"))
	}
	return strings.Join(out, "\n")
}
