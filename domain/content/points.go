package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// insertPoints appends each missing point to the paragraph with the most similar words. Points
// without one become new paragraphs at the end.
func insertPoints(piece string, points []string) string {
	if len(points) == 0 {
		return piece
	}
	body := strings.TrimRight(piece, " \t\r\n")
	tail := piece[len(body):]
	paragraphs := strings.Split(body, "\n\n")
	for _, p := range points {
		best, likeness := -1, 0.0
		for i, paragraph := range paragraphs {
			if alike := text.Covered(p, paragraph); alike > likeness && acceptsSentence(paragraph) {
				best, likeness = i, alike
			}
		}
		if best >= 0 {
			paragraphs[best] = strings.TrimRight(paragraphs[best], " ") + " " + asSentence(p)
		} else {
			paragraphs = append(paragraphs, asSentence(p))
		}
	}
	return strings.Join(paragraphs, "\n\n") + tail
}

// acceptsSentence reports whether a sentence can be appended to the last line of a paragraph.
func acceptsSentence(paragraph string) bool {
	lines := strings.Split(strings.TrimSpace(paragraph), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return last != "" && !strings.ContainsAny(last[:1], "#-*|>`<0123456789") && !strings.HasPrefix(last, "Subject:") &&
		endsSentence(last)
}

func endsSentence(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"”’)»`))
	return strings.ContainsRune(".!?…。！？؟।", last)
}

// asSentence returns a point with an initial capital and a full stop.
func asSentence(s string) string {
	s = asSentenceStart(strings.TrimSpace(s))
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case endsSentence(s):
		return s
	case unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return s + "。"
	}
	return s + "."
}

// asSentenceStart returns a text with a capital, except for words with their own spelling such as iPhone.
func asSentenceStart(s string) string {
	word, _, _ := strings.Cut(s, " ")
	runes := []rune(s)
	if len(runes) == 0 || !unicode.IsLower(runes[0]) || strings.ToLower(word) != word {
		return s
	}
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}
