package speaker

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed *.txt
var lexiconFiles embed.FS

// The kinds of a lexicon's entries, as its file names them.
const (
	kindCommon       = "common" // frequent words, by which the language is detected
	kindVerb         = "verb"
	kindDenial       = "denial"       // verbs that deny the words that they introduce
	kindAdding       = "adding"       // participles of verbs of saying, for further words of a speaker
	kindOpenVerb     = "open"         // verbs that introduce indirect speech without a conjunction
	kindThat         = "that"         // conjunctions of indirect speech
	kindWhether      = "whether"      // conjunctions of indirect questions
	kindDemand       = "demand"       // verbs whose object somebody asks for, fears or judges: "X demands a review"
	kindAttributable = "attributable" // in front of the name in the heading of quotations
	kindAct          = "act"          // verbs of minutes for statements, requests and promises
	kindMinutes      = "minutes"      // names for minutes
	kindOrder        = "order"        // words for the order of a meeting
	kindPassive      = "passive"
	kindProcedure    = "procedure" // the first words of a transcript's notes on the sitting
	kindQuoting      = "quoting"   // verbs whose subject repeats the words of somebody else
	kindNegation     = "negation"
	kindConditional  = "conditional" // conjunctions of a condition
	kindHearsay      = "hearsay"
	kindModal        = "modal"       // verbs of what somebody may say
	kindCarrier      = "carrier"     // things that have words of their own, and verbs of hearing and reading
	kindSubjunctive  = "subjunctive" // of indirect speech
	kindTold         = "told"        // auxiliaries of indirect speech in minutes
	kindImpersonal   = "impersonal"  // words of a clause that names no speaker
	kindPlural       = "plural"
	kindAuxiliary    = "auxiliary"
	kindAdverb       = "adverb" // words between a speaker and the verb
	kindAccording    = "according"
	kindOwnView      = "ownview" // "in her view", whose person the sentence in front names
	kindEpithet      = "epithet" // nouns by which a text names a person again
	kindAfter        = "after"   // "X zufolge"
	kindShe          = "she"
	kindHe           = "he"
	kindFirstPerson  = "first"
	kindDeterminer   = "determiner"
	kindPreposition  = "preposition"
	kindConjunction  = "conjunction"
	kindTitle        = "title"
	kindFemaleTitle  = "female title"
	kindMaleTitle    = "male title"
	kindRole         = "role"
	kindOffice       = "office" // abbreviations of offices that a firm has once
	kindFemaleRole   = "female role"
	kindMaleRole     = "male role"
	kindLabel        = "label"
	kindQuestion     = "question"
	kindAnswer       = "answer"
	kindNoLabel      = "nolabel"
	kindSigned       = "signed" // "remarks by"
	// "text of": nouns and adjectives in front of "remarks by" that leave the words the speaker's
	kindEdition        = "edition"
	kindReaction       = "reaction" // nouns of what somebody else makes of remarks
	kindSender         = "sender"   // of a message
	kindForwarded      = "forwarded"
	kindWrote          = "wrote" // of an earlier message
	kindByLine         = "byline"
	kindClosing        = "closing" // of a letter
	kindInterview      = "interview"
	kindInterviewer    = "interviewer"
	kindTalk           = "talk"    // between the person who answers and the one who asks, in either order
	kindMeeting        = "meeting" // between the person who asks and the next sentence: "X met her"
	kindFloor          = "floor"   // the first words of a sentence that names the next speaker
	kindHandOver       = "handover"
	kindInfinitiveVerb = "infinitive" // verbs that introduce an infinitive
	kindOrganization   = "organization"
	kindNotName        = "notname"
	kindReflexive      = "reflexive"
	kindPossessive     = "possessive"
	kindRelative       = "relative"     // pronouns of persons
	kindFirstSubject   = "firstsubject" // the pronouns of the first person as subjects
	kindQuestionList   = "faq"
	kindSpeech         = "speech"
	kindPartOf         = "partof"        // "one of them"
	kindSubordinate    = "subordinate"   // conjunctions of a subordinate clause
	kindSalutation     = "salutation"    // of a speech or a letter
	kindThanks         = "thanks"        // at the end of a speech
	kindAdvertisement  = "advertisement" // notes of a transcript
	kindAttendance     = "attendance"
	kindRelation       = "relation" // nouns of people that are no roles in front of a name
	kindBeside         = "beside"   // roles of people who are somebody's: neighbours, relatives, customers
	kindUnnamed        = "unnamed"  // words of a label that names nobody
	kindSecondPerson   = "second"
	kindHim            = "him" // after a preposition
	kindHer            = "her"
	kindFemaleName     = "female"
	kindMaleName       = "male"
)

