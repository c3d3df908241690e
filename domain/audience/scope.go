package audience

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"rostrum/llm/text"
	"rostrum/model"
)

// onePersona is what the category of a single persona begins with.
const onePersona = "persona:"

// scope is what a summary is worked out from: an audience, the documents that it has reacted to, and its reactions to their present texts.
type scope struct {
	category  string
	filters   *model.AudienceFilters
	readers   []*reader
	facts     []*fact // current ones, oldest first
	documents map[string]*fact
	pillars   map[string][]string // of each document: its labels, and what auto-tags of the type pillar found in it
	counts    model.StatusCounts
}

// people finds whom a category stands for: the active members of the audience that are in it, or the one persona that it names, nobody where there
// is none.
func (s *Service) people(ctx context.Context, workspaceID, category string) ([]*reader, error) {
	var personas []*model.Persona
	var err error
	if id, one := strings.CutPrefix(category, onePersona); one {
		personas, err = s.Personas.ByIDs(ctx, workspaceID, []string{id})
	} else {
		personas, err = s.Personas.Audience(ctx, workspaceID, []string{category})
	}
	if err != nil {
		return nil, err
	}
	return s.readers(ctx, personas)
}

// scopeOf reads what a summary is worked out from, the texts of the reactions only when they are wanted.
func (s *Service) scopeOf(ctx context.Context, workspaceID, category string, filters *model.AudienceFilters, whole bool) (*scope, error) {
	readers, err := s.people(ctx, workspaceID, category)
	if err != nil {
		return nil, err
	}
	facts, err := s.facts(ctx, workspaceID, idsOf(readers), whole)
	if err != nil {
		return nil, err
	}
	c := newScope(category, filters, readers, facts)
	found, err := s.pillars(ctx, workspaceID, slices.Collect(maps.Keys(c.documents)))
	c.standOn(found)
	return c, err
}

// standOn tells which pillars the documents have.
func (c *scope) standOn(found []*model.DocumentAutoTag) {
	c.pillars = map[string][]string{}
	for id, f := range c.documents {
		c.pillars[id] = slices.Clone(f.Tags)
	}
	for _, tag := range found {
		if _, in := c.documents[tag.DocumentID]; in {
			c.pillars[tag.DocumentID] = append(c.pillars[tag.DocumentID], tag.ExtractedValue)
		}
	}
	for id, all := range c.pillars {
		slices.Sort(all)
		c.pillars[id] = slices.Compact(all)
	}
}

// newScope counts what the filters let through. A pair of a persona and a document without a reaction to the present text is pending.
func newScope(category string, filters *model.AudienceFilters, readers []*reader, facts []*fact) *scope {
	c := &scope{category: category, filters: filters, readers: readers, documents: map[string]*fact{}}
	reads := map[string]bool{}
	for _, r := range readers {
		reads[r.ID] = true
	}
	for _, f := range facts {
		if !reads[f.PersonaID] || !lets(filters, f) {
			continue
		}
		c.documents[*f.DocumentID] = f
		if f.Version != f.DocumentVersion {
			continue
		}
		if f.Status == model.ReactionStatusFailed {
			c.counts.Failed++
			continue
		}
		c.facts = append(c.facts, f)
		count(&c.counts, model.ValueOr(f.Sentiment, model.ReactionSentimentNeutral))
	}
	c.counts.Pending = len(readers)*len(c.documents) - len(c.facts) - c.counts.Failed
	return c
}

func count(counts *model.StatusCounts, sentiment model.ReactionSentiment) {
	switch sentiment {
	case model.ReactionSentimentPositive:
		counts.Positive++
	case model.ReactionSentimentNegative:
		counts.Negative++
	case model.ReactionSentimentMixed:
		counts.Mixed++
	default:
		counts.Neutral++
	}
}

// lets reports whether every given filter holds for a document.
func lets(f *model.AudienceFilters, of *fact) bool {
	same := func(wanted, there *string) bool { return wanted == nil || there != nil && *wanted == *there }
	at := of.date()
	return same(f.DocumentID, of.DocumentID) && same(f.Company, of.Company) && same(f.Executive, of.Executive) &&
		same(f.CommunicationType, of.CommunicationType) &&
		(f.MediaProvenance == nil || of.MediaProvenance != nil && *f.MediaProvenance == *of.MediaProvenance) &&
		(f.Tag == nil || slices.Contains(of.Tags, *f.Tag)) &&
		(f.Since == nil || !at.Before(*f.Since)) && (f.Until == nil || at.Before(*f.Until))
}

// date is when the document was published, else created.
func (f *fact) date() time.Time { return model.ValueOr(f.DocumentPublished, f.DocumentCreated) }

// filtersOf reads filters; a blank word is none.
func filtersOf(in *model.AudienceFilterInput) (filters *model.AudienceFilters, key string) {
	f := &model.AudienceFilters{}
	if in != nil {
		f = &model.AudienceFilters{
			DocumentID: model.Trimmed(in.DocumentID.Value()), Company: model.Trimmed(in.Company.Value()), Executive: model.Trimmed(in.Executive.Value()),
			CommunicationType: model.Trimmed(in.CommunicationType.Value()), MediaProvenance: in.MediaProvenance.Value(), Tag: model.Trimmed(in.Tag.Value()),
			Since: in.Since.Value(), Until: in.Until.Value(),
		}
	}
	raw, err := json.Marshal(f)
	if err != nil {
		panic(err) // a struct of texts and times
	}
	return f, string(raw)
}

// digest is another one whenever anything has changed that a summary is worked out from, and the same whatever else has: of a document that is its
// text, its date and its pillars, and by the filters whether it counts at all.
func (c *scope) digest(by string) string {
	type version struct {
		ID, Version string
		At          time.Time
		Pillars     []string
	}
	var personas, documents, reactions []version
	for _, r := range c.readers {
		personas = append(personas, version{ID: r.ID, Version: r.Version})
	}
	for id, f := range c.documents {
		documents = append(documents, version{id, f.DocumentVersion, f.date().UTC(), c.pillars[id]})
	}
	for _, f := range c.facts {
		reactions = append(reactions, version{ID: f.ID, Version: f.Version})
	}
	for _, list := range [][]version{personas, documents, reactions} {
		slices.SortFunc(list, func(a, b version) int { return cmp.Compare(a.ID, b.ID) })
	}
	return digestOf([]any{personas, documents, reactions, c.counts, c.filters, summaryVersion, by})
}

// summaryVersion is another one for another prompt, schema of the answer, or way to work out what is not asked.
var summaryVersion = text.Truncate(digestOf([]string{summaryWords, string(summarySchema), "grade 1"}), 16)
