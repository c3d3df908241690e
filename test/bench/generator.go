package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"rostrum/model"
)

// generator creates documents of realistic size and variety, the same in every run except for their
// ids.
type generator struct {
	random *rand.Rand
	clock  time.Time // creation time of the next document, a few minutes after the previous document's
}

func newGenerator(seed uint64) *generator {
	return &generator{rand.New(rand.NewPCG(seed, 2026)), time.Date(2025, 1, 6, 8, 0, 0, 0, time.UTC)}
}

var (
	companies  = strings.Split("Tidewall|Harrow & Pike|Norvane|Lumen Freight|Castellan Bank|Orchid Health|Breakwater Energy|Kestrel Foods", "|")
	executives = strings.Split("Ines Okafor|Tomasz Weller|Priya Raman|Jonah Aldous|Marit Solheim|Chen Yulan|Luc Bertrand|Aisha Karim", "|")
	kinds      = strings.Split("press_release|interview|earnings_call|blog_post|speech|article", "|")
	formats    = strings.Split("webpage|webpage|webpage|pdf|text|youtube", "|")
	labels     = strings.Split("energy|results|hiring|policy|launch|crisis|markets|sustainability", "|")
	languages  = strings.Split("en|en|en|de|fr|es", "|")
	wordList   = strings.Fields(`the company said that its new plant on the coast will supply power to forty thousand homes before winter and
		analysts expect margins to recover as freight costs fall while the board has approved a further programme of investment in
		training safety storage software research partners customers regulators asked whether prices would rise next quarter officials
		replied they could not rule it out but demand remains strong across every region despite weaker orders from industry so growth
		of about six percent is likely chief executive told reporters after meeting ministers in Lisbon "we build for decades" é ü 上海`)
)

func pickRandom(r *rand.Rand, list []string) *string { return &list[r.IntN(len(list))] }

// words returns running text of n words.
func (v *generator) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(*pickRandom(v.random, wordList))
	}
	return b.String()
}

// document creates a completed document of 120 to 360 words.
func (v *generator) document(workspaceID string) *model.Document {
	v.clock = v.clock.Add(time.Duration(60+v.random.IntN(7200))*time.Second +
		time.Duration(v.random.IntN(1e6))*time.Microsecond)
	created, read, published := v.clock, v.clock.Add(3*time.Second), v.clock.Add(-26*time.Hour)
	count := 120 + v.random.IntN(240)
	text := v.words(count)
	length := len([]rune(text))
	id, owned, no := model.NewID(model.DocumentPrefix), model.MediaProvenanceEarned, false
	address := fmt.Sprintf("https://news.example/%d/%02d/%s?utm_source=feed", created.Year(), created.Month(), id)
	page, _, _ := strings.Cut(address, "?")
	if v.random.IntN(3) == 0 {
		owned = model.MediaProvenanceOwned
	}
	job := model.NewID(model.JobPrefix)
	return &model.Document{
		ID: id, WorkspaceID: workspaceID, Title: v.words(6 + v.random.IntN(8)), Content: &text,
		ContentType: pickRandom(v.random, formats), CommunicationType: pickRandom(v.random, kinds),
		Company:   pickRandom(v.random, companies),
		Executive: pickRandom(v.random, executives), Author: pickRandom(v.random, executives),
		Language:        pickRandom(v.random, languages),
		MediaProvenance: &owned, SourceURL: &address, URL: &page, CanonicalURL: &page, ScrapeJobID: &job,
		WordCount: &count, CharacterCount: &length, IsNarrativeTestingUpload: &no,
		Tags: []string{*pickRandom(v.random, labels), *pickRandom(v.random, labels)}, CreatedAt: created,
		UpdatedAt:   read,
		ExtractedAt: &read, ExtractedDate: &published,
	}
}

// tagTypes are the auto-tags of which every document has a value.
var tagTypes = []struct{ id, name, kind string }{
	{model.NewID(model.AutoTagPrefix), "Topic", "topic"},
	{model.NewID(model.AutoTagPrefix), "Region", "place"},
	{model.NewID(model.AutoTagPrefix), "Stance", "stance"},
}

func (v *generator) tags(doc *model.Document) []*model.DocumentAutoTag {
	tags := make([]*model.DocumentAutoTag, len(tagTypes))
	for i, t := range tagTypes {
		sure, at := float64(50+v.random.IntN(50))/100, doc.UpdatedAt.Add(time.Duration(i)*time.Millisecond)
		tags[i] = &model.DocumentAutoTag{
			ID: model.NewID(model.AppliedPrefix), WorkspaceID: doc.WorkspaceID, DocumentID: doc.ID,
			AutoTagID: tagID(doc.WorkspaceID, t.id),
			Name:      t.name, TagType: &tagTypes[i].kind, ExtractedValue: v.words(2), ConfidenceScore: &sure,
			AppliedAt: &at,
		}
	}
	return tags
}

// tagID returns the id of a workspace's auto-tag.
func tagID(workspaceID, id string) string { return id + "_" + workspaceID }