// longestEntry is the maximum number of words of an entry.
const longestEntry = 7

// lexicon is the words of a language by their kind.
type lexicon map[string]map[string]bool

// languages are the languages with a lexicon; the first is used for texts of all other languages.
var languages = []string{"en", "de", "fr", "es"}

// lexicons returns the lexicons in the order of languages.
var lexicons = sync.OnceValue(func() []lexicon {
	var all []lexicon
	for _, language := range languages {
		all = append(all, readLexicon(language))
	}
	return all
})

// firstNames returns the gender of each first name of the lexicons and of the list for other
// languages; anyGender if they disagree.
var firstNames = sync.OnceValue(func() map[string]gender {
	genders := map[string]gender{}
	for _, words := range append([]lexicon{readLexicon("names")}, lexicons()...) {
		for kind, sex := range map[string]gender{kindFemaleName: female, kindMaleName: male} {
			for name := range words[kind] {
				if known, ok := genders[name]; ok && known != sex {
					genders[name] = anyGender
				} else {
					genders[name] = sex
				}
			}
		}
	}
	return genders
})

func readLexicon(name string) lexicon {
	data, err := lexiconFiles.ReadFile(name + ".txt")
	if err != nil {
		panic(err)
	}
	return parseLexicon(string(data))
}

// firstWords returns the kind of the first words of the entries of a kind.
func firstWords(kind string) string { return "first of " + kind }

// parseLexicon parses lines of a kind, a colon, and entries separated by commas. Entries are stored
// as their tokens, joined by spaces.
func parseLexicon(data string) lexicon {
	words := lexicon{}
	for line := range strings.Lines(data) {
		kind, entries, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words[kind], words[firstWords(kind)] = map[string]bool{}, map[string]bool{}
		for entry := range strings.SplitSeq(entries, ",") {
			if tokens := tokenize([]rune(entry)); len(tokens) > 0 {
				words[kind][joinTokens(tokens)], words[firstWords(kind)][tokens[0].lower] = true, true
			}
		}
	}
	return words
}

// detectLexicon returns the lexicon with the most frequent words in the tokens.
func detectLexicon(tokens []token) lexicon {
	all := lexicons()
	best, most := all[0], 0
	for _, words := range all {
		found := 0
		for _, t := range tokens {
			if words[kindCommon][t.lower] {
				found++
			}
		}
		if found > most {
			best, most = words, found
		}
	}
	return best
}

// has reports whether a word is an entry of one of the kinds.
func (l lexicon) has(word string, kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return l[kind][word] })
}

// matchLength returns the number of tokens of the longest entry of a kind at the start of the
// tokens; 0 without one.
func (l lexicon) matchLength(kind string, tokens []token) int {
	if len(tokens) == 0 || !l[firstWords(kind)][tokens[0].lower] {
		return 0
	}
	for n := min(longestEntry, len(tokens)); n > 0; n-- {
		if l[kind][joinTokens(tokens[:n])] {
			return n
		}
	}
	return 0
}

// contains reports whether an entry of a kind is anywhere in the tokens.
func (l lexicon) contains(kind string, tokens []token) bool {
	for i := range tokens {
		if l.matchLength(kind, tokens[i:]) > 0 {
			return true
		}
	}
	return false
}

func joinTokens(tokens []token) string {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.lower
	}
	return strings.Join(parts, " ")
}
