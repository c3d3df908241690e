package persona

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// Opinions measures what personas make of texts, in the order of the ids, without a text model; ids that name none are left out.
func (s *Service) Opinions(ctx context.Context, workspaceID string, ids, texts []string) ([]*model.PersonaOpinions, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows := []*model.Persona{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	slices.SortFunc(rows, func(a, b *model.Persona) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	learned, err := s.refinements(ctx, workspaceID, ids...)
	if err != nil {
		return nil, err
	}
	out := make([]*model.PersonaOpinions, len(rows))
	for i, persona := range rows {
		own := slices.DeleteFunc(slices.Clone(learned), func(r *model.PersonaRefinement) bool { return r.PersonaID != persona.ID })
		cares := caresOf(persona, own)
		out[i] = &model.PersonaOpinions{PersonaID: persona.ID, Name: persona.Name}
		for _, text := range texts {
			out[i].Opinions = append(out[i].Opinions, opine(cares, text).shown())
		}
	}
	return out, nil
}

// shown is the opinion as other rooms read it.
func (o opinion) shown() model.Opinion {
	out := model.Opinion{Score: o.score, Verdict: o.verdict()}
	for _, p := range slices.Concat(o.dislikes, o.likes) {
		out.Points = append(out.Points, model.OpinionPoint{
			About: p.about, Value: p.value, Text: p.sentence.Text, Start: p.sentence.Start, End: p.sentence.End,
		})
	}
	slices.SortStableFunc(out.Points, func(a, b model.OpinionPoint) int { return cmp.Compare(a.Value, b.Value) })
	return out
}
