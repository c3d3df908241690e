package extract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"rostrum/llm/text/pattern"
	"rostrum/llm/text/speaker"
)

// AttributionResult is the origin of a text according to the text and its metadata. Uncertain
// fields are empty.
type AttributionResult struct {
	Author            string // of a by-line, a message or a signature, if the metadata has none
	Company           string
	Executive         string
	CommunicationType string // press_release, interview, speech, blog_post, article, report, transcript or social_post
	Published         *time.Time
	IsOwn             bool // the text is published by the company
}

const (
	personPattern = `(\p{Lu}[\p{L}'’.-]+(?:\s(?:de|da|di|del|der|van|von|den|la|le|bin|al|el|ten|ter)){0,2}(?:\s\p{Lu}[\p{L}'’.-]*){1,3})`
	// A full stop is part of a company's name inside a word, after initials at its start and after
	// a legal form, which ends the name.
	wordPattern    = `\p{Lu}[\p{L}\p{N}'’&-]*(?:\.[\p{L}\p{N}'’&-]+)*`
	companyStart   = `(?:the[^\S\n])?(?:(?:\p{Lu}\.)+[^\S\n]?|(?:St|Mt|Dr)\.[^\S\n])?` + wordPattern
	companyWord    = `(?:[^\S\n](?:&|of|and|de|` + wordPattern + `|\d+))`
	companyPattern = `(` + companyStart + companyWord +
		`{0,4}?,?[^\S\n](?:Inc|Ltd|Corp|Co|LLC|PLC|S\.A|N\.V|B\.V|S\.p\.A)\.|` + companyStart + companyWord + `{0,5})`
	officePattern = `(?:(?:the|its|founder and|co-founder and|founder,|co-founder,|president and|chairman and|chair and|group|interim|acting|global)\s+){0,3}` +
		`(?:C[EFOTMIPS]O|chief\s+(?:executive|financial|operating|technology|marketing|information|product|sustainability|communications|commercial|people|legal|science|scientific|revenue|strategy)(?:\s+officer)?|` +
		`managing\s+director|executive\s+(?:director|chair(?:man|woman)?)|chair(?:man|woman|person)?|president|founder|co-founder|general\s+manager|` +
		`Vorstandsvorsitzende[rn]?|Vorstandschef(?:in)?|Geschäftsführer(?:in)?|(?:président(?:e)?[- ])?directeur\s+général|directrice\s+générale|PDG|director\s+general|directora\s+general|consejer[oa]\s+delegad[oa]|amministrat(?:ore|rice)\s+delegat[oa]|bestuursvoorzitter|presidente)` +
		`(?:\s+and\s+(?:co-?founder|founder|president|chair(?:man|woman)?|CEO|chief\s+executive(?:\s+officer)?))?`
	officeLink  = `\s+(?:of|at|for|from|von|der|des|bei|de|du|d’|d'|di|della|del|van|da|do)\s+`
	saidPattern = `(?:said|says|told|added|adds|explained|explains|commented|comments|noted|notes|announced|announces|argued|argues|wrote|writes|stated|states|sagt|sagte|erklärt|erklärte|declaró|dijo|afirmó|a déclaré|explique|ha detto|afferma|zei|zegt|disse|afirmou)`
)

// pairPattern matches an executive together with a company. It has the indexes of the two groups,
// and the marks of which each match has one.
type pairPattern struct {
	pattern            *regexp.Regexp
	executive, company int
	marks              []string
}

// genitives are the ends of a company's name in front of an office.
var genitives = []string{"'s", "’s", "s'", "s’"}

// isGenitive reports whether a name has the end of a genitive, or the text behind it starts so.
func isGenitive(name, after string) bool {
	return slices.ContainsFunc(genitives, func(end string) bool {
		return strings.HasSuffix(name, end) || strings.HasPrefix(after, end)
	})
}

// pairPatterns are tried in their order.
var pairPatterns = []pairPattern{
	// Ines Okafor, chief executive of Tidewall
	{regexp.MustCompile(personPattern + `,\s+(?i:` + officePattern + `)` + officeLink + companyPattern), 1, 2,
		[]string{","}},
	// Ines Okafor, Tidewall's chief executive
	{regexp.MustCompile(personPattern + `,\s+` + companyPattern + `(?:'s|’s|s’|s')\s+(?i:` + officePattern + `)`), 1, 2,
		genitives},
	// Tidewall CEO Ines Okafor
	{regexp.MustCompile(companyPattern + `(?:'s|’s|s’|s')?\s+(?i:` + officePattern + `),?\s+` + personPattern), 2, 1,
		nil},
	// Ines Okafor (CEO, Tidewall)
	{regexp.MustCompile(personPattern + `\s+\((?i:` + officePattern + `),?\s+` + companyPattern + `\)`), 1, 2,
		[]string{"("}},
	// the chief executive of Tidewall, Ines Okafor
	{regexp.MustCompile(`(?i:` + officePattern + `)` + officeLink + companyPattern + `,\s+` + personPattern), 2, 1,
		[]string{","}},
	{regexp.MustCompile(personPattern + `,\s+(?i:` + officePattern + `),\s+` + companyPattern +
		`[.,]?\s*(?:$|\n|[”"])`), 1, 2, []string{","}},
}

