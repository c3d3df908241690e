package executive

import (
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
	"rostrum/model"
	"rostrum/optional"
)

// readSpeakers finds who says each statement of a document's text.
func readSpeakers(doc *model.Document) *speaker.Reading {
	return speaker.Read(speaker.Source{
		Title: doc.Title, Author: optional.ValueOr(doc.Author, ""), Text: optional.ValueOr(doc.Content, ""),
	})
}

// attributeSignal sets the executive of a signal to the speaker that the text proves, and to none without a proof. The document's own words have
// the document's company; another speaker has the company that the claim names, if the claim names this speaker and the text the company.
func attributeSignal(signal *model.Signal, doc *model.Document, said speaker.Statement, c claimedSignal) {
	signal.Executive, signal.Company, signal.Attributed = nil, nil, false
	executive := optional.ValueOr(doc.Executive, "")
	switch {
	case said.Proof == speaker.NoProof:
		signal.Company, signal.Attributed = doc.Company, true
	case said.Speaker == "":
	case speaker.SameName(said.Speaker, executive):
		signal.Executive, signal.Company, signal.Attributed = &executive, doc.Company, true
	default:
		signal.Executive = &said.Speaker
		company := singleLine(c.Company)
		if _, named := text.Locate(optional.ValueOr(doc.Content, ""), company); named && speaker.SameName(singleLine(c.Executive), said.Speaker) {
			signal.Company = &company
		}
	}
}

// rankChunk is the number of statements that are ranked together.
const rankChunk = 400

// rankStatements returns up to n statements that summarize the text, in its order. Long texts are ranked in parts first, so that every part
// of the text counts.
func rankStatements(all []speaker.Statement, n int) []speaker.Statement {
	for len(all) > rankChunk {
		var kept []speaker.Statement
		parts := (len(all) + rankChunk - 1) / rankChunk
		for chunk := range slices.Chunk(all, rankChunk) {
			kept = append(kept, rankTogether(chunk, max(n, rankChunk/(2*parts)))...)
		}
		if len(kept) >= len(all) {
			break
		}
		all = kept
	}
	return rankTogether(all, n)
}

// rankTogether returns up to n of the statements, in their order.
func rankTogether(all []speaker.Statement, n int) []speaker.Statement {
	if len(all) <= n {
		return all
	}
	var whole strings.Builder
	for _, said := range all {
		whole.WriteString(said.Text + "\n\n")
	}
	chosen := map[string]bool{}
	for _, sentence := range text.Rank(whole.String(), n) {
		chosen[sentence.Text] = true
	}
	var kept []speaker.Statement
	for _, said := range all {
		if chosen[said.Text] && len(kept) < n {
			kept = append(kept, said)
			delete(chosen, said.Text)
		}
	}
	return kept
}

// leastOwn is the minimum share of a document's statements that an executive says in a writing sample.
const leastOwn = 0.5

// speaksMost reports whether an executive says or signs most of a document's text.
func speaksMost(doc *model.Document, name string) bool {
	own, all := 0, 0
	for _, said := range readSpeakers(doc).Statements() {
		words := len(text.Words(said.Text))
		all += words
		if said.Speaker != "" && said.Proof != speaker.Report && speaker.SameName(said.Speaker, name) {
			own += words
		}
	}
	return own > 0 && float64(own) >= leastOwn*float64(all)
}
