package extract

import (
	"regexp"
	"slices"
)

// chiefOffice matches titles of a chief executive.
var chiefOffice = regexp.MustCompile(`(?i)\b(?:CEO|chief\s+executive|managing\s+director|Vorstandsvorsitzende[rn]?|Vorstandschef(?:in)?|PDG|directeur\s+général|directrice\s+générale|director\s+general|directora\s+general|consejer[oa]\s+delegad[oa]|amministrat(?:ore|rice)\s+delegat[oa]|bestuursvoorzitter)\b`)

// ChiefExecutive is a person with the title of chief executive, and the company if it is named.
type ChiefExecutive struct{ Executive, Company string }

// FindChiefs returns the people with the title of chief executive. It omits former, deputy and
// other executives.
func FindChiefs(text string) []ChiefExecutive {
	passages := officePassages(truncateText(text, 20000))
	var found []ChiefExecutive
	for _, n := range listNamedExecutives(passages) {
		if chiefOffice.MatchString(n.words) {
			found = append(found, ChiefExecutive{n.executive, n.company})
		}
	}
	for _, pattern := range executivePatterns {
		for _, passage := range passages {
			found = appendChiefs(found, pattern.FindAllStringSubmatch(passage, 10))
		}
	}
	return found
}

// appendChiefs adds the chief executives of matches whom the list does not have yet.
func appendChiefs(found []ChiefExecutive, matches [][]string) []ChiefExecutive {
	for _, m := range matches {
		name := tidyName(m[1])
		known := slices.ContainsFunc(found, func(c ChiefExecutive) bool { return c.Executive == name })
		if !known && isPerson(name) && chiefOffice.MatchString(m[0]) {
			found = append(found, ChiefExecutive{Executive: name})
		}
	}
	return found
}

// FindSpeaker returns the executive that a sentence quotes, and the company if it is named. Both
// are "" for other sentences.
func FindSpeaker(sentence string) (executive, company string) {
	passages := officePassages(sentence)
	if executive, company = mostNamedPair(sentence, passages); executive != "" {
		return executive, company
	}
	return unaffiliatedExecutive(passages), ""
}
