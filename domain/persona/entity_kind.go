package persona

import (
	"strings"
	"unicode"

	"rostrum/model"
)

var (
	organizationWords = setOf(`inc incorporated ltd limited llc llp gmbh ag plc corp corporation company co group holdings bank university
		institute foundation association ministry department agency council union committee authority commission startup ngo charity
		newspaper magazine broadcaster publisher regulator fund insurer retailer manufacturer airline organisation organization firm business`)
	segmentWords = setOf(`investors customers employees journalists analysts regulators voters consumers users readers parents students
		shareholders suppliers partners residents citizens developers millennials boomers generation segment audience public people
		members owners managers executives professionals shoppers commuters activists policymakers donors patients teachers buyers
		crews workers families households neighbours neighbors fishers farmers drivers nurses engineers tenants travellers travelers
		reporters editors funds businesses women men wardens builders groups fans subscribers followers pensioners retirees`)
	personWords = setOf(`he she his her him who mr mrs ms dr aged year-old mother father reporter journalist analyst investor executive
		founder director manager engineer teacher owner editor columnist blogger person man woman ceo cfo coo cto chief chair officer
		customer shopper commuter resident citizen farmer fisher nurse parent student voter activist minister mayor`)
	// headEnds are the words behind which a description no longer says what its subject is.
	headEnds = setOf(`of at with who whom whose which that for in on from by against near to and works reads`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// inferKind returns the entity kind: by the words of the name, else of the description's first
// sentence, else by the form of the name, else by the category. It returns "" if nothing shows a
// kind.
func inferKind(p *model.Persona) model.EntityKind {
	if kind := kindByWords(p.Name); kind != "" {
		return kind
	}
	opening, _, _ := strings.Cut(p.Description, ".")
	if kind := kindByWords(opening); kind != "" {
		return kind
	}
	if looksLikePerson(p.Name) {
		return model.EntityKindPerson
	}
	return kindByWords(p.Category)
}

// kindByWords returns the kind of the last word that shows one in front of a preposition, a clause
// or a comma: of "owner" in "Business owner, member of a union".
func kindByWords(text string) (kind model.EntityKind) {
	text = strings.TrimSpace(strings.ToLower(text))
	head, _, _ := strings.Cut(text, ",")
	words := strings.FieldsFunc(head, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	begin := 0
	for i, word := range words {
		switch {
		case word == "group" && i+1 < len(words) && words[i+1] == "of":
			return model.EntityKindSegment
		case word == "is" || word == "are":
			kind, begin = "", i+1 // what follows says what the subject is
		case headEnds[word] && kind != "":
			return kind
		case organizationWords[word]:
			kind = model.EntityKindOrganization
		case segmentWords[word]:
			kind = model.EntityKindSegment
		case personWords[word]:
			kind = model.EntityKindPerson
		case headEnds[word] && i > begin:
			return ""
		}
	}
	return kind
}

// looksLikePerson reports whether the name has two to four capitalized words without digits, for
// example Ines Okafor.
func looksLikePerson(name string) bool {
	words := strings.Fields(name)
	if len(words) < 2 || len(words) > 4 {
		return false
	}
	for _, word := range words {
		if first := []rune(word)[0]; !unicode.IsUpper(first) || strings.ContainsFunc(word, unicode.IsDigit) {
			return false
		}
	}
	return true
}