// executivePatterns match an executive without a company.
var executivePatterns = []*pattern.Pattern{
	// Ines Okafor, CEO, said
	pattern.New(personPattern + `,\s+(?i:` + officePattern + `),?\s+` + saidPattern),
	// said Ines Okafor, chief executive
	pattern.New(saidPattern + `\s+` + personPattern + `,\s+(?i:` + officePattern + `)\b`),
	// Chief executive Ines Okafor said
	pattern.New(`(?:^|[.“"”,]\s)(?i:` + officePattern + `)\s+` + personPattern + `\s+` + saidPattern),
}

var (
	notPerson     = regexp.MustCompile(`(?i)\b(the|inc|ltd|llc|corp|group|energy|company|university|ministry|department|bank|council|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|street|park|news|times|post|ceo|cfo|coo|cto|chief|president|chair(man|woman)?|director|officer|executive|former|new|our)\b`)
	notCompany    = regexp.MustCompile(`(?i)^(the|a|an|our|its|his|her|their|this|that|former|new|then|now|deputy|vice|company|group|firm|board|in|on|at|as|but|and|when|while|after|before|with|for|by|mr|mrs|ms|dr|co-|founder|ceo|chief|group chief|i|we|he|she|it|they|said|according|meanwhile|however|today|yesterday|president|chairman|chair|managing|executive|u\.s\.|us|uk|british|american|german|french)$`)
	formerPattern = regexp.MustCompile(`(?i)\b(former|ex-|previously|then-|ousted|late|onetime|one-time)\s*$`)
	aboutLine     = regexp.MustCompile(`(?m)^[#*_ ]*(?:About|Über|À propos d(?:e la |e |u |es |[’'])|Acerca de|Sobre|Informazioni su|Over)\s*` +
		companyPattern + `\s*:?[*_ ]*$`)
)

// Attribution returns the company, the executive and the kind of a communication, found by rules in
// the text and its metadata. It prefers an empty field to a wrong one: the most frequent pair in
// the text wins, and a publisher counts as the company only on the company's own site. Somebody who
// is named but neither speaks nor signs is not the executive, and makes no company the text's.
func Attribution(text string, meta Meta) AttributionResult {
	opening := truncateText(text, 20000)
	a := AttributionResult{Published: meta.Published, CommunicationType: communicationType(opening, meta)}
	if meta.Author == "" {
		a.Author = speaker.Read(speaker.Source{Title: meta.Title, Text: opening}).Author()
	}
	passages := officePassages(opening)
	a.Executive, a.Company = mostNamedPair(opening, passages)
	if a.Executive == "" {
		a.Executive = unaffiliatedExecutive(passages)
	}
	if a.Executive != "" && !speaks(a.Executive, opening, meta) {
		a.Executive, a.Company = "", ""
	}
	if m := titleSpeaker.FindStringSubmatch(cmp.Or(meta.Title, textTitle(text))); a.Executive == "" && m != nil &&
		isPerson(tidyName(m[1])) {
		a.Executive = tidyName(m[1])
	}
	if own := ownCompany(opening, meta); own != "" && (a.Company == "" || a.Company == own) {
		a.Company, a.IsOwn = own, true
	}
	if a.Published == nil {
		a.Published = openingDate(meta.Title, opening)
	}
	return a
}

// namedExecutive is an executive named together with a company, and the matched words. opens is true
// if the company is at the start of a sentence, where each word has a capital.
type namedExecutive struct {
	executive, company, words string
	opens                     bool
}

// listNamedExecutives returns the executives whom passages name with their company, in the order of
// the patterns. It omits former executives.
func listNamedExecutives(passages []string) []namedExecutive {
	var found []namedExecutive
	for _, phrasing := range pairPatterns {
		for _, text := range passages {
			found = append(found, phrasing.namedIn(text)...)
		}
	}
	return found
}

