package extract

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/asticode/go-astisub"

	"rostrum/llm/text/pattern"
)

// maxCues is the largest number of subtitles; a day of speech has fewer.
const maxCues = 50_000

// spokenBy is a speaker's name before a subtitle: "Anna Berg: …", "DR. OKAFOR: …".
var spokenBy = regexp.MustCompile(`^(?:- ?)?(\p{Lu}[\p{L}\p{M}.' -]{1,59}): (.+)$`)

// extractSubtitles reads WebVTT or SubRip: what each speaker says is a paragraph, which begins with
// the time on a line of its own and the speaker's name. Subtitles without speakers are joined to
// paragraphs that end with a sentence.
func extractSubtitles(source Source, kind string) (*Result, error) {
	text := strings.NewReader(strings.ReplaceAll(decodeText(source.Body, source.MediaType, false), "\r\n", "\n"))
	read := astisub.ReadFromSRT
	if kind == "vtt" {
		read = astisub.ReadFromWebVTT
	}
	subtitles, err := read(text)
	if err != nil {
		return nil, unsupportedContent("the subtitles are malformed and could not be read", err)
	}
	if len(subtitles.Items) > maxCues {
		return nil, tooLarge("the file has more than 50,000 subtitles; send it in several parts")
	}
	t := &transcript{labels: findLabels(subtitles)}
	for _, item := range subtitles.Items {
		for _, line := range item.Lines {
			t.add(item.StartAt, line.VoiceName, oneLine(line.String()))
		}
	}
	t.endParagraph()
	return &Result{ContentType: kind, Content: strings.Join(t.paragraphs, "\n\n"),
		Title: withoutExtension(source.baseName())}, nil
}

// noName matches a greeting, and the articles in front of the nouns that German writes as names.
var noName = pattern.New(`(?i)^(?:gute[nrs]?|good|hello|hallo|hi|hey|welcome|willkommen|grüezi|servus|moin|bonjour|` +
	`bonsoir|bienvenue|hola|buen[oa]s|bienvenid[oa]s|ciao|buongiorno|buonasera|dear|liebe[rs]?|sehr|meine[rn]?|ladies|` +
	`mesdames|señoras|der|die|das|ein|eine|unsere?|und|aber|hier|heute|jetzt|the|this|our)(?:$| )`)

// particles are the words of names that begin with a small letter.
var particles = map[string]bool{"von": true, "van": true, "de": true, "del": true, "della": true, "di": true,
	"da": true, "du": true, "den": true, "der": true, "zu": true, "zur": true, "la": true, "le": true, "el": true,
	"al": true, "bin": true}

// isNameLike reports whether all words of a label begin as those of a name do, and the first one is
// no greeting and no article.
func isNameLike(label string) bool {
	for word := range strings.FieldsSeq(label) {
		first, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(first) && !particles[word] {
			return false
		}
	}
	return !noName.MatchString(label)
}

// findLabels returns the names before colons that label what their speakers say. A single word is one
// if it is repeated, in capital letters, or if the file has another label: "Achtung: …" is a
// sentence.
func findLabels(subtitles *astisub.Subtitles) map[string]bool {
	counts := map[string]int{}
	for _, item := range subtitles.Items {
		for _, line := range item.Lines {
			if m := spokenBy.FindStringSubmatch(oneLine(line.String())); m != nil && isNameLike(m[1]) {
				counts[m[1]]++
			}
		}
	}
	labels, hasLabel := map[string]bool{}, false
	for label, count := range counts {
		labels[label] = count > 1 || strings.Contains(label, " ") || label == strings.ToUpper(label)
		hasLabel = hasLabel || labels[label]
	}
	for label := range counts {
		labels[label] = hasLabel
	}
	return labels
}

// transcript joins subtitles to paragraphs.
type transcript struct {
	labels     map[string]bool // the names before colons that are speakers
	paragraphs []string
	speaker    string
	at         time.Duration
	words      []string
	size       int
}

// spokenParagraph is the length in bytes from which a paragraph ends with its sentence.
const spokenParagraph = 600

func (t *transcript) add(at time.Duration, voice, text string) {
	if m := spokenBy.FindStringSubmatch(text); voice == "" && m != nil && t.labels[m[1]] {
		voice, text = m[1], m[2]
	}
	if voice != "" && voice != t.speaker {
		t.endParagraph()
		t.speaker = voice
	}
	if text == "" {
		return
	}
	if len(t.words) == 0 {
		t.at = at
	}
	t.words = append(t.words, text)
	if t.size += len(text); t.size > spokenParagraph && strings.ContainsAny(text[len(text)-1:], ".?!") {
		t.endParagraph()
	}
}

func (t *transcript) endParagraph() {
	if len(t.words) == 0 {
		return
	}
	text := strings.Join(t.words, " ")
	if t.speaker != "" {
		text = t.speaker + ": " + text
	}
	s := int(t.at.Seconds())
	t.paragraphs = append(t.paragraphs, fmt.Sprintf("[%02d:%02d:%02d]\n%s", s/3600, s/60%60, s%60, text))
	t.words, t.size = nil, 0
}
