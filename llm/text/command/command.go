package command

import (
	_ "embed"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

//go:embed lexicon.txt
var lexiconText string

// lexicon holds the words of all languages by their kind.
type lexicon struct {
	objects, models, phrases []string       // with a space in front, as they begin words
	override, order          *regexp.Regexp // as imperatives
}

var readLexicon = sync.OnceValue(func() lexicon {
	found := map[string][]string{}
	for line := range strings.Lines(lexiconText) {
		name, list, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if kind, _, hasLanguage := strings.Cut(name, " "); ok && hasLanguage && !strings.HasPrefix(line, "#") {
			found[kind] = append(found[kind], strings.Split(list, "|")...)
		}
	}
	imperative := func(kind string) *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[,:;.!?()\[\]–—-]| (?:` + strings.Join(found["lead"], "|") + `)) (?:` +
			strings.Join(found[kind], "|") + `)`)
	}
	beginnings := func(kind string) (list []string) {
		for _, words := range found[kind] {
			list = append(list, " "+words)
		}
		return list
	}
	return lexicon{beginnings("object"), beginnings("model"), beginnings("phrase"), imperative("override"),
		imperative("order")}
})

// markupSigns are the characters of which each match of markup has one.
const markupSigns = "<[:#"

var (
	// markup matches the delimiters of chats, tools and prompts.
	markup = regexp.MustCompile(`(?i)<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|</?[a-z]+-[0-9a-f]{12}>|</?(?:tool_call|function_calls?|invoke|system|assistant|instructions?)\b[^>]*>|"(?:tool_calls|function_call)"\s*:|^\s*(?:#+\s*)?(?:system|assistant|developer|instruction système|système|sistema)\s*:|^\s*###\s*(?:instruction|anweisung)\s*:`)
	// exfiltration matches a link whose address takes knowledge of the reader.
	exfiltration = regexp.MustCompile(`(?i)https?://[^\s)>\]"']*(?:\{[^}]*\}|%7b|\[[a-z _-]+\]|<[a-z _-]+>|\$[a-z]+)`)
	element      = regexp.MustCompile(`</?[a-zA-Z][^>]*>|<!--|-->`)
	// encoded matches a text in base64, hex digits aside.
	encoded = regexp.MustCompile(`[A-Za-z0-9+/]{24,}={0,2}`)
)

// Find returns the passages that address a model: from a sentence that does to the end of its
// paragraph.
func Find(content string) []text.Span {
	var found []text.Span
	start := 0
	for paragraph := range strings.SplitAfterSeq(content, "\n\n") {
		length := utf8.RuneCountInString(paragraph)
		if at, ok := firstCommand(paragraph); ok {
			found = append(found, text.Span{Text: string([]rune(paragraph)[at:]), Start: start + at,
				End: start + length})
		}
		start += length
	}
	return found
}

// firstCommand returns the position of a paragraph's first sentence, link or line that addresses a
// model.
func firstCommand(paragraph string) (int, bool) {
	if at := findExfiltration(paragraph); at != nil { // a sentence may end within a link
		if before, ok := firstCommand(paragraph[:at[0]]); ok {
			return before, true
		}
		return utf8.RuneCountInString(paragraph[:at[0]]), true
	}
	for _, sentence := range text.Sentences(paragraph) {
		if isCommand(sentence.Text) {
			return sentence.Start, true
		}
	}
	at := 0
	for line := range strings.Lines(paragraph) {
		if isCommand(line) {
			return at, true
		}
		at += utf8.RuneCountInString(line)
	}
	return 0, false
}

// findExfiltration returns the range of a text's first link whose address takes knowledge of the
// reader, or nil.
func findExfiltration(content string) []int {
	if !strings.Contains(content, "://") {
		return nil
	}
	return exfiltration.FindStringIndex(content)
}

// isCommand reports whether a sentence, which has no link that takes knowledge of the reader,
// addresses a model, also in base64.
func isCommand(sentence string) bool {
	if strings.ContainsAny(sentence, markupSigns) && markup.MatchString(sentence) {
		return true
	}
	for _, code := range encoded.FindAllString(sentence, -1) {
		if said, ok := decode(code); ok && (findExfiltration(said) != nil || isCommand(said)) {
			return true
		}
	}
	said, known := fold(sentence), readLexicon()
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(words string) bool { return strings.Contains(said, words) })
	}
	return has(known.phrases) || has(known.objects) && known.override.MatchString(said) || has(known.models) &&
		known.order.MatchString(said)
}

// decode returns the text that a word has in base64, if it is one.
func decode(code string) (string, bool) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(code, "="))
	said := string(raw)
	printable := func(r rune) bool { return unicode.IsPrint(r) || unicode.IsSpace(r) }
	return said, err == nil && utf8.ValidString(said) &&
		!strings.ContainsFunc(said, func(r rune) bool { return !printable(r) })
}

// fold returns a sentence in lower case with single spaces, without invisible characters, elements
// of HTML, quotation marks and emphasis.
func fold(sentence string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf), strings.ContainsRune("*_`“”„«»\"", r):
			return -1
		case r == '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, element.ReplaceAllString(sentence, ". "))
	return " " + strings.Join(strings.Fields(plain), " ") + " "
}

// Remove returns the text with "[…]" in the place of the passages that address a model, and the passages.
func Remove(content string) (kept string, passages []string) {
	found := Find(content)
	if len(found) == 0 {
		return content, nil
	}
	var b strings.Builder
	runes, end := []rune(content), 0
	for _, span := range found {
		b.WriteString(string(runes[end:span.Start]) + "[…]\n\n")
		passages, end = append(passages, span.Text), span.End
	}
	b.WriteString(string(runes[end:]))
	return strings.TrimSpace(b.String()), passages
}

// Blank returns the text with spaces in the place of the passages that address a model, so that all other characters keep their offsets.
func Blank(content string) string {
	found := Find(content)
	if len(found) == 0 {
		return content
	}
	runes := []rune(content)
	for _, span := range found {
		for i := span.Start; i < span.End; i++ {
			if !unicode.IsSpace(runes[i]) {
				runes[i] = ' '
			}
		}
	}
	return string(runes)
}
