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

// Opinions measures personas' opinions of texts without a text model, in the order of the ids.
// Unknown ids are skipped.
func (s *Service) Opinions(ctx context.Context, workspaceID string, ids, texts []string) ([]*model.PersonaOpinions,
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
	out := make([]*model.PersonaOpinions, len(rows))
	for i, persona := range rows {
		own := slices.DeleteFunc(slices.Clone(learned),
			func(r *model.PersonaRefinement) bool { return r.PersonaID != persona.ID })
		cares := Cares(persona, own)
		out[i] = &model.PersonaOpinions{PersonaID: persona.ID, Name: persona.Name}
		for _, study := range studies {
			out[i].Opinions = append(out[i].Opinions, toModelOpinion(study.Read(cares)))
		}
	}
	return out, nil
}

// toModelOpinion returns the decided passages of a reading in the form shared with other packages.
func toModelOpinion(found offline.Reading) model.Opinion {
	rating, _ := found.Rating()
	out := model.Opinion{Rating: rating, Verdict: map[float64]model.ReactionSentiment{2: model.ReactionSentimentNegative, 3: model.ReactionSentimentNeutral, 4: model.ReactionSentimentPositive}[rating]}
	for _, p := range found.Passages {
		if p.Value != 0 {
			out.Points = append(out.Points, model.OpinionPoint{About: p.About, Value: float64(p.Value), Text: p.Text,
				Start: p.Start, End: p.End})
		}
	}
	return out
}
