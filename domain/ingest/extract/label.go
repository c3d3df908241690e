package extract

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// kindLabel matches a line that only says that the text is a press release.
var kindLabel = regexp.MustCompile(`(?i)^\W*(?:for immediate release|(?:press|news|media) (?:release|statement)|` +
	`presse(?:mitteilung|information|erklärung)|medien(?:mitteilung|information)|communiqué(?: de presse)?|` +
	`(?:comunicado|nota) de prensa|comunicado de imprensa|comunicato stampa|persbericht|komunikat prasowy|` +
	`basın (?:açıklaması|bülteni)|報道資料|報道発表|(?:プレス|ニュース)リリース|新闻稿)(?:\s*(?:nr|no|n°|nº|№|#)?\.?\s*[\d/.-]+)?\W*$`)

// isLabel reports whether a line at the head of a text is no title: it says who may know the text,
// that it is a press release, or where and when it was written.
func isLabel(line string) bool {
	line = strings.TrimSpace(markdownMarks.ReplaceAllString(line, ""))
	return isMark(line) || kindLabel.MatchString(line) || isDateline(line)
}

// isMark reports whether a line has nothing but marks of who may know the text, with the end of an
// embargo.
func isMark(line string) bool {
	rest := markOpening.ReplaceAllString(line, "")
	for {
		embargo, secret := embargoMark.FindString(rest), secretMark.FindString(rest)
		if embargo == "" && secret == "" {
			return false
		}
		if embargo != "" && hasDate(rest) {
			return true
		}
		rest = markOpening.ReplaceAllString(rest[max(len(embargo), len(secret)):], "")
		if rest == "" {
			return true
		}
	}
}

func hasDate(line string) bool {
	for _, form := range openingDates {
		if form.pattern.MatchString(line) {
			return true
		}
	}
	return false
}

// isLeadDateline reports whether a line is a dateline with a dash, behind which the text of a news
// release goes on: "ZURICH, 3 March 2026 –". Without a dash it is a note above the text.
func isLeadDateline(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(line))
	return strings.ContainsRune("-–—", last) && isDateline(line)
}

// isDateline reports whether a line has a date and at most a place beside it.
func isDateline(line string) bool {
	for _, form := range openingDates {
		at := form.pattern.FindStringIndex(line)
		if at == nil {
			continue
		}
		before, after := line[:at[0]], strings.Trim(line[at[1]:], " .:–—-)）]】")
		isPlace := before == "" || placeName.MatchString(before) || hanPlace.MatchString(before)
		return isPlace && (after == "" || before == "" && hanPlace.MatchString(strings.TrimSpace(after)))
	}
	return false
}
