package audience

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

// mostReaders is how many personas one job asks.
const mostReaders = 500

// reader is a persona that reads, with what it learned.
type reader struct {
	*model.Persona
	Refinements []*model.PersonaRefinement
	Version     string // of all that it is told to be
	cares       []text.Care
}

// choice is who is to read.
type choice struct{ ids, categories []string }

// choose finds who reads: those of the ids and the categories, else the whole audience, each once. Every id and category that nobody has is
// named at once.
func (s *Service) choose(ctx context.Context, workspaceID string, c choice) ([]*reader, error) {
	if len(c.ids) > mostReaders {
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d entries", mostReaders), "personaIds"))
	}
	named, err := s.Personas.ByIDs(ctx, workspaceID, c.ids)
	if err != nil {
		return nil, err
	}
	personas, bad := inOrder(c.ids, named)
	if len(c.categories) > 0 || len(c.ids) == 0 {
		audience, err := s.Personas.Audience(ctx, workspaceID, c.categories)
		if err != nil {
			return nil, err
		}
		bad = append(bad, unknownCategories(c.categories, audience)...)
		personas = append(personas, audience...)
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	personas = onceEach(personas)
	switch {
	case len(personas) == 0:
		return nil, errs.Invalid(errs.BodyField("missing", "names nobody: the workspace has no active persona in its audience", "personaIds"))
	case len(personas) > mostReaders:
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("choose at most %d personas at a time, these are %d", mostReaders, len(personas)), "categories"))
	}
	return s.readers(ctx, personas)
}

// inOrder gives the personas in the order of their ids, and names each id that none has.
func inOrder(ids []string, personas []*model.Persona) (ordered []*model.Persona, bad []errs.Field) {
	for i, id := range ids {
		at := slices.IndexFunc(personas, func(p *model.Persona) bool { return p.ID == id })
		if at < 0 {
			bad = append(bad, errs.BodyField("unknown_id", "names no persona of this workspace", "personaIds", i))
			continue
		}
		ordered = append(ordered, personas[at])
	}
	return ordered, bad
}

func unknownCategories(wanted []string, personas []*model.Persona) (bad []errs.Field) {
	for i, category := range wanted {
		if !slices.ContainsFunc(personas, func(p *model.Persona) bool { return p.Category == category }) {
			bad = append(bad, errs.BodyField("unknown_category", "has no active persona in the audience", "categories", i))
		}
	}
	return bad
}

func onceEach(personas []*model.Persona) (out []*model.Persona) {
	seen := map[string]bool{}
	for _, p := range personas {
		if !seen[p.ID] {
			seen[p.ID] = true
			out = append(out, p)
		}
	}
	return out
}

// readers adds to personas what they learned.
func (s *Service) readers(ctx context.Context, personas []*model.Persona) ([]*reader, error) {
	learned, err := s.Personas.Refinements(ctx, personas)
	if err != nil {
		return nil, err
	}
	out := make([]*reader, len(personas))
	for i, p := range personas {
		out[i] = &reader{Persona: p, Refinements: learned[i], Version: personaVersion(p, learned[i]), cares: s.Cares(p, learned[i])}
	}
	return out, nil
}

// personaVersion is another one whenever a persona would be told anything else.
func personaVersion(p *model.Persona, learned []*model.PersonaRefinement) string {
	told := []string{
		p.Name, p.Category, p.Description, p.CommunicationStyle, p.Concerns, p.Interests, p.Tone, p.Instructions, p.Template, p.ResponseLanguage,
	}
	for _, held := range p.GroundedStatements {
		told = append(told, held.Statement, held.Quote)
	}
	for _, one := range learned {
		told = append(told, one.Instruction)
	}
	return digestOf(told)
}

// digestOf tells one value from every other.
func digestOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // values of this room's own types
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// due lists who has not reacted to this text yet, as they are now, and the reactions that are kept of the others.
func (s *Service) due(ctx context.Context, of *subject, readers []*reader) (due []*reader, kept []*model.Reaction, err error) {
	rows, err := s.reactionsTo(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range readers {
		at := slices.IndexFunc(rows, func(row *model.Reaction) bool {
			return row.PersonaID == r.ID && row.PersonaVersion == r.Version && row.Status == model.ReactionStatusCompleted
		})
		if at < 0 {
			due = append(due, r)
		} else {
			kept = append(kept, rows[at])
		}
	}
	return due, kept, nil
}

// sortBy orders reactions as their readers are.
func sortBy(readers []*reader, reactions []*model.Reaction) {
	place := map[string]int{}
	for i, r := range readers {
		place[r.ID] = i
	}
	slices.SortStableFunc(reactions, func(a, b *model.Reaction) int { return cmp.Compare(place[a.PersonaID], place[b.PersonaID]) })
}
