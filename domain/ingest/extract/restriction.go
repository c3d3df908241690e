package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Restriction is what the head of a text says of who may know it.
type Restriction struct {
	IsMarked bool       // it is confidential, internal or under embargo
	Until    *time.Time // the end of its embargo; nil unless day, time and zone are named
}

// maxMarkedLines is how many of the first lines are the head of a text.
const maxMarkedLines = 6

// The words by which texts are marked, each alone in its line or ahead of a separator. A heading
// that only begins like them ("Embargo on oil", "Confidential files show …") is no mark.
var (
	secretMark = regexp.MustCompile(`(?i)^(?:` +
		`(?:strictly |highly |company |commercially |commercial in |commercial-in-|private (?:and|&) |privileged (?:and|&) |proprietary (?:and|&) )?` +
		`confiden(?:tial|ce)(?: (?:and|&) proprietary| information| draft)?|(?:for )?(?:strictly )?internal (?:use )?only|for internal use|` +
		`(?:strictly )?not for (?:publication|release|distribution|circulation|onward transmission)|` +
		`(?:please )?do not (?:publish|distribute|circulate|forward|release)|off the record|` +
		`(?:streng |strikt )?vertraulich|intern|nur (?:für|zum|für den|zum rein) (?:internen|dienst)\S* ?gebrauch|nicht (?:zur|für die) (?:veröffentlichung|weitergabe)(?: bestimmt)?|` +
		`(?:strictement )?confidentiel(?:le)?|(?:à |pour )?usage (?:strictement )?interne(?: uniquement)?|(?:merci de )?ne pas (?:diffuser|publier)|` +
		`(?:estrictamente )?confidencial|(?:de |para )?uso (?:exclusivamente )?interno|no (?:publicar|difundir|divulgar)|não (?:publicar|divulgar)|` +
		`(?:strettamente )?(?:riservat[oa]|confidenziale)|non (?:divulgare|pubblicare)|` +
		`(?:strikt )?vertrouwelijk|(?:alleen )?voor intern gebruik|niet voor publicatie|ściśle poufne|poufne|` +
		`社外秘|部外秘|機密|取扱注意|机密|绝密|保密|内部资料|内部使用|不得外传)` +
		`\s*(?:$|[:：.。!！–—|·/,，(（\[\]）】)-])`)
	embargoMark = regexp.MustCompile(`(?i)^(?:(?:strictly |strikt |strict )?(?:under |sous |bajo |sotto |onder )?(?:strict )?embargo(?:ed|ed for release)?|sperrfrist|` +
		`not (?:for release|to be (?:published|released)|for publication)|sob embargo|报道限时|解禁)` +
		`\s*(?:$|[:：.!！–—|·/(（[\]）】)-]|(?:before|until|till|to|for release|bis|jusqu|hasta|até|fino|tot)\b)`)
	// "09:00", "9.30 am", "9 am", "9 Uhr" and "9h30"
	embargoClock = regexp.MustCompile(`(?i)\b(\d{1,2})(?:[:.h](\d{2}))?\s?([ap]\.?m\.?\b|uhr|h\b|hrs)?`)
	embargoZone  = regexp.MustCompile(`\b(GMT|UTC|Z|[A-Z]{2,5})\b(?:\s?([+-]\d{1,2})(?::?(\d{2}))?)?`)
	markOpening  = regexp.MustCompile(`^[\s\pP\pS]+`)
)

// RestrictionOf reads the title and the first lines of a text.
func RestrictionOf(title, text string) Restriction {
	lines := append([]string{title}, openingLines(text)...)
	r := Restriction{}
	for _, line := range lines[:min(len(lines), maxMarkedLines+1)] {
		line = markOpening.ReplaceAllString(line, "")
		if embargoMark.MatchString(line) {
			r.IsMarked = true
			if r.Until == nil { // a subject may name the embargo, and a line below it the end
				r.Until = embargoEnd(line)
			}
		}
		r.IsMarked = r.IsMarked || secretMark.MatchString(line)
	}
	return r
}

// embargoEnd returns the end that a line names by day, time and zone, and nil if one is missing.
func embargoEnd(line string) *time.Time {
	for _, form := range openingDates {
		at := form.pattern.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		day := dateOf(line[at[2*form.day]:at[2*form.day+1]], line[at[2*form.month]:at[2*form.month+1]],
			line[at[2*form.year]:at[2*form.year+1]])
		rest := line[:at[0]] + " " + line[at[1]:]
		since, hasClock := embargoTime(rest)
		where := embargoLocation(rest)
		if day == nil || !hasClock || where == nil {
			return nil
		}
		end := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, where).Add(since).UTC()
		return &end
	}
	return nil
}

// embargoTime returns the time of day that a text without its date names.
func embargoTime(text string) (since time.Duration, ok bool) {
	for _, m := range embargoClock.FindAllStringSubmatch(text, -1) {
		if m[2] == "" && m[3] == "" {
			continue // a number that is no time
		}
		hour, _ := strconv.Atoi(m[1]) // the pattern matches digits only
		minute, _ := strconv.Atoi(m[2])
		switch half := strings.ToLower(m[3]); {
		case strings.HasPrefix(half, "p") && hour < 12:
			hour += 12
		case strings.HasPrefix(half, "a") && hour == 12:
			hour = 0
		}
		return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, hour < 24 && minute < 60
	}
	return 0, false
}

// embargoLocation returns the zone that a text names, and nil if it names none that is known.
func embargoLocation(text string) *time.Location {
	for _, m := range embargoZone.FindAllStringSubmatch(text, -1) {
		_, isKnown := zones[strings.ToLower(m[1])]
		if !isKnown && m[1] != "GMT" && m[1] != "UTC" && m[1] != "Z" {
			continue
		}
		if m[2] != "" {
			return zone(m[2], m[3], "")
		}
		return zone("", "", strings.ToLower(m[1]))
	}
	return nil
}
