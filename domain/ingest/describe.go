package ingest

import (
	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

// describe gives the document its text and what the source says of itself.
func describe(doc *model.Document, text *extract.Result) {
	setText(doc, text.Content)
	if text.Title != "" {
		doc.Title = text.Title
	}
	doc.ContentType = &text.ContentType
	doc.Author, doc.Language = orAbsent(text.Author, doc.Author), orAbsent(text.Language, doc.Language)
	if text.Published != nil {
		at := text.Published.UTC()
		doc.ExtractedDate = &at
	}
}

func setText(doc *model.Document, text string) {
	now := model.Now()
	words, characters := extract.Words(text), extract.Characters(text)
	doc.Content, doc.WordCount, doc.CharacterCount, doc.ExtractedAt = &text, &words, &characters, &now
}

// attribute fills in what nobody has said yet.
func attribute(doc *model.Document, found extract.Attributed) {
	doc.Company, doc.Executive = orAbsent(found.Company, doc.Company), orAbsent(found.Executive, doc.Executive)
	doc.CommunicationType = orAbsent(found.CommunicationType, doc.CommunicationType)
	if doc.ExtractedDate == nil {
		doc.ExtractedDate = found.Published
	}
	if doc.Language == nil && doc.Content != nil {
		doc.Language = orAbsent(extract.Language(*doc.Content), nil)
	}
}

// orAbsent is what is known already, or else what was found, if anything.
func orAbsent(found string, known *string) *string {
	if known != nil || found == "" {
		return known
	}
	return &found
}
