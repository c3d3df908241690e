package ingest

import (
	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

// applyResult sets the document's text and the source's metadata.
func applyResult(doc *model.Document, text *extract.Result) {
	setText(doc, text.Content)
	if text.Title != "" {
		doc.Title = text.Title
	}
	doc.ContentType = &text.ContentType
	doc.Author, doc.Language = valueOrKnown(text.Author, doc.Author), valueOrKnown(text.Language, doc.Language)
	if text.Published != nil {
		at := text.Published.UTC()
		doc.ExtractedDate = &at
	}
}

func setText(doc *model.Document, text string) {
	now := model.Now()
	words, characters := extract.CountWords(text), extract.CountCharacters(text)
	doc.Content, doc.WordCount, doc.CharacterCount, doc.ExtractedAt = &text, &words, &characters, &now
}

// applyAttribution sets the fields that are still empty.
func applyAttribution(doc *model.Document, found extract.AttributionResult) {
	doc.Company, doc.Executive = valueOrKnown(found.Company, doc.Company), valueOrKnown(found.Executive, doc.Executive)
	doc.CommunicationType = valueOrKnown(found.CommunicationType, doc.CommunicationType)
	if doc.ExtractedDate == nil {
		doc.ExtractedDate = found.Published
	}
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