// namedIn returns the executives whom a passage names in the pattern.
func (phrasing pairPattern) namedIn(text string) (found []namedExecutive) {
	if phrasing.marks != nil && !slices.ContainsFunc(phrasing.marks,
		func(mark string) bool { return strings.Contains(text, mark) }) {
		return nil
	}
	for _, at := range phrasing.pattern.FindAllStringSubmatchIndex(text, 20) {
		start, end := at[2*phrasing.company], at[2*phrasing.company+1]
		n := namedExecutive{
			executive: tidyName(text[at[2*phrasing.executive]:at[2*phrasing.executive+1]]),
			company:   tidyCompany(text[start:end]), words: text[at[0]:at[1]],
			opens: opensSentence(text[:start]) && !isGenitive(text[start:end], text[end:]),
		}
		if !isPerson(n.executive) || !isCompany(n.company) || formerPattern.MatchString(text[max(0, at[0]-20):at[0]]) ||
			formerPattern.MatchString(text[at[0]:at[2*phrasing.executive]]) {
			continue
		}
		found = append(found, n)
	}
	return found
}

// mostNamedPair returns the executive and the company that the passages of a text name together
// most often. In a tie the first pair wins.
func mostNamedPair(text string, passages []string) (string, string) {
	type both struct{ executive, company string }
	counts := map[both]int{}
	var order []both
	for _, n := range listNamedExecutives(passages) {
		if n.opens {
			n.company = nameInside(n.company, text)
		}
		one := both{n.executive, n.company}
		if counts[one] == 0 {
			order = append(order, one)
		}
		counts[one] += 1 + strings.Count(text, lastName(n.executive))
	}
	if len(order) == 0 {
		return "", ""
	}
	best := slices.MaxFunc(order, func(a, b both) int { return counts[a] - counts[b] })
	return best.executive, best.company
}

// unaffiliatedExecutive returns the executive whom passages name without a company, and "" if they
// name several.
func unaffiliatedExecutive(passages []string) string {
	found := ""
	for _, phrasing := range executivePatterns {
		for _, text := range passages {
			for _, m := range phrasing.FindAllStringSubmatch(text, 10) {
				name := tidyName(m[1])
				if !isPerson(name) {
					continue
				}
				if found != "" && found != name {
					return ""
				}
				found = name
			}
		}
	}
	return found
}

