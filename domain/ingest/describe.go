package ingest

import (
	"slices"
	"strings"
	"time"

	"rostrum/domain/ingest/extract"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
)

// applyResult sets the document's text and the source's metadata. A date that the source's feed or
// an earlier reading of the source states is kept. A text whose head says that it is not public is
// not, unless somebody has decided.
func applyResult(doc *model.Document, text *extract.Result, now time.Time) {
	setText(doc, text.Content)
	for _, head := range []extract.Restriction{extract.RestrictionOf(text.Title, text.Content), text.Restriction} {
		if head.IsMarked {
			visibility.Restrict(doc, head.Until, now)
		}
	}
	source := model.AttributionOriginSource
	if text.Title != "" && !doc.Origins.Title.IsCorrected() {
		doc.Title, doc.Origins.Title = text.Title, titleOrigin(text)
	}
	doc.ContentType = &text.ContentType
	model.SetPart(&doc.Author, &doc.Origins.Author, optional.NonEmpty(text.Author), source)
	doc.Language = valueOrKnown(text.Language, doc.Language)
	if dated := doc.Origins.ExtractedDate; text.Published != nil &&
		(dated == nil || *dated == model.AttributionOriginText) {
		at := text.Published.UTC()
		doc.ExtractedDate, doc.Origins.ExtractedDate = &at, &source
	}
}

// titleOrigin says whether a source declares its title or, as it has no place for one, begins with it.
func titleOrigin(text *extract.Result) *model.AttributionOrigin {
	origin := model.AttributionOriginSource
	if slices.Contains([]string{"text", "markdown", "rtf", "image"}, text.ContentType) &&
		strings.Contains(text.Content, text.Title) {
		origin = model.AttributionOriginText
	}
	return &origin
}

func setText(doc *model.Document, text string) {
	now := model.Now()
	words, characters := extract.CountWords(text), extract.CountCharacters(text)
	doc.Content, doc.WordCount, doc.CharacterCount, doc.ExtractedAt = &text, &words, &characters, &now
}

// applyAttribution sets the fields that are still empty, unless a person emptied them.
func applyAttribution(doc *model.Document, found extract.AttributionResult) {
	o, origin := &doc.Origins, model.AttributionOriginText
	publisher := origin
	if found.IsOwn {
		publisher = model.AttributionOriginSource
	}
	model.SetPart(&doc.Author, &o.Author, optional.NonEmpty(found.Author), origin)
	model.SetPart(&doc.Company, &o.Company, optional.NonEmpty(found.Company), publisher)
	model.SetPart(&doc.Executive, &o.Executive, optional.NonEmpty(found.Executive), origin)
	model.SetPart(&doc.CommunicationType, &o.CommunicationType, optional.NonEmpty(found.CommunicationType), origin)
	model.SetPart(&doc.ExtractedDate, &o.ExtractedDate, found.Published, origin)
	if doc.Language == nil && doc.Content != nil {
		doc.Language = valueOrKnown(extract.DetectLanguage(*doc.Content), nil)
	}
}

// valueOrKnown returns the known value, or the found value if there is none.
func valueOrKnown(found string, known *string) *string {
	if known != nil || found == "" {
		return known
	}
	return &found
}
