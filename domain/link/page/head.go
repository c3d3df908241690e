package page

import (
	"slices"
	"time"

	"golang.org/x/text/language"

	"rostrum/model"
)

// Meta tells programs what a page is, for example those that show a card of a link to it.
type Meta struct {
	URL         string // the only address of the page
	Description string // may be empty
	SiteName    string // the name of the publisher; may be empty
	Image       string // the address of a picture; may be empty
	// PublishedAt is when an article was published; nil for a page that is none.
	PublishedAt *time.Time
}

// Published returns when an article was published, as RFC 3339 has it.
func (m *Meta) Published() string { return m.PublishedAt.UTC().Format(time.RFC3339Nano) }

// headView is what the head of every page is made of.
type headView struct {
	Title, Lang, Dir, Style string
	Brand                   *brandView
	Meta                    *Meta
}

// newHead returns the head of a page and the texts of its language; lang is a BCP 47 tag and empty for
// en.
func newHead(title, lang string, brand *model.Brand) (headView, pageTexts) {
	lang, texts := textsFor(lang)
	return headView{Title: title, Lang: lang, Dir: directionOf(lang), Style: styleAsset.path,
		Brand: newBrandView(brand, texts.Brand)}, texts
}

// rightToLeft are the scripts in use that are written from right to left.
var rightToLeft = []string{"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}

// directionOf returns rtl for a language that is written from right to left, else an empty string.
func directionOf(lang string) string {
	tag, err := language.Parse(lang)
	if err != nil {
		return ""
	}
	if script, _ := tag.Script(); slices.Contains(rightToLeft, script.String()) {
		return "rtl"
	}
	return ""
}