func lastName(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

var honorificPattern = regexp.MustCompile(`^(Mr|Mrs|Ms|Dr|Prof|Sir|Dame)\.?\s+`)

func tidyName(name string) string {
	name = honorificPattern.ReplaceAllString(oneLine(name), "")
	return strings.TrimSuffix(strings.TrimSuffix(strings.Trim(name, ".,-"), "'s"), "’s")
}

func isPerson(name string) bool {
	words := strings.Fields(name)
	return len(words) >= 2 && len(words) <= 5 && !notPerson.MatchString(name) &&
		!strings.ContainsAny(name, "0123456789")
}

var (
	newsroom = regexp.MustCompile(`(?i)\b(news|times|post|herald|journal|gazette|tribune|magazine|daily|weekly|press|media|guardian|observer|review|reuters|bloomberg|blog|zeitung|nachrichten|spiegel|presse|figaro|monde|país|corriere|repubblica|wire|tv|radio|today|chronicle|telegraph|youtube|medium|linkedin|substack|wikipedia)\b`)
	weSpeak  = regexp.MustCompile(`(?i)\b(we|our|us|wir|unser(e|en)?|nous|notre|nos|nosotros|nuestr[oa]s?|noi|nostr[oaie]|wij|onze)\b`)
)

func isCorporate(publisher, text string, meta Meta) bool {
	key := keyOf(publisher)
	if len(key) < 3 || newsroom.MatchString(publisher) || slices.Contains(meta.Types, "NewsArticle") ||
		slices.Contains(meta.Types, "NewsMediaOrganization") {
		return false
	}
	own := strings.Contains(keyOf(meta.Host), key) || strings.Contains(key, keyOf(domainLabel(meta.Host))) &&
		len(domainLabel(meta.Host)) > 3
	return own && strings.Contains(text, publisher) && len(weSpeak.FindAllString(text, 3)) >= 3
}

var (
	releaseMarks    = pattern.New(`(?im)^\W*(for immediate release|press release|news release|media release|pressemitteilung|medienmitteilung|communiqué de presse|comunicado de prensa|nota de prensa|comunicato stampa|persbericht|komunikat prasowy)\b|\((business ?wire|pr ?newswire|globe ?newswire|accesswire|newsfile corp\.?)\)|^\W*(media|press) (contacts?|inquiries|enquiries)\b|^about \p{Lu}[^\n]{1,60}\n`)
	speakerLine     = regexp.MustCompile(`(?m)^(?:- )?(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+){0,3}|Q|A|Interviewer|Operator|Moderator|Host)( ?\([^)\n]{2,60}\))?: \S`)
	questionAnswer  = regexp.MustCompile(`(?m)^(?:- )?(Q|Question|Frage|Pregunta|Domanda|Vraag)(?:uestion)?[:.]\s`)
	transcriptMarks = pattern.New(`(?i)\b(earnings (conference )?call|transcript|conference call participants|\[(applause|music|laughter|inaudible|crosstalk)\]|operator: (good|ladies|thank))\b|\[\d{1,2}:\d\d(:\d\d)?\]`)
	speechMarks     = pattern.New(`(?i)\b(remarks (by|as prepared|delivered)|as prepared for delivery|keynote (address|speech) (by|delivered)|speech (by|delivered|given)|check against delivery|es gilt das gesprochene wort)\b|^\W*(ladies and gentlemen|good (morning|afternoon|evening)(,| everyone| all)|thank you (all )?for (having|inviting|that)|distinguished guests|meine (sehr geehrten )?damen und herren|mesdames,? (et )?messieurs|señoras y señores)`)
	reportMarks     = pattern.New(`(?im)^\W*(\d\.? )?(executive summary|annual report|sustainability report|table of contents|methodology|key findings|quarterly report|zusammenfassung für entscheider|geschäftsbericht|rapport annuel)\b`)
)

// titleMarks are the kinds of communications that a title names.
var titleMarks = []struct {
	kind    string
	pattern *regexp.Regexp
}{
	{"press_release", regexp.MustCompile(`(?i)\b(press|news|media) (release|statement)\b|^pressemitteilung\b|^communiqué de presse\b|^(comunicado|nota) de prensa\b|^comunicato stampa\b`)},
	{"transcript", regexp.MustCompile(`(?i)\b(results|earnings|conference|investor|analyst|trading)( update)? call\b|\btranscript\b`)},
	{"speech", regexp.MustCompile(`(?i)^\W*(opening |closing |prepared )?(remarks|speech|keynote|address)\b|\b(remarks|speech|keynote)( by .*)?$`)},
	{"interview", regexp.MustCompile(`(?i)^\W*interview\b|\b(an? )?interview with\b`)},
}

// titleType returns the kind of communication that a title names, and "" if it names none.
func titleType(title string) string {
	for _, mark := range titleMarks {
		if mark.pattern.MatchString(title) {
			return mark.kind
		}
	}
	return ""
}

// communicationType returns the kind of communication by its strongest sign, and "" without any
// sign.
func communicationType(text string, meta Meta) string {
	opening := truncateText(text, 1500)
	speakers := map[string]int{}
	for _, m := range speakerLine.FindAllStringSubmatch(text, 200) {
		speakers[m[1]]++
	}
	turns := 0
	for _, n := range speakers {
		if n > 1 {
			turns += n
		}
	}
	switch {
	case isSocial(meta.Host):
		return "social_post"
	case releaseMarks.MatchString(opening) || len(releaseMarks.FindAllString(text, 3)) >= 2:
		return "press_release"
	case transcriptMarks.MatchString(opening) && turns >= 2 || meta.Host == "youtube.com":
		return "transcript"
	case isQuestionSheet(meta, text):
		return "" // such as the answers that a press office prepares
	case len(questionAnswer.FindAllString(text, 3)) >= 3 || turns >= 4 && len(speakers) <= 5:
		return "interview"
	case turns >= 6:
		return "transcript"
	case speechMarks.MatchString(opening):
		return "speech"
	case len(reportMarks.FindAllString(text, 3)) >= 2 || slices.Contains(meta.Types, "Report"):
		return "report"
	case slices.Contains(meta.Types, "BlogPosting") || strings.HasPrefix(meta.Host, "blog.") ||
		strings.EqualFold(meta.Section, "blog"):
		return "blog_post"
	case slices.ContainsFunc(meta.Types, func(kind string) bool { return strings.HasSuffix(kind, "Article") }):
		return "article"
	}
	return titleType(cmp.Or(meta.Title, textTitle(text)))
}

// questionSheet matches how titles call lists of questions and answers, which nobody need have asked.
var questionSheet = regexp.MustCompile(`(?i)\bQ\s?(&|and|\+)\s?A\b|\bFAQs?\b|\b(questions?|fragen|preguntas|domande|vragen) (and|&|und|y|e|en) (answers?|antworten|respuestas|risposte|antwoorden)\b|\bquestions?[ -](et )?réponses?\b`)

func isQuestionSheet(meta Meta, text string) bool {
	title := cmp.Or(meta.Title, textTitle(text))
	return questionSheet.MatchString(title) && titleType(title) != "interview"
}

func isSocial(host string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(host, "www."), "mobile.") {
	case "twitter.com", "x.com", "linkedin.com", "facebook.com", "instagram.com", "threads.net", "bsky.app",
		"mastodon.social", "reddit.com":
		return true
	}
	return false
}
