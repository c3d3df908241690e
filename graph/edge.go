package graph

import (
	"context"
	"slices"
	"strings"

	"rostrum/model"
	"rostrum/model/optional"
)

// edgeTarget describes the rows that edges lead to.
type edgeTarget[N any] struct {
	columns Columns
	idOf    func(*N) *string // returns the row's id field
	load    func(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*N, error)
}

// loadEdges returns the target of each row's id, for example the persona of each reaction, in one
// statement for all rows; nil for a nil or unknown id. If only the id is selected, no statement
// runs.
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

// loadJoined is loadEdges, but does not read targets again that were read with their rows.
func loadJoined[P, N any](ctx context.Context, rows []*P, joined func(*P) *N, idOf func(*P) *string,
	to edgeTarget[N]) ([]*N, error) {
	out, err := loadEdges(ctx, rows, func(row *P) *string {
		if joined(row) != nil {
			return nil
		}
		return idOf(row)
	}, to)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if target := joined(row); target != nil && *to.idOf(target) != "" {
			out[i] = target
		}
	}
	return out, nil
}

// loadEdgeLists returns the existing targets of each row's ids in order, for example each
// reaction's sources, in one statement for all rows.
func loadEdgeLists[P, N any](ctx context.Context, rows []*P, idsOf func(*P) []string, to edgeTarget[N]) ([][]*N,
	error) {
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

// find returns the rows with the ids, by id, with the selected columns. It sorts the ids in place.
func (t edgeTarget[N]) find(ctx context.Context, ids []string) (map[string]*N, error) {
	slices.Sort(ids)
	distinct := slices.Compact(ids)
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
	return !slices.ContainsFunc(selectedNames(ctx), needsRow)
}

// userID returns the id of an actor that is a user; nil for a key and for the system.
func userID(actor string) *string {
	if prefix, _, _ := strings.Cut(actor, "_"); prefix != model.UserPrefix {
		return nil
	}
	return &actor
}

// workspaceOfAll returns the caller's workspace for each of n rows.
func (r *Resolver) workspaceOfAll(ctx context.Context, n int) ([]*model.Workspace, error) {
	workspace, err := r.currentWorkspace(ctx)
	return slices.Repeat([]*model.Workspace{workspace}, n), err
}

// currentWorkspace returns the caller's workspace. If only its id is selected, no statement runs.
func (r *Resolver) currentWorkspace(ctx context.Context) (*model.Workspace, error) {
	if selectsOnlyID(ctx) {
		return &model.Workspace{ID: workspaceOf(ctx)}, nil
	}
	return r.Services.Account.Workspace(ctx)
}

// pageTarget describes the rows that connections within rows lead to.
type pageTarget[N any] struct {
	columns Columns
	load    func(ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs,
		columns ...string) ([]*model.Connection[N], error)
}

// loadPages returns a page per row: the rows with its key in the column parent, for example the
// reactions of each document. It reads all pages in one statement, and none if no nodes are
// selected.
func loadPages[P, N any](ctx context.Context, rows []*P, keyOf func(*P) string, parent string, args model.PageArgs,
	to pageTarget[N]) ([]*model.Connection[N], error) {
	return to.load(ctx, workspaceOf(ctx), parent, keysOf(rows, keyOf), selectedParts(ctx, args),
		to.columns.Selected(ctx, nodes, edgeNode)...)
}

// loadPersonaPages returns the same pages as loadPages, as the type that the list of personas has.
func loadPersonaPages[P any](
	ctx context.Context, rows []*P, keyOf func(*P) string, parent string, args model.PageArgs,
	to pageTarget[model.Persona],
) ([]*model.PersonaConnection, error) {
	pages, err := loadPages(ctx, rows, keyOf, parent, args, to)
	return wrapPages(pages, func(page *model.Connection[model.Persona]) *model.PersonaConnection {
		return &model.PersonaConnection{Connection: page}
	}), err
}

// loadDraftPages returns the same pages as loadPages, as the type that the list of drafts has.
func loadDraftPages[P any](
	ctx context.Context, rows []*P, keyOf func(*P) string, parent string, args model.PageArgs,
	to pageTarget[model.Draft],
) ([]*model.DraftConnection, error) {
	pages, err := loadPages(ctx, rows, keyOf, parent, args, to)
	return wrapPages(pages, func(page *model.Connection[model.Draft]) *model.DraftConnection {
		return &model.DraftConnection{Connection: page}
	}), err
}

// wrapPages returns the connection that wrap makes of each page.
func wrapPages[N, C any](pages []*model.Connection[N], wrap func(*model.Connection[N]) *C) []*C {
	out := make([]*C, len(pages))
	for i, page := range pages {
		out[i] = wrap(page)
	}
	return out
}

// loadFirst returns the first row of each row's page; nil for a row without one.
func loadFirst[P, N any](ctx context.Context, rows []*P, keyOf func(*P) string, parent string, to pageTarget[N]) ([]*N,
	error) {
	pages, err := to.load(ctx, workspaceOf(ctx), parent, keysOf(rows, keyOf), model.PageArgs{First: new(1)},
		to.columns.Selected(ctx)...)
	out := make([]*N, len(pages))
	for i, page := range pages {
		if len(page.Nodes) > 0 {
			out[i] = page.Nodes[0]
		}
	}
	return out, err
}

func listsOf[P any](rows []*P, listOf func(*P) []string) [][]string {
	lists := make([][]string, len(rows))
	for i, row := range rows {
		lists[i] = listOf(row)
	}
	return lists
}

func keysOf[P any](rows []*P, keyOf func(*P) string) []string {
	keys := make([]string, len(rows))
	for i, row := range rows {
		keys[i] = keyOf(row)
	}
	return keys
}

// cursorArgs returns the arguments of a page that is read by cursor.
func cursorArgs(first *int, after *string, last *int, before *string) model.PageArgs {
	return model.PageArgs{First: first, After: after, Last: last, Before: before}
}

// selectedParts returns the arguments with the selected parts of the page, so that nothing else is
// read.
func selectedParts(ctx context.Context, args model.PageArgs) model.PageArgs {
	args.Counted = selectsField(ctx, countFields...)
	args.NodesOnly = !selectsField(ctx, "edges", "pageInfo", "nextCursor")
	args.WithoutRows = args.NodesOnly && !selectsField(ctx, "nodes")
	return args
}

// countedArgs returns the arguments of a page that is read by cursor, with the page's selected
// parts.
func countedArgs(ctx context.Context, first *int, after *string, last *int, before *string) model.PageArgs {
	return selectedParts(ctx, cursorArgs(first, after, last, before))
}

// wholeArgs returns the arguments of a page that is read by cursor, or of the whole list if all is
// set.
func wholeArgs(all *bool, first *int, after *string, last *int, before *string) model.PageArgs {
	args := cursorArgs(first, after, last, before)
	args.All = optional.ValueOr(all, false)
	return args
}
