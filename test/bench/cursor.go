package main

import (
	"context"
	"errors"
	"fmt"
)

// cursorSize is the number of documents that one request for a cursor passes over.
const cursorSize = 100

// placeTargets sets the cursor after which each target's page of the shape begins.
func (g *gateway) placeTargets(ctx context.Context, list []target, s shape) ([]target, error) {
	if s.single {
		return list, nil
	}
	for i := range list {
		var err error
		if list[i].after, err = g.cursorAfter(ctx, list[i].workspace, (list[i].page-1)*s.documents()); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// cursorAfter returns the cursor after the first n documents of a workspace; nil for none.
func (g *gateway) cursorAfter(ctx context.Context, p *seededWorkspace, n int) (after *string, err error) {
	for ; n > 0 && err == nil; n -= cursorSize {
		after, err = g.nextCursor(ctx, p, min(n, cursorSize), after)
	}
	return after, err
}

// nextCursor returns the cursor of the last of the next documents after a cursor.
func (g *gateway) nextCursor(ctx context.Context, p *seededWorkspace, first int, after *string) (*string, error) {
	const query = `query ($first: Int!, $after: String) { documents(first: $first, after: $after) { pageInfo { endCursor } } }`
	var body struct {
		Data struct {
			Documents struct{ PageInfo struct{ EndCursor *string } }
		}
	}
	err := graphRequest(g.base, p, first, query, map[string]any{"first": first, "after": after}).read(ctx, &body)
	end := body.Data.Documents.PageInfo.EndCursor
	if err == nil && end == nil {
		err = errors.New("the answer has no cursor")
	}
	if err != nil {
		return nil, fmt.Errorf("read a cursor: %w", err)
	}
	return end, nil
}
