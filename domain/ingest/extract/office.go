package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// officeWords are the beginnings of the offices of officePattern in lower case, of which each match
// has one.
var officeWords = []string{
	"ceo", "cfo", "coo", "cto", "cmo", "cpo", "cio", "cso", "chief", "managing", "executive", "chair", "president",
	"founder", "general", "vorstand", "geschäftsführer",
	"directeur", "directrice", "pdg", "director", "consejer", "amministrat", "bestuursvoorzitter", "président",
}

// officeMargin is the number of bytes around an office in which its executive and company are
// named.
const officeMargin = 160

// officePassages returns the parts of a text around the offices that it names, so that patterns
// which need an office are not tried elsewhere. Passages that overlap are one.
func officePassages(text string) []string {
	lowered := strings.ToLower(text)
	if len(lowered) != len(text) { // letters whose lower case has another length
		return []string{text}
	}
	near := make([]bool, len(text)/officeMargin+2) // by parts of the text
	for _, word := range officeWords {
		for at := 0; ; {
			found := strings.Index(lowered[at:], word)
			if found < 0 {
				break
			}
			at += found
			if before, _ := utf8.DecodeLastRuneInString(lowered[:at]); !unicode.IsLetter(before) {
				near[at/officeMargin] = true
			}
			at += len(word)
		}
	}
	return joinPassages(text, near)
}

// joinPassages returns the parts of a text that are near, each with the part in front of it and the
// part behind it.
func joinPassages(text string, near []bool) (all []string) {
	for i := 0; i < len(near); i++ {
		if !near[i] {
			continue
		}
		last := i
		for k := i + 1; k < len(near) && k <= last+3; k++ { // the parts between two near ones belong to both
			if near[k] {
				last = k
			}
		}
		from, to := max(0, (i-1)*officeMargin), min(len(text), (last+2)*officeMargin)
		for from > 0 && !isSpaceAt(text, from) {
			from--
		}
		for to < len(text) && !isSpaceAt(text, to) {
			to++
		}
		all = append(all, text[from:to])
		i = last
	}
	return all
}

func isSpaceAt(text string, at int) bool { return text[at] == ' ' || text[at] == '\n' }
