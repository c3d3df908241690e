package persona

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/llm/offline"
	"rostrum/model"
)

// PassagesOf returns the sentences of texts with words of the personas' interests and concerns, in
// the order of the ids. Unknown ids are skipped.
func (s *Service) PassagesOf(ctx context.Context, workspaceID string, ids, texts []string) ([]*model.PersonaPassages,
	error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	slices.SortFunc(rows, func(a, b *model.Persona) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
	learned, err := s.learnedRefinements(ctx, workspaceID, ids...)
	if err != nil {
		return nil, err
	}
	studies := make([]*offline.Study, len(texts))
	for i, read := range texts {
		studies[i] = offline.NewStudy("", read)
	}
	out := make([]*model.PersonaPassages, len(rows))
	for i, persona := range rows {
		own := slices.DeleteFunc(slices.Clone(learned),
			func(r *model.PersonaRefinement) bool { return r.PersonaID != persona.ID })
		cares := Cares(persona, own)
		out[i] = &model.PersonaPassages{PersonaID: persona.ID, Name: persona.Name}
		for _, study := range studies {
			out[i].Passages = append(out[i].Passages, toConcernPassages(study.Read(cares)))
		}
	}
	return out, nil
}

// toConcernPassages returns the passages of a reading in the form shared with other packages.
func toConcernPassages(found offline.Reading) (out []model.ConcernPassage) {
	for _, p := range found.Passages {
		out = append(out, model.ConcernPassage{About: p.About, Text: p.Text, Start: p.Start, End: p.End})
	}
	return out
}
