package extract

import (
	"regexp"
	"slices"
)

// chiefOffice are the words for who leads a company.
var chiefOffice = regexp.MustCompile(`(?i)\b(?:CEO|chief\s+executive|managing\s+director|Vorstandsvorsitzende[rn]?|Vorstandschef(?:in)?|PDG|directeur\s+général|directrice\s+générale|director\s+general|directora\s+general|consejer[oa]\s+delegad[oa]|amministrat(?:ore|rice)\s+delegat[oa]|bestuursvoorzitter)\b`)

// Chief is a person whom a text calls chief executive, and the company where it names that.
type Chief struct{ Executive, Company string }

// Chiefs lists the people whom a text calls chief executive. Former, deputy and other executives are left out.
func Chiefs(text string) []Chief {
	text = shorten(text, 20000)
	var found []Chief
	for _, n := range namings(text) {
		if chiefOffice.MatchString(n.words) {
			found = append(found, Chief{n.executive, n.company})
		}
	}
	for _, pattern := range untied {
		for _, m := range pattern.FindAllStringSubmatch(text, 10) {
			name := tidyName(m[1])
			known := slices.ContainsFunc(found, func(c Chief) bool { return c.Executive == name })
			if !known && isPerson(name) && chiefOffice.MatchString(m[0]) {
				found = append(found, Chief{Executive: name})
			}
		}
	}
	return found
}

// Speaker is the executive whom a sentence names as who says something, with the company where it names that; empty where it does not.
func Speaker(sentence string) (executive, company string) {
	if executive, company = pair(sentence); executive != "" {
		return executive, company
	}
	return lone(sentence), ""
}
