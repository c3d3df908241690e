package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/model"
)

// edgeTarget describes the rows that edges lead to.
type edgeTarget[N any] struct {
	columns Columns
	idOf    func(*N) *string // returns the row's id field
	load    func(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*N, error)
}

// loadEdges returns the target of each row's id, in one statement for all rows. A target is nil if the id is nil, or if the workspace has
// no such row. If only the id is selected, no statement runs.
func loadEdges[P, N any](ctx context.Context, rows []*P, idOf func(*P) *string, to edgeTarget[N]) ([]*N, error) {
	ids := make([]string, 0, len(rows))
	for _, row := range rows {
		if id := idOf(row); id != nil {
			ids = append(ids, *id)
		}
	}
	found, err := to.find(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*N, len(rows))
	for i, row := range rows {
		if id := idOf(row); id != nil {
			out[i] = found[*id]
		}
	}
	return out, nil
}

// loadEdgeLists returns the targets of each row's ids that exist, in the order of the ids, in one statement for all rows.
func loadEdgeLists[P, N any](ctx context.Context, rows []*P, idsOf func(*P) []string, to edgeTarget[N]) ([][]*N, error) {
	var ids []string
	for _, row := range rows {
		ids = append(ids, idsOf(row)...)
	}
	found, err := to.find(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([][]*N, len(rows))
	for i, row := range rows {
		out[i] = []*N{}
		for _, id := range idsOf(row) {
			if target := found[id]; target != nil {
				out[i] = append(out[i], target)
			}
		}
	}
	return out, nil
}

// find returns the rows with the ids, by id, with the selected columns.
func (t edgeTarget[N]) find(ctx context.Context, ids []string) (map[string]*N, error) {
	distinct := slices.Compact(slices.Sorted(slices.Values(ids)))
	found := make(map[string]*N, len(distinct))
	if len(distinct) == 0 {
		return found, nil
	}
	if selectsOnlyID(ctx) {
		for _, id := range distinct {
			row := new(N)
			*t.idOf(row) = id
			found[id] = row
		}
		return found, nil
	}
	rows, err := t.load(ctx, workspaceOf(ctx), distinct, t.columns.Selected(ctx)...)
	for _, row := range rows {
		found[*t.idOf(row)] = row
	}
	return found, err
}

// selectsOnlyID reports whether the current field's selection needs nothing but the stored id.
func selectsOnlyID(ctx context.Context) bool {
	for _, f := range graphql.CollectFields(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field.Selections, nil) {
		if f.Name != "id" && f.Name != "__typename" {
			return false
		}
	}
	return true
}

// workspaceOfAll returns the caller's workspace for each of n rows.
func (r *Resolver) workspaceOfAll(ctx context.Context, n int) ([]*model.Workspace, error) {
	workspace, err := r.Services.Account.Workspace(ctx)
	return slices.Repeat([]*model.Workspace{workspace}, n), err
}

func (r *Resolver) documents() edgeTarget[model.Document] {
	return edgeTarget[model.Document]{documentColumns, func(d *model.Document) *string { return &d.ID }, r.Services.Document.ByIDs}
}

func (r *Resolver) autoTags() edgeTarget[model.AutoTag] {
	return edgeTarget[model.AutoTag]{autoTagColumns, func(t *model.AutoTag) *string { return &t.ID }, r.Services.Tag.ByIDs}
}

func (r *Resolver) personas() edgeTarget[model.Persona] {
	return edgeTarget[model.Persona]{personaColumns, func(p *model.Persona) *string { return &p.ID }, r.Services.Persona.ByIDs}
}

func (r *Resolver) drafts() edgeTarget[model.Draft] {
	return edgeTarget[model.Draft]{draftColumns, func(d *model.Draft) *string { return &d.ID }, r.Services.Content.DraftsByID}
}

func (r *Resolver) jobs() edgeTarget[model.Job] {
	return edgeTarget[model.Job]{jobColumns, func(j *model.Job) *string { return &j.ID }, r.Services.Job.ByIDs}
}

func (r *Resolver) signals() edgeTarget[model.Signal] {
	return edgeTarget[model.Signal]{signalColumns, func(s *model.Signal) *string { return &s.ID }, r.Services.Executive.SignalsByID}
}

func (r *Resolver) links() edgeTarget[model.Link] {
	return edgeTarget[model.Link]{linkColumns, func(l *model.Link) *string { return &l.ID }, r.Services.Link.ByIDs}
}

func (r *Resolver) linkSessions() edgeTarget[model.LinkSession] {
	return edgeTarget[model.LinkSession]{linkSessionColumns, func(s *model.LinkSession) *string { return &s.ID }, r.Services.Link.SessionsByID}
}

func (r *Resolver) linkVariants() edgeTarget[model.LinkVariant] {
	return edgeTarget[model.LinkVariant]{linkVariantColumns, func(v *model.LinkVariant) *string { return &v.ID }, r.Services.Link.VariantsByID}
}

func (r *Resolver) keys() edgeTarget[model.APIKey] {
	return edgeTarget[model.APIKey]{keyColumns, func(k *model.APIKey) *string { return &k.ID }, r.Services.Account.KeysByID}
}

func (r *Resolver) webhooks() edgeTarget[model.Webhook] {
	return edgeTarget[model.Webhook]{webhookColumns, func(w *model.Webhook) *string { return &w.ID }, r.Services.Webhook.ByIDs}
}
