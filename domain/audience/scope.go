package audience

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// onePersona is the category prefix of a single persona.
const onePersona = "persona:"

// summaryScope is the input of a summary: an audience, its documents, and its reactions to their
// current texts.
type summaryScope struct {
	category  string
	filters   *model.AudienceFilters
	readers   []*reader
	facts     []*documentReaction // current ones, oldest first
	documents map[string]*documentReaction
	pillars   map[string][]string // by document: its labels and the values of its pillar auto-tags
	counts    model.StatusCounts
}

// readersIn returns the active audience members of a category, or the single persona that it names.
func (s *Service) readersIn(ctx context.Context, workspaceID, category string) ([]*reader, error) {
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
	return s.readersOf(ctx, personas)
}

// scopeOf reads the input of a summary, with the texts of the reactions on request.
func (s *Service) scopeOf(ctx context.Context, workspaceID, category string, filters *model.AudienceFilters,
	whole bool) (*summaryScope, error) {
	readers, err := s.readersIn(ctx, workspaceID, category)
	if err != nil {
		return nil, err
	}
	facts, err := s.readReactions(ctx, workspaceID, readers, namedDocuments(filters), whole)
	if err != nil {
		return nil, err
	}
	c := newScope(category, filters, readers, facts)
	found, err := s.readPillars(ctx, workspaceID, slices.Collect(maps.Keys(c.documents)))
	c.addPillars(found)
	return c, err
}

// addPillars sets the pillars of the documents.
func (c *summaryScope) addPillars(found []*model.DocumentAutoTag) {
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

// namedDocuments returns the document that the filters name. Its summary has all personas'
// reactions, because they were given its text.
func namedDocuments(filters *model.AudienceFilters) []string {
	if filters == nil || filters.DocumentID == nil {
		return nil
	}
	return []string{*filters.DocumentID}
}

// newScope applies the filters and counts the reactions to documents that their personas may have
// read. A persona without a reaction to the current text of such a document is pending.
func newScope(category string, filters *model.AudienceFilters, readers []*reader,
	facts []*documentReaction) *summaryScope {
	c := &summaryScope{category: category, filters: filters, readers: readers,
		documents: map[string]*documentReaction{}}
	byID := map[string]*reader{}
	for _, r := range readers {
		byID[r.ID] = r
	}
	for _, f := range facts {
		by := byID[f.PersonaID]
		if by == nil || !matchFilters(filters, f) || !c.mayCount(f, by) {
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
		addSentiment(&c.counts, f)
	}
	c.counts.Pending = c.countExpected() - len(c.facts) - c.counts.Failed
	return c
}

// mayCount reports whether the reactions of a persona to a document are part of the summary.
func (c *summaryScope) mayCount(f *documentReaction, by *reader) bool {
	return f.mayBeRead(by) || slices.Contains(namedDocuments(c.filters), *f.DocumentID)
}

// countExpected returns the number of reactions if each persona reacts to all it may have read.
func (c *summaryScope) countExpected() (n int) {
	for _, f := range c.documents {
		for _, r := range c.readers {
			if c.mayCount(f, r) {
				n++
			}
		}
	}
	return n
}

// sourceIDs returns the documents of the summarized reactions, oldest reaction first, at most
// mostSources.
func (c *summaryScope) sourceIDs() []string {
	ids := []string{}
	for _, f := range c.facts {
		ids = append(ids, *f.DocumentID)
	}
	ids = optional.Distinct(ids)
	return ids[:min(len(ids), mostSources)]
}

// mostSources limits the sources of a summary.
const mostSources = 500

// addSentiment counts a reaction by its opinion.
func addSentiment(counts *model.StatusCounts, f *documentReaction) {
	_, sentiment := f.opinion()
	if sentiment == nil {
		counts.Unrated++
		return
	}
	switch *sentiment {
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

// matchFilters reports whether a document matches every given filter.
func matchFilters(f *model.AudienceFilters, of *documentReaction) bool {
	same := func(wanted, there *string) bool { return wanted == nil || there != nil && *wanted == *there }
	named := func(wanted, there *string) bool {
		return wanted == nil || there != nil && model.NameKey(*wanted) == model.NameKey(*there)
	}
	at := of.publishedAt()
	return same(f.DocumentID, of.DocumentID) && named(f.Company, of.Company) && named(f.Executive, of.Executive) &&
		same(f.CommunicationType, of.CommunicationType) &&
		(f.MediaProvenance == nil || of.MediaProvenance != nil && *f.MediaProvenance == *of.MediaProvenance) &&
		(f.Tag == nil || slices.Contains(of.Tags, *f.Tag)) &&
		(f.Since == nil || !at.Before(*f.Since)) && (f.Until == nil || at.Before(*f.Until))
}

// publishedAt returns the publication date of the document, or its creation date.
func (f *documentReaction) publishedAt() time.Time {
	return optional.ValueOr(f.DocumentPublished, f.DocumentCreated)
}

// digestScope hashes everything that a summary depends on. A document contributes its text, date
// and pillars, and through the filters whether it counts.
func (c *summaryScope) digestScope(by string) string {
	type version struct {
		ID, Version string
		At          time.Time
		Pillars     []string
		Rating      *float64
	}
	var personas, documents, reactions []version
	for _, r := range c.readers {
		personas = append(personas, version{ID: r.ID, Version: r.Version})
	}
	for id, f := range c.documents {
		documents = append(documents, version{ID: id, Version: f.DocumentVersion, At: f.publishedAt().UTC(),
			Pillars: c.pillars[id]})
	}
	for _, f := range c.facts {
		rating, _ := f.opinion()
		reactions = append(reactions, version{ID: f.ID, Version: f.Version, Rating: rating})
	}
	for _, list := range [][]version{personas, documents, reactions} {
		slices.SortFunc(list, func(a, b version) int { return cmp.Compare(a.ID, b.ID) })
	}
	return digestOf([]any{personas, documents, reactions, c.counts, c.filters, summaryVersion, by})
}

// summaryVersion changes with the prompt, the answer's schema and the computation.
var summaryVersion = text.Truncate(digestOf([]string{summaryWords, string(summarySchema), "grade 2"}), 16)
