package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Span is a part of a text: its characters and their positions in runes from 0, the end exclusive.
type Span struct {
	Text       string
	Start, End int
}

// Pieces splits a text at the ends of its sentences; joined, the pieces are the text. The borders
// are those of Unicode (UAX #29), except after abbreviations and initials, and at line ends before
// a line in lower case.
func Pieces(text string) []string {
	var pieces []string
	from := 0
	for at, state := 0, -1; at < len(text); {
		var piece string
		piece, _, state = uniseg.FirstSentenceInString(text[at:], state)
		at += len(piece)
		if at == len(text) || !continuesSentence(text[from:at], text[at:]) {
			pieces = append(pieces, text[from:at])
			from = at
		}
	}
	return pieces
}

// Sentences returns the sentences of a text without surrounding space.
func Sentences(text string) []Span {
	var spans []Span
	at := 0
	for _, piece := range Pieces(text) {
		said := strings.TrimSpace(piece)
		if said != "" {
			start := at + utf8.RuneCountInString(piece[:strings.Index(piece, said)])
			spans = append(spans, Span{said, start, start + utf8.RuneCountInString(said)})
		}
		at += utf8.RuneCountInString(piece)
	}
	return spans
}

// continuesSentence reports whether the border is false: the sentence continues.
func continuesSentence(before, after string) bool {
	said := strings.TrimRightFunc(before, unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(after)
	switch gap := before[len(said):]; {
	case strings.Count(gap, "\n") > 1, said == "":
		return false
	case strings.Contains(gap, "\n"):
		last, _ := utf8.DecodeLastRuneInString(said)
		return unicode.IsLower(next) && (unicode.IsLetter(last) || last == ',' || last == '-')
	}
	word := said[strings.LastIndexFunc(said, unicode.IsSpace)+1:]
	return isAbbreviation(word) || ordinal.MatchString(word) && months[firstLetters(after)]
}

var (
	// ordinal matches a day as German, Danish and others write it before a month: "am 3. Mai".
	ordinal = regexp.MustCompile(`^\d{1,2}\.$`)
	months  = wordSet(`januar jänner februar märz april mai juni juli august september oktober november dezember
		januari februari mars maj juni juli augusti oktober december marts`)
	initials      = regexp.MustCompile(`^\(?(\p{Lu}\.)+$`)
	abbreviations = wordSet(`mr mrs ms dr prof st sr sra jr gen sen rep rev hon capt lt col sgt vs no nos vol fig eq cf ca approx dept est
		e.g i.e z.b d.h u.a o.ä bzw usw nr str tel inkl zzgl vgl bspw hr fr dipl ing mme mlle mm env p.ex av avda ud uds núm pág art
		sig sigg dott avv ecc bijv o.a m.n dhr mevr jan feb mar apr jun jul aug sep sept oct okt nov dec dez г ул им т.е т.д т.п`)
)

// isAbbreviation reports whether the word's full stop does not end a sentence.
func isAbbreviation(word string) bool {
	if !strings.HasSuffix(word, ".") {
		return false
	}
	bare := strings.ToLower(strings.TrimLeft(strings.TrimSuffix(word, "."), `("'„“«`))
	return abbreviations[bare] || initials.MatchString(word)
}

// firstLetters returns a text's first word in lower case.
func firstLetters(s string) string {
	if end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		s = s[:end]
	}
	return strings.ToLower(s)
}

func wordSet(words string) map[string]bool {
	found := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		found[word] = true
	}
	return found
}
