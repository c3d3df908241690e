package document

import (
	"strings"

	"rostrum/api"
	"rostrum/model"
	"rostrum/model/optional"
)

// setAttribution sets the attribution that a client gives, and the rest from the text.
func setAttribution(doc *model.Document, in api.CreateDocumentInput, found TextAnalysis) {
	given := model.AttributionOriginGiven
	o := &doc.Origins
	o.Title = &given
	model.SetPart(&doc.MediaProvenance, &o.MediaProvenance, in.MediaProvenance.Value(), given)
	model.SetPart(&doc.Author, &o.Author, optional.Trimmed(in.Author.Value()), given)
	model.SetPart(&doc.ExtractedDate, &o.ExtractedDate, in.ExtractedDate.Value(), given)
	model.SetPart(&doc.Company, &o.Company, optional.Trimmed(in.Company.Value()), given)
	model.SetPart(&doc.Executive, &o.Executive, optional.Trimmed(in.Executive.Value()), given)
	model.SetPart(&doc.CommunicationType, &o.CommunicationType, optional.Trimmed(in.CommunicationType.Value()), given)

	model.SetPart(&doc.Author, &o.Author, found.Author, model.AttributionOriginText)
	model.SetPart(&doc.ExtractedDate, &o.ExtractedDate, found.Published, model.AttributionOriginText)
	model.SetPart(&doc.Company, &o.Company, found.Company, model.AttributionOriginText)
	model.SetPart(&doc.Executive, &o.Executive, found.Executive, model.AttributionOriginText)
	model.SetPart(&doc.CommunicationType, &o.CommunicationType, found.CommunicationType, model.AttributionOriginText)
}

// correctAttribution sets the given fields as corrections.
func correctAttribution(doc *model.Document, in api.UpdateDocumentInput) {
	o := &doc.Origins
	if title := in.Title.Value(); title != nil {
		corrected := model.AttributionOriginCorrected
		doc.Title, o.Title = strings.TrimSpace(*title), &corrected
	}
	if in.Author.IsSet() {
		model.CorrectPart(&doc.Author, &o.Author, optional.Trimmed(in.Author.Value()))
	}
	if in.ExtractedDate.IsSet() {
		model.CorrectPart(&doc.ExtractedDate, &o.ExtractedDate, in.ExtractedDate.Value())
	}
	if in.Company.IsSet() {
		model.CorrectPart(&doc.Company, &o.Company, optional.Trimmed(in.Company.Value()))
	}
	if in.Executive.IsSet() {
		model.CorrectPart(&doc.Executive, &o.Executive, optional.Trimmed(in.Executive.Value()))
	}
	if in.CommunicationType.IsSet() {
		model.CorrectPart(&doc.CommunicationType, &o.CommunicationType, optional.Trimmed(in.CommunicationType.Value()))
	}
	if in.MediaProvenance.IsSet() {
		model.CorrectPart(&doc.MediaProvenance, &o.MediaProvenance, in.MediaProvenance.Value())
	}
}
