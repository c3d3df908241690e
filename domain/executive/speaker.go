package executive

import (
	"slices"

	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
	"rostrum/model"
	"rostrum/model/optional"
)

// readSpeakers finds who says each statement of a document's text.
func readSpeakers(doc *model.Document) *speaker.Reading { return speaker.Read(sourceOf(doc)) }

// sourceOf returns all that proves the speakers of a document's statements. An author that was
// found in the text proves no more than the text.
func sourceOf(doc *model.Document) speaker.Source {
	source := speaker.Source{
		Title: doc.Title, Author: optional.ValueOr(doc.Author, ""), Executive: optional.ValueOr(doc.Executive, ""),
		Text: optional.ValueOr(doc.Content, ""),
	}
	if doc.Origins.Author.IsOfText() {
		source.Author = ""
	}
	return source
}

// attributeSignal sets the signal's executive if the text proves the speaker; otherwise clears it.
// The own words of a company's text have its company. Another speaker has the company that the
// claim names, if the claim names this speaker and the text the company. isConfirmed tells that
// somebody other than the rules named the claim's speaker, which proves a probable speaker of the
// same name.
func attributeSignal(signal *model.Signal, doc *model.Document, reading *speaker.Reading, said speaker.Statement,
	c offline.SignalClaim, isConfirmed bool) {
	signal.Executive, signal.Company, signal.Attributed = nil, nil, false
	signal.SpeakerName = optional.NonEmpty(said.Speaker)
	signal.SpeakerProof, signal.SpeakerStart, signal.SpeakerEnd = nil, nil, nil
	executive := optional.ValueOr(doc.Executive, "")
	switch {
	case said.Certainty() == speaker.OwnWords:
		if isOwnText(doc) {
			signal.Company, signal.Attributed = doc.Company, true
		}
	case !said.Strong && !(isConfirmed && said.Speaker != "" &&
		speaker.SameName(singleLine(c.Speaker), said.Speaker)):
	case reading.Means(said, executive):
		signal.Executive, signal.Company, signal.Attributed = &executive, doc.Company, true
	case speaker.SameName(said.Speaker, executive): // a relative of the executive; the full name is not known
	default:
		signal.Executive = &said.Speaker
		company := singleLine(c.Company)
		if _, named := text.Locate(optional.ValueOr(doc.Content, ""), company); named &&
			speaker.SameName(singleLine(c.Speaker), said.Speaker) {
			signal.Company = &company
		}
	}
	if signal.Executive == nil {
		return
	}
	signal.SpeakerProof = new(model.SpeakerProof(said.Proof))
	if said.Name.Start >= 0 {
		signal.SpeakerStart, signal.SpeakerEnd = &said.Name.Start, &said.Name.End
	}
}

// isOwnText reports whether a document is published by its company: its release, a text of its own
// site, or a text that a person filed under it. A text that only quotes somebody of the company is not.
func isOwnText(doc *model.Document) bool {
	origin, kind := doc.Origins.Company, optional.ValueOr(doc.CommunicationType, "")
	return origin == nil || *origin != model.AttributionOriginText || kind == pressRelease
}

// pressRelease is the communication type of a company's release.
const pressRelease = "press_release"

// leastOwn is the share of a writing sample's statements that the executive must at least say.
const leastOwn = 0.5

// speaksMost reports whether the executive with the names says or signs most of a document's text,
// by strong proof.
func speaksMost(doc *model.Document, names []string) bool {
	own, all, reading := 0, 0, readSpeakers(doc)
	for _, said := range reading.Statements() {
		words := len(text.Words(said.Text))
		all += words
		isOwn := func(name string) bool { return reading.Means(said, name) }
		if said.Strong && said.Proof != speaker.Report && slices.ContainsFunc(names, isOwn) {
			own += words
		}
	}
	return own > 0 && float64(own) >= leastOwn*float64(all)
}
