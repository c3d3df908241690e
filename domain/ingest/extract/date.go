package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The forms of dates. A date may have a time, and a time a zone: an offset or an abbreviation.
var (
	clockPart = `(?:,?[t\s]+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?)?`
	zonePart  = `\s*(?:(?:gmt|utc)?([+-]\d{2})(?::?(\d{2}))?|(\pL{1,5}))?(?:\s*\(.*\))?$`
	isoDate   = regexp.MustCompile(`^(\d{4})[-/]?(\d{2})[-/]?(\d{2})` + clockPart + zonePart)
	dayFirst  = regexp.MustCompile(`^(?:\pL+\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+)?(\pL+)\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})\.?` + clockPart + zonePart)
	dayLast   = regexp.MustCompile(`^(?:\pL+\.?,?\s+)?(\pL+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})` + clockPart + zonePart)
)

// parseDate parses the dates that pages and feeds state: ISO 8601, RFC 2822 and 850, and words in
// several languages. It returns nil for other forms, and for times that are not plausible.
func parseDate(text string) *time.Time {
	text = strings.ToLower(oneLine(text))
	var year, day int
	var month time.Month
	m := isoDate.FindStringSubmatch(text)
	switch {
	case m != nil:
		year, month, day = number(m[1]), time.Month(number(m[2])), number(m[3])
	default:
		if m = dayFirst.FindStringSubmatch(text); m != nil {
			year, month, day = fullYear(m[3]), monthNamed(m[2]), number(m[1])
		} else if m = dayLast.FindStringSubmatch(text); m != nil {
			year, month, day = number(m[3]), monthNamed(m[1]), number(m[2])
		} else {
			return nil
		}
	}
	hour, minute, second := clock(m[4:8])
	t := time.Date(year, month, day, hour, minute, second, 0, zone(m[8], m[9], m[10]))
	if t.Day() != day || t.Month() != month || t.Hour() != hour || minute > 59 || second > 60 {
		return nil // not a day of the calendar
	}
	return plausibleTime(t)
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// fullYear returns a year of two digits as RFC 2822 reads it.
func fullYear(text string) int {
	switch n := number(text); {
	case len(text) > 2:
		return n
	case n < 50:
		return 2000 + n
	default:
		return 1900 + n
	}
}

// clock returns the time of the groups of clockPart.
func clock(m []string) (hour, minute, second int) {
	hour = number(m[0])
	switch {
	case m[3] == "":
	case m[3][0] == 'p' && hour < 12:
		hour += 12
	case m[3][0] == 'a' && hour == 12:
		hour = 0
	}
	return hour, number(m[1]), number(m[2])
}

// zones are the offsets of abbreviations in hours. Abbreviations of several zones, such as IST, are
// left out.
var zones = map[string]float64{"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
	"akst": -9, "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "nst": -3.5, "ndt": -2.5, "wet": 0, "west": 1, "bst": 1,
	"cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "sgt": 8, "hkt": 8, "awst": 8, "jst": 9,
	"kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13}

// zone returns the zone of an offset or an abbreviation, and UTC for those that are not known.
func zone(hours, minutes, name string) *time.Location {
	seconds := int(zones[name] * 3600)
	if hours != "" {
		seconds = number(hours)*3600 + number(minutes)*60
		if hours[0] == '-' {
			seconds = number(hours)*3600 - number(minutes)*60
		}
	}
	return time.FixedZone("", seconds)
}

// months are the names of the months in the languages of feeds, one line for each month.
var months = [12]string{
	"january januar janvier enero gennaio janeiro januari styczeń stycznia января leden ledna ocak",
	"february februar février fevrier febrero febbraio fevereiro februari luty lutego февраля únor února şubat",
	"march märz maerz mars marzo março marco maart mrt marca marzec марта březen března mart",
	"april avril abril aprile kwiecień kwietnia апреля duben dubna nisan",
	"may mai mayo maggio maio mei maj maja мая květen května mayıs",
	"june juni juin junio giugno junho czerwiec czerwca июня červen června haziran",
	"july juli juillet julio luglio julho lipiec lipca июля červenec července temmuz",
	"august août aout agosto augustus augusti sierpień sierpnia августа srpen srpna ağustos",
	"september septembre septiembre setiembre settembre setembro wrzesień września сентября září eylül",
	"october oktober octobre octubre ottobre outubro październik października октября říjen října ekim",
	"november novembre noviembre novembro listopad listopada ноября listopadu kasım",
	"december dezember décembre decembre diciembre dicembre dezembro desember grudzień grudnia декабря prosinec prosince aralık",
}

// monthNamed returns the month of a name or of its abbreviation to three letters or more, and 0 if
// there is none or more than one.
func monthNamed(word string) time.Month {
	if utf8.RuneCountInString(word) < 3 {
		return 0
	}
	var found time.Month
	for i, names := range months {
		for name := range strings.FieldsSeq(names) {
			month := time.Month(i + 1)
			switch {
			case name == word:
				return month
			case strings.HasPrefix(name, word) && found != 0 && found != month:
				return 0
			case strings.HasPrefix(name, word):
				found = month
			}
		}
	}
	return found
}
