package persona

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

// Readers returns copies of the personas. They keep only grounded statements of documents that the
// persona may have read. It runs at most two statements.
func (s *Service) Readers(ctx context.Context, personas []*model.Persona) ([]*model.Persona, error) {
	ids := map[bool][]string{}
	for _, p := range personas {
		for _, statement := range p.GroundedStatements {
			ids[p.MayReadInternal] = append(ids[p.MayReadInternal], statement.DocumentID)
		}
	}
	readable := map[bool]map[string]bool{}
	for internal, named := range ids {
		found, err := s.readableIDs(ctx, personas[0].WorkspaceID, distinctIDs(named), internal)
		if err != nil {
			return nil, err
		}
		readable[internal] = found
	}
	out := make([]*model.Persona, len(personas))
	for i, p := range personas {
		reader := *p
		reader.GroundedStatements = slices.DeleteFunc(slices.Clone(p.GroundedStatements),
			func(g *model.GroundedStatement) bool {
				return !readable[p.MayReadInternal][g.DocumentID]
			})
		out[i] = &reader
	}
	return out, nil
}

// asReader is Readers for one persona.
func (s *Service) asReader(ctx context.Context, p *model.Persona) (*model.Persona, error) {
	readers, err := s.Readers(ctx, []*model.Persona{p})
	if err != nil {
		return nil, err
	}
	return readers[0], nil
}

// readableIDs returns the ids of documents that a persona may have read.
func (s *Service) readableIDs(ctx context.Context, workspaceID string, ids []string,
	mayReadInternal bool) (map[string]bool, error) {
	docs, err := s.documents.ReadableByIDs(ctx, workspaceID, ids, mayReadInternal, "id")
	readable := make(map[string]bool, len(docs))
	for _, doc := range docs {
		readable[doc.ID] = true
	}
	return readable, err
}

// unreadNote returns a warning that lists the named documents that the persona was not given, or
// "".
func unreadNote(field string, named []string, given []*model.Document) string {
	missing := slices.DeleteFunc(distinctIDs(named), func(id string) bool {
		return slices.ContainsFunc(given, func(doc *model.Document) bool { return doc.ID == id })
	})
	if len(missing) == 0 {
		return ""
	}
	return field + ": the persona was not given " + strings.Join(missing, ", ") +
		", because it could not have read them"
}

// LearnedRefinements returns the refinements for each persona's prompts, in the order of the
// personas, with one query. It leaves out feedback on a reply about a document that the persona may
// not have read.
func (s *Service) LearnedRefinements(ctx context.Context, personas []*model.Persona) ([][]*model.PersonaRefinement,
	error) {
	ids := make([]string, len(personas))
	for i, p := range personas {
		ids[i] = p.ID
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.learnedRefinements(ctx, personas[0].WorkspaceID, ids...)
	if err != nil {
		return nil, err
	}
	out := dbx.GroupByKey(ids, rows, func(r *model.PersonaRefinement) string { return r.PersonaID })
	for i := range out {
		out[i] = optional.OrEmpty(out[i])
	}
	return out, nil
}

// learnedRefinements returns the refinements that the prompts of personas may have, oldest first.
func (s *Service) learnedRefinements(ctx context.Context, workspaceID string,
	personaIDs ...string) ([]*model.PersonaRefinement, error) {
	rows := []*model.PersonaRefinement{}
	if len(personaIDs) == 0 {
		return rows, nil
	}
	unread := s.documents.SelectIn(s.db, workspaceID).ColumnExpr("f.id").
		Join("JOIN persona_interaction AS i ON i.workspace_id = d.workspace_id AND i.document_id = d.id").
		Join("JOIN persona_feedback AS f ON f.workspace_id = i.workspace_id AND f.interaction_id = i.id").
		Join("JOIN persona AS p ON p.id = i.persona_id").
		Where("i.persona_id IN ? AND NOT (?)", bun.Tuple(personaIDs),
			s.documents.ReadableBy("d", bun.Safe("p.may_read_internal")))
	err := s.db.NewSelect().Model(&rows).
		Where("workspace_id = ? AND persona_id IN ? AND feedback_id NOT IN (?)", workspaceID, bun.Tuple(personaIDs),
			unread).
		Order("created_at", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

// readableHistory returns the earlier interactions about documents that the persona may have read,
// or about the document of the request.
func (s *Service) readableHistory(ctx context.Context, x *replyTask,
	earlier []*model.PersonaInteraction) ([]*model.PersonaInteraction, error) {
	var ids []string
	for _, entry := range earlier {
		ids = append(ids, entry.SourceDocumentIDs...)
		if entry.DocumentID != nil {
			ids = append(ids, *entry.DocumentID)
		}
	}
	readable, err := s.readableIDs(ctx, x.Persona.WorkspaceID, distinctIDs(ids), x.Persona.MayReadInternal)
	if err != nil {
		return nil, err
	}
	isUnread := func(id string) bool { return !readable[id] && id != optional.ValueOr(x.DocumentID, "") }
	return slices.DeleteFunc(earlier, func(entry *model.PersonaInteraction) bool {
		return entry.DocumentID != nil && isUnread(*entry.DocumentID) ||
			slices.ContainsFunc(entry.SourceDocumentIDs, isUnread)
	}), nil
}

// sourceIDs returns the documents that the reply draws on.
func (x *replyTask) sourceIDs() []string {
	ids := []string{}
	if x.Document != nil {
		ids = append(ids, x.Document.ID)
	}
	for _, p := range x.Passages {
		ids = append(ids, p.item.DocumentID)
	}
	for _, statement := range x.Persona.GroundedStatements {
		ids = append(ids, statement.DocumentID)
	}
	if x.Voice != nil {
		ids = append(ids, x.Voice.profile.SampleDocumentIDs...)
	}
	return distinctIDs(ids)
}

// sourceIDs returns the documents that the text draws on.
func (c *contentTask) sourceIDs() []string {
	ids := []string{}
	for _, p := range c.Passages {
		ids = append(ids, p.item.DocumentID)
	}
	if c.Voice != nil {
		ids = append(ids, c.Voice.profile.SampleDocumentIDs...)
	}
	return distinctIDs(ids)
}
