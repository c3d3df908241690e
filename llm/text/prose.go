package text

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	listMark = regexp.MustCompile(`^(?:[-+•*]|\d+[.)])\s+`)
	openMark = regexp.MustCompile(`^(?:>\s*|[-+•*]\s+|\d+[.)]\s+|[*_]{1,3}\s*)+`)
	endMark  = regexp.MustCompile(`[.!?…。！？:;]["'”’»)\]*_]*$`)
	linkMark = regexp.MustCompile(`!?\[([^\]]*)\]\([^)\s]*\)`)
	struck   = regexp.MustCompile(`(?s)~~[^\s~](?:(?:[^\n]|\n[^\n])*?[^\s~])?~~|(?i:<(?:del|s|strike)(?:\s[^>]*)?>.*?</(?:del|s|strike)>)`)
	bareMark = regexp.MustCompile("[*_]{2,3}|`+|(?m)^\\s*(?:>|#{1,6}|[-+*])\\s+")
)

// A line without a full stop is a sentence from this number of words on, and a list entry below it.
const (
	leastWords = 8
	leastEntry = 3
)

// Prose returns the sentences of a text without headings, table rows and leading Markdown. Each is a part of the text as given. A text without
// sentences is returned unchanged.
func Prose(text string) []Span {
	all := Sentences(text)
	var said []Span
	for _, sentence := range all {
		if isStatement(sentence.Text) {
			said = append(said, StripMarkup(sentence))
		}
	}
	if len(said) == 0 {
		return all
	}
	return said
}

// Tells reports whether a quote is a sentence or some words of a sentence.
func Tells(quote string) bool {
	words := len(Words(quote))
	return words >= leastEntry || words > 1 && endMark.MatchString(quote)
}

// Asks reports whether the sentence is a question.
func Asks(sentence string) bool {
	return strings.HasSuffix(strings.TrimRight(sentence, "\"'”’»)*_ "), "?") || strings.HasSuffix(sentence, "？")
}

func isStatement(sentence string) bool {
	if strings.HasPrefix(sentence, "|") || strings.HasPrefix(sentence, "#") {
		return false
	}
	words := len(Words(sentence))
	switch {
	case endMark.MatchString(sentence):
		return words > 1
	case listMark.MatchString(sentence):
		return words >= leastEntry
	}
	return words >= leastWords
}

// StripMarkup returns a sentence without leading Markdown, except emphasis that ends within it.
func StripMarkup(sentence Span) Span {
	marks := openMark.FindString(sentence.Text)
	if strings.Contains(marks, "**") && strings.Count(sentence.Text, "**")%2 == 0 {
		marks = marks[:strings.Index(marks, "**")]
	}
	return Span{Text: sentence.Text[len(marks):], Start: sentence.Start + utf8.RuneCountInString(marks),
		End: sentence.End}
}

// BlankStruck replaces text that is struck out, by Markdown or HTML, with spaces. All other text
// keeps its place.
func BlankStruck(said string) string {
	return struck.ReplaceAllStringFunc(said, func(out string) string {
		return strings.Repeat(" ", utf8.RuneCountInString(out))
	})
}

// Plain returns the text without Markdown.
func Plain(said string) string {
	return strings.TrimSpace(bareMark.ReplaceAllString(linkMark.ReplaceAllString(said, "$1"), ""))
}
