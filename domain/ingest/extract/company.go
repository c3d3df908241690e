package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text/speaker"
)

func tidyCompany(name string) string {
	name = strings.Trim(oneLine(name), ",-'’")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "the "), "The ")
	for _, tail := range []string{" and", " of", " de", " &", "'s", "’s"} {
		name = strings.TrimSuffix(name, tail)
	}
	if !strings.HasSuffix(name, "Inc.") && !strings.HasSuffix(name, "Ltd.") && !strings.HasSuffix(name, "Co.") &&
		!strings.HasSuffix(name, "Corp.") {
		name = strings.TrimRight(name, ".")
	}
	return name
}

// officeName matches a name that is or contains an office, in the languages of officePattern.
var officeName = regexp.MustCompile(`(?i)(?:^|\s)(?:` + officePattern + `|director[ae]?|vorsitzende[rn]?|geschäftsführer(?:in)?)(?:\s|$)`)

// isCompany reports whether a text can be the name of a company. No article, possessive, pronoun,
// title or office is one.
func isCompany(name string) bool {
	first, _, _ := strings.Cut(name, " ")
	return len([]rune(name)) > 1 && len(name) <= 60 && !notCompany.MatchString(name) && !notCompany.MatchString(first) &&
		speaker.IsName(first) && !officeName.MatchString(name)
}

// ownCompany returns the company of "About …" at the end of a press release, or of a site that has
// its publisher's name and uses "we".
func ownCompany(text string, meta Meta) string {
	if all := aboutLine.FindAllStringSubmatch(text, 3); len(all) == 1 {
		if name := tidyCompany(all[0][1]); isCompany(name) {
			return name
		}
	}
	if name := openingCompany(text); name != "" {
		return name
	}
	publisher := meta.Publisher
	if publisher == "" {
		publisher = meta.SiteName
	}
	if isCorporate(publisher, text, meta) {
		return publisher
	}
	return ""
}

// opensSentence reports whether a text that follows starts a sentence or a line.
func opensSentence(before string) bool {
	before = strings.TrimRight(before, " \t\"“”„«»'‘’(*_#>-")
	last, size := utf8.DecodeLastRuneInString(before)
	return size == 0 || strings.ContainsRune(".!?…:\n", last)
}

// nameInside returns the part of a name from the start of a sentence that the text also has inside
// a sentence, where only names have capitals: "Tidewall" of "Embattled Tidewall". It returns "" if
// there is none, because "Embattled" may be any word.
func nameInside(name, text string) string {
	for tail := name; tail != ""; _, tail, _ = strings.Cut(tail, " ") {
		for at := 0; ; {
			found := strings.Index(text[at:], tail)
			if found < 0 {
				break
			}
			start, end := at+found, at+found+len(tail)
			if !opensSentence(text[:start]) && isWordEdge(text, start, end) && !endsWithCapital(text[:start]) &&
				isCompany(tail) {
				return tail
			}
			at = end
		}
	}
	return ""
}

// isWordEdge reports whether a part of a text begins and ends between words.
func isWordEdge(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !unicode.IsLetter(before) && !unicode.IsLetter(after)
}

// endsWithCapital reports whether the last word of a text has a capital, so that the next word may
// belong to its name or to a headline.
func endsWithCapital(text string) bool {
	words := strings.Fields(text[max(0, len(text)-60):])
	if len(words) == 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(words[len(words)-1])
	return unicode.IsUpper(first)
}

// speaks reports whether a person says or signs a statement of the text.
func speaks(name, text string, meta Meta) bool {
	reading := speaker.Read(speaker.Source{Title: meta.Title, Author: meta.Author, Executive: name, Text: text})
	return slices.ContainsFunc(reading.Statements(), func(said speaker.Statement) bool {
		return reading.Means(said, name)
	})
}
