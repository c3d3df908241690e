package extract

import (
	"fmt"
	"strconv"
	"strings"
)

// bullet is the label of an item without a number.
const bullet = "-"

// listLabel is an item's label, for example "2." or "1.1", and its level from 0. Paragraphs that
// are no items have no label.
type listLabel struct {
	text  string
	level int
}

// wordLevels is the number of levels of a list.
const wordLevels = 9

// wordLists counts the items of a document's lists.
type wordLists struct {
	lists map[string]*wordList // by the identifiers that paragraphs use
}

// wordList is a list. Lists of one kind count their items together, unless one starts anew.
type wordList struct {
	levels [wordLevels]wordListLevel
	starts [wordLevels]*int // the numbers with which this list starts anew
	counts *[wordLevels]wordCount
	begun  [wordLevels]bool
}

// wordCount is the number of a level's last item.
type wordCount struct {
	number int
	begun  bool // whether there is an item
}

type wordListLevel struct {
	Level   string     `xml:"ilvl,attr"`
	Start   *wordValue `xml:"start"`
	Format  *wordValue `xml:"numFmt"`
	Text    *wordValue `xml:"lvlText"`
	Restart *wordValue `xml:"lvlRestart"`
	Legal   *wordValue `xml:"isLgl"`
}

// wordNumberings is the numbering part.
type wordNumberings struct {
	Kinds []struct {
		ID     string          `xml:"abstractNumId,attr"`
		Levels []wordListLevel `xml:"lvl"`
		Style  wordValue       `xml:"styleLink"`
		Linked wordValue       `xml:"numStyleLink"`
	} `xml:"abstractNum"`
	Lists []struct {
		ID        string    `xml:"numId,attr"`
		Kind      wordValue `xml:"abstractNumId"`
		Overrides []struct {
			Level string         `xml:"ilvl,attr"`
			Start *wordValue     `xml:"startOverride"`
			Other *wordListLevel `xml:"lvl"`
		} `xml:"lvlOverride"`
	} `xml:"num"`
}

// readLists returns the lists of the numbering part, which may be missing.
func readLists(part []byte) *wordLists {
	var file wordNumberings
	all := &wordLists{map[string]*wordList{}}
	if newXMLDecoder(part).Decode(&file) != nil {
		return all
	}
	kinds, styles := map[string]*wordList{}, map[string]*wordList{}
	for _, k := range file.Kinds {
		kind := &wordList{counts: &[wordLevels]wordCount{}}
		for _, level := range k.Levels {
			kind.setLevel(level.Level, level)
		}
		kinds[k.ID] = kind
		if k.Style.Val != "" {
			styles[k.Style.Val] = kind
		}
	}
	for _, k := range file.Kinds {
		if linked := styles[k.Linked.Val]; linked != nil {
			kinds[k.ID] = linked
		}
	}
	for _, l := range file.Lists {
		kind := kinds[l.Kind.Val]
		if kind == nil {
			continue
		}
		list := *kind
		for _, o := range l.Overrides {
			if o.Other != nil {
				list.setLevel(o.Level, *o.Other)
			}
			if at, ok := levelIndex(o.Level); ok && o.Start != nil {
				list.starts[at] = new(startOf(o.Start))
			}
		}
		all.lists[l.ID] = &list
	}
	return all
}

func (l *wordList) setLevel(index string, level wordListLevel) {
	if at, ok := levelIndex(index); ok {
		l.levels[at] = level
	}
}

func levelIndex(text string) (int, bool) {
	at, err := strconv.Atoi(text)
	return at, err == nil && at >= 0 && at < wordLevels
}

func startOf(v *wordValue) int {
	if v == nil {
		return 1
	}
	start, _ := strconv.Atoi(v.Val)
	return min(max(start, 0), maxListNumber)
}

// next counts an item and returns its label. Items of lists that the document does not define have
// bullets.
func (l *wordLists) next(n *wordNumbering) listLabel {
	if n == nil || n.ID.Val == "0" {
		return listLabel{}
	}
	level, _ := levelIndex(n.Level.Val)
	list := l.lists[n.ID.Val]
	if list == nil {
		return listLabel{bullet, level}
	}
	list.count(level)
	return listLabel{list.label(level), level}
}

// count counts an item of a level, and ends the counts of the levels below.
func (l *wordList) count(level int) {
	for at := range level { // levels that were left out
		if !l.counts[at].begun {
			l.counts[at] = wordCount{startOf(l.levels[at].Start), true}
		}
	}
	count := &l.counts[level]
	switch start := l.starts[level]; {
	case start != nil && !l.begun[level]:
		count.number = *start
	case !count.begun:
		count.number = startOf(l.levels[level].Start)
	default:
		count.number++
	}
	count.begun, l.begun[level] = true, true
	for at := level + 1; at < wordLevels; at++ {
		if r := l.levels[at].Restart; r == nil || r.Val != "0" {
			l.counts[at].begun = false
		}
	}
}

// label returns the label of the last item of a level.
func (l *wordList) label(level int) string {
	of := l.levels[level]
	if of.Format == nil || of.Text == nil || of.Format.Val == "bullet" {
		if of.Format != nil && of.Format.Val == "none" {
			return ""
		}
		return bullet
	}
	text := of.Text.Val
	for at := range level + 1 {
		format := "decimal"
		if f := l.levels[at].Format; f != nil && !of.Legal.isOn() {
			format = f.Val
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("%%%d", at+1), formatNumber(l.counts[at].number, format))
	}
	return strings.TrimSpace(text)
}

// maxListNumber is the maximum number of a list item.
const maxListNumber = 1 << 20

// formatNumber returns a number in a format of WordprocessingML, and in digits for formats that are
// not known.
func formatNumber(n int, format string) string {
	switch format {
	case "none":
		return ""
	case "lowerLetter":
		return strings.ToLower(letterNumber(n))
	case "upperLetter":
		return letterNumber(n)
	case "lowerRoman":
		return strings.ToLower(romanNumber(n))
	case "upperRoman":
		return romanNumber(n)
	case "decimalZero":
		return fmt.Sprintf("%02d", n)
	}
	return strconv.Itoa(n)
}

// letterNumber returns A to Z, then AA to ZZ, AAA and so on, as Word counts.
func letterNumber(n int) string {
	if n < 1 || n > 26*30 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}

func romanNumber(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, d := range []struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"},
		{9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.value; n -= d.value {
			out.WriteString(d.text)
		}
	}
	return out.String()
}
