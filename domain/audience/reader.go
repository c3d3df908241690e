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
	"rostrum/llm/offline"
	"rostrum/model"
)

// mostReaders limits the personas of one job.
const mostReaders = 500

// reader is a persona with its refinements.
type reader struct {
	*model.Persona
	Refinements []*model.PersonaRefinement
	Version     string // of the persona's prompt input
	cares       []offline.Concern
	ignored     []string // options that only a text model follows
}

// readerChoice selects personas. A nil list is absent. An empty list is an error, because it would
// select everybody.
type readerChoice struct{ ids, categories []string }

// check returns errs.ValidationFailed for an empty list, and for more ids than a job takes.
func (c readerChoice) check() error {
	var invalid errs.FieldErrors
	if c.ids != nil && len(c.ids) == 0 {
		invalid.Body("too_short", "must name a persona; leave it out for the whole audience", "personaIds")
	}
	if c.categories != nil && len(c.categories) == 0 {
		invalid.Body("too_short", "must name a category; leave it out for the whole audience", "categories")
	}
	if len(c.ids) > mostReaders {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", mostReaders), "personaIds")
	}
	return invalid.Err()
}

// chooseReaders returns the personas of the ids and categories, each once, or the whole audience.
// It returns errs.ValidationFailed with every unknown id and category.
func (s *Service) chooseReaders(ctx context.Context, workspaceID string, c readerChoice) ([]*reader, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	named, err := s.Personas.ByIDs(ctx, workspaceID, c.ids)
	if err != nil {
		return nil, err
	}
	personas, invalid := inOrder(c.ids, named)
	if len(c.categories) > 0 || len(c.ids) == 0 {
		audience, err := s.Personas.Audience(ctx, workspaceID, c.categories)
		if err != nil {
			return nil, err
		}
		invalid = append(invalid, unknownCategories(c.categories, audience)...)
		personas = append(personas, audience...)
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	personas = onceEach(personas)
	switch {
	case len(personas) == 0:
		return nil, errs.Invalid(errs.BodyField("missing",
			"selects no persona: the workspace has no active persona in its audience", "personaIds"))
	case len(personas) > mostReaders:
		return nil, errs.Invalid(errs.BodyField("too_long",
			fmt.Sprintf("choose at most %d personas at a time, these are %d", mostReaders, len(personas)),
			"categories"))
	}
	return s.readersOf(ctx, personas)
}

// inOrder returns the personas in the order of their ids, and adds an error for each unknown id.
func inOrder(ids []string, personas []*model.Persona) (ordered []*model.Persona, invalid errs.FieldErrors) {
	for i, id := range ids {
		at := slices.IndexFunc(personas, func(p *model.Persona) bool { return p.ID == id })
		if at < 0 {
			invalid.Body("unknown_id", "names no persona of this workspace", "personaIds", i)
			continue
		}
		ordered = append(ordered, personas[at])
	}
	return ordered, invalid
}

func unknownCategories(wanted []string, personas []*model.Persona) (invalid errs.FieldErrors) {
	for i, category := range wanted {
		if !slices.ContainsFunc(personas, func(p *model.Persona) bool { return p.Category == category }) {
			invalid.Body("unknown_category", "has no active persona in the audience", "categories", i)
		}
	}
	return invalid
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

// readersOf returns personas with the refinements and statements that their prompts may have.
func (s *Service) readersOf(ctx context.Context, personas []*model.Persona) ([]*reader, error) {
	personas, err := s.Personas.Readers(ctx, personas)
	if err != nil {
		return nil, err
	}
	learned, err := s.Personas.LearnedRefinements(ctx, personas)
	if err != nil {
		return nil, err
	}
	out := make([]*reader, len(personas))
	for i, p := range personas {
		out[i] = &reader{Persona: p, Refinements: learned[i], Version: personaVersion(p, learned[i]),
			cares: s.Cares(p, learned[i]), ignored: s.IgnoredOptions(p, learned[i])}
	}
	return out, nil
}

// personaVersion returns a hash of everything that a persona's prompt contains.
func personaVersion(p *model.Persona, learned []*model.PersonaRefinement) string {
	told := []string{
		p.Name, p.Category, p.Description, p.CommunicationStyle, p.Concerns, p.Interests, p.Tone, p.Instructions,
		p.Template, p.ResponseLanguage,
	}
	for _, held := range p.GroundedStatements {
		told = append(told, held.Statement, held.Quote)
	}
	for _, one := range learned {
		told = append(told, one.Instruction)
	}
	return digestOf(told)
}

// digestOf returns a hash of a value.
func digestOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // only called with types of this package
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// dueReaders returns the personas without a reaction to this version of the text, and the others'
// reactions.
func (s *Service) dueReaders(ctx context.Context, of *subject, readers []*reader) (due []*reader,
	kept []*model.Reaction, err error) {
	rows, err := s.reactionsTo(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range readers {
		at := slices.IndexFunc(rows, func(row *model.Reaction) bool {
			return row.PersonaID == r.ID && row.PersonaVersion == r.Version &&
				row.Status == model.ReactionStatusCompleted
		})
		if at < 0 {
			due = append(due, r)
		} else {
			kept = append(kept, rows[at])
		}
	}
	return due, kept, nil
}

// sortByReaders sorts reactions in the order of the personas.
func sortByReaders(readers []*reader, reactions []*model.Reaction) {
	place := map[string]int{}
	for i, r := range readers {
		place[r.ID] = i
	}
	slices.SortStableFunc(reactions, func(a, b *model.Reaction) int {
		return cmp.Compare(place[a.PersonaID], place[b.PersonaID])
	})
}
