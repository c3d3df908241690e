package ingest

import (
	"rostrum/domain/ingest/extract"
	"rostrum/model"
	"rostrum/model/optional"
)

// applyResult sets the document's text and the source's metadata. A date that the source's feed or
// an earlier reading of the source states is kept.
func applyResult(doc *model.Document, text *extract.Result) {
	setText(doc, text.Content)
	source := model.AttributionOriginSource
	if text.Title != "" && !doc.Origins.Title.IsCorrected() {
		doc.Title, doc.Origins.Title = text.Title, &source
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
