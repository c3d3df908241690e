package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// monthPattern matches a month's name or its abbreviation in the languages of the list of months.
var monthPattern = `((?:` + strings.Join(monthStarts(), "|") + `)\p{L}*)\.?`

// monthStarts returns the first three letters of the names of the months.
func monthStarts() (starts []string) {
	for _, names := range months {
		for name := range strings.FieldsSeq(names) {
			starts = append(starts, string([]rune(name)[:3]))
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// openingDates match a date; each has the groups of its day, month and year.
var openingDates = []struct {
	pattern          *regexp.Regexp
	day, month, year int
}{
	{regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+)?` + monthPattern +
		`,?\s+(?:de[l]?\s+)?(\d{4})\b`), 1, 2, 3},
	{regexp.MustCompile(`(?i)\b` + monthPattern + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b`), 2, 1, 3},
	{regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`), 3, 2, 1},
	{regexp.MustCompile(`\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b`), 1, 2, 3},
	// With slashes the day may come first or second, unless it is above 12.
	{regexp.MustCompile(`\b(1[3-9]|2\d|3[01])/(\d{1,2})/(\d{4})\b`), 1, 2, 3},
	{regexp.MustCompile(`\b(\d{1,2})/(1[3-9]|2\d|3[01])/(\d{4})\b`), 2, 1, 3},
	{regexp.MustCompile(`(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日`), 3, 2, 1},
}

const (
	// the labels of a date, also in the head of a message
	dateLabels = `date|dated|published|issued|embargoed until|sent|datum|gesendet|stand|le|den|del|fecha|enviado|data|` +
		`inviato|envoyé|verzonden|发布时间|发布日期|发稿时间|日期|时间`
	weekdays = `(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)|` +
		`montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|` +
		`lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|` +
		`maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag`
)

const (
	maxOpeningLines = 8   // lines that may have the date of a text
	maxDateline     = 120 // bytes ahead of the date in its line
)

var (
	markdownMarks = regexp.MustCompile(`^[\s>#*_]+|[*_]{1,3}`)
	dateLabel     = regexp.MustCompile(`(?i)(?:^|[,|(–—:·-]\s*)(?:(?:` + dateLabels + `)\s*[:：]?\s*|(?:on|of|vom)\s+)?(?:(?:` + weekdays + `)[,.]?\s*(?:den\s+)?)?$`)
	timedLabel    = regexp.MustCompile(`(?i)^(?:` + dateLabels + `)\s*[:：]\s*(?:(?:` + weekdays + `)[,.]?\s*)?$`)
	// what was published, held or said on the date that follows
	datedVerb = regexp.MustCompile(`(?i)\b(?:published|posted|released|issued|held|given|delivered|veröffentlicht|erschienen|` +
		`gehalten|sitzung|publiée?s?|parue?s?|tenue?|prononcée?|publicad[oa]s?|celebrad[oa]|pronunciad[oa]|` +
		`pubblicat[oa]|tenut[oa]|gepubliceerd|geplaatst|gehouden)\s+(?:on|am|vom|le|el|il|op|em)\s+(?:\p{L}{3,10},?\s+)?$`)
	// the head of minutes, whose day is that of the meeting: "Niederschrift über die Sitzung vom Donnerstag, dem 19. März 2026."
	minutesHead = regexp.MustCompile(`(?i)^(?:minutes|niederschrift|protokoll|procès-verbal|compte rendu|acta|ata|verbale|notulen)\s.*` +
		`\s(?:on|of|vom|am|du|le|del?|el|il|van|op|em|dia)\s+(?:[\p{L}-]{3,13},?\s+(?:dem\s+|den\s+|de\s+)?)?$`)
	// "at 7.30 pm" behind what was published or held; without the verb it may be an appointment
	clockTime = regexp.MustCompile(`^,?\s+(?:at|um|à|a las|alle|om)\s+\d`)
	toCome    = regexp.MustCompile(`(?i)\b(?:will|to be|shall|wird|werden|sera|seront|será|serán|sarà|saranno|zal|zullen)\b`)
	// 芜陵,2026年11月12日 and （本报北京2026年11月12日电）
	hanPlace = regexp.MustCompile(`^[（(【\[]?\p{Han}{2,12}[,，、\s]*$`)
	// the sentence after a dateline: "Hull, 3 March 2026. Kestrel closes its hall."
	datelineStop = regexp.MustCompile(`^\.\s+[\p{Lu}„“"«]`)
	placeName    = regexp.MustCompile(`^\(?\p{Lu}[\p{L}.'’-]*(?:[ ,/]+(?:\p{Lu}[\p{L}.'’-]*|am|an|der|sur|de|la))*,?\s*(?:[–—-]{1,2}\s*)?(?:le|den|am|a)?\s*\(?$`)
	lastLine     = regexp.MustCompile(`[^\n]*\s*$`)
	closingLabel = regexp.MustCompile(`(?i)^[\s>#*_]*(?:stand|(?:last )?updated|published|posted|veröffentlicht|publié|mise? à jour|publicado|actualizado|pubblicato|aggiornato|gepubliceerd|bijgewerkt|atualizado)\b[^.]{0,30}\d`)
	typeLabelEnd = regexp.MustCompile(`\s(?:on|of|from|vom|du|del)\s+$`)
	dateEnd      = regexp.MustCompile(`^\s*(?:$|[–—|:)(·]|\.?-{1,2}(?:\s|$)|/PRNewswire|[.,]?\s*$|——|讯|电|[）)\]】]|\p{Zs}+\p{Han}{2,12}$|` +
		// a time, after which a place or a note may follow
		`,?\s+(?:ore\s+)?\d{1,2}(?:[:.]\d{2}|\s?[hH]\s?\d{0,2}|\s?[ap]\.?m)|\s*\d{1,2}[:：]\d{2})`)
)

// openingDate returns the date of a text in its dateline, its title, one of its first lines or, with
// a label such as "Stand:", its last one, and nil without one. A date within a sentence is the date of something else.
func openingDate(title, text string) *time.Time {
	for _, line := range openingLines(text) {
		if found := lineDate(line); found != nil {
			return found
		}
	}
	if found := lineDate(strings.TrimSpace(title)); found != nil {
		return found
	}
	if last := lastLine.FindString(text); closingLabel.MatchString(last) {
		return lineDate(strings.TrimRight(strings.TrimSpace(markdownMarks.ReplaceAllString(last, "")), "."))
	}
	return nil
}

// openingLines returns the first lines of a text without the marks of Markdown.
func openingLines(text string) (lines []string) {
	for line := range strings.SplitSeq(truncateText(text, 1500), "\n") {
		if line = strings.TrimSpace(markdownMarks.ReplaceAllString(line, "")); line != "" {
			lines = append(lines, line)
		}
		if len(lines) == maxOpeningLines {
			break
		}
	}
	return lines
}

// titleSpeaker matches the person whose words a title announces.
var titleSpeaker = regexp.MustCompile(`^\W*(?i:(?:opening |closing |prepared )?(?:remarks|speech|keynote|address)(?: speech| address)? (?:by|of))\s+` + personPattern)

// companyLine matches a line that is the name of a company with its legal form.
var companyLine = regexp.MustCompile(`^(` + companyStart + companyWord +
	`{0,4}?,? (?i:plc|inc\.?|ltd\.?|limited|llc|corp\.?|gmbh|ag|se|s\.a\.|n\.v\.|b\.v\.|s\.p\.a\.))$`)

// openingCompany returns the company that is alone in one of the first lines of a text, and "" if
// there is none or there are several.
func openingCompany(text string) (name string) {
	for _, line := range openingLines(text) {
		m := companyLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if name != "" && name != m[1] {
			return ""
		}
		name = m[1]
	}
	return name
}

// lineDate returns the date that a line states as its own: at the line's end after a place, a label
// or a separator, or ahead of a separator.
func lineDate(line string) *time.Time {
	for _, form := range openingDates {
		at := form.pattern.FindStringSubmatchIndex(line)
		if at == nil || at[0] > maxDateline {
			continue
		}
		before, after := line[:at[0]], line[at[1]:]
		isPlace := placeName.MatchString(before) || hanPlace.MatchString(before)
		isHeading, isMinutes := isDatedHeading(before, after), minutesHead.MatchString(before) && !toCome.MatchString(before)
		isLabel := dateLabel.MatchString(before)
		ends := isMinutes || dateEnd.MatchString(after) ||
			(isHeading || timedLabel.MatchString(before)) && clockTime.MatchString(after) || isPlace && before != "" && datelineStop.MatchString(after)
		if !ends || !isPlace && !isHeading && !isMinutes && !isLabel && !isTypeLabel(before) {
			continue
		}
		if found := dateOf(line[at[2*form.day]:at[2*form.day+1]], line[at[2*form.month]:at[2*form.month+1]],
			line[at[2*form.year]:at[2*form.year+1]]); found != nil {
			return found
		}
	}
	return nil
}

// isDatedHeading reports whether a heading says when its text was published or held. A sentence,
// which ends with a full stop, may say it of something else, and so does an invitation.
func isDatedHeading(before, after string) bool {
	return !strings.HasSuffix(strings.TrimSpace(after), ".") && datedVerb.MatchString(before) && !toCome.MatchString(before)
}

// isTypeLabel reports whether a text ahead of a date names the kind of a communication, as "Press
// release of" does.
func isTypeLabel(text string) bool { return typeLabelEnd.MatchString(text) && titleType(text) != "" }

// dateOf returns a date, and nil if the calendar does not have it.
func dateOf(day, month, year string) *time.Time {
	d, _ := strconv.Atoi(day) // the patterns match digits only
	y, _ := strconv.Atoi(year)
	m, ok := monthOf(month)
	found := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	if !ok || found.Day() != d || y < 1900 || y > 2100 {
		return nil
	}
	return &found
}

func monthOf(month string) (time.Month, bool) {
	if number, err := strconv.Atoi(month); err == nil {
		return time.Month(number), number >= 1 && number <= 12
	}
	found := monthNamed(strings.ToLower(month))
	return found, found != 0
}
