package extract

import (
	"regexp"
	"slices"
)

// chiefOffice matches titles of a chief executive.
var chiefOffice = regexp.MustCompile(`(?i)\b(?:CEO|chief\s+executive|managing\s+director|Vorstandsvorsitzende[rn]?|Vorstandschef(?:in)?|PDG|directeur\s+général|directrice\s+générale|director\s+general|directora\s+general|consejer[oa]\s+delegad[oa]|amministrat(?:ore|rice)\s+delegat[oa]|bestuursvoorzitter)\b`)

// ChiefExecutive is a person with the title of chief executive, and the company if it is named.
type ChiefExecutive struct{ Executive, Company string }

// FindChiefs returns the people with the title of chief executive. It omits former, deputy and other executives.
func FindChiefs(text string) []ChiefExecutive {
	text = truncateText(text, 20000)
	var found []ChiefExecutive
	for _, n := range listNamedExecutives(text) {
		if chiefOffice.MatchString(n.words) {
			found = append(found, ChiefExecutive{n.executive, n.company})
		}
	}
	for _, pattern := range executivePatterns {
		for _, m := range pattern.FindAllStringSubmatch(text, 10) {
			name := tidyName(m[1])
			known := slices.ContainsFunc(found, func(c ChiefExecutive) bool { return c.Executive == name })
			if !known && isPerson(name) && chiefOffice.MatchString(m[0]) {
				found = append(found, ChiefExecutive{Executive: name})
			}
		}
	}
	return found
}

// FindSpeaker returns the executive that a sentence quotes, and the company if it is named. Both are "" for other sentences.
func FindSpeaker(sentence string) (executive, company string) {
	if executive, company = mostNamedPair(sentence); executive != "" {
		return executive, company
	}
	return unaffiliatedExecutive(sentence), ""
}
