package model

import (
	"context"
	"errors"
	"sync"
)

// Pagination is a page's place among all pages, as REST shows it.
type Pagination struct {
	Page       int
	PerPage    int
	TotalCount int
	TotalPages int
}

// PageInfo is a page's place among all pages, as connections show it.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Connection is one page of rows; what is not selected is not computed, the count of all rows above all.
type Connection[T any] struct {
	Nodes   []*T
	Cursor  func(*T) string // of a node
	Before  bool            // whether anything lies before the page
	Behind  bool            // whether anything lies behind it
	Page    int             // 1-based, 1 when the page was asked for by cursor
	PerPage int
	Count   func(context.Context) (int, error) // of all rows that match; called at most once per answer

	once  sync.Once // the graph may ask for the total from two fields at once
	total int
	err   error
}

// PageInfo tells what lies before and behind the page.
func (c *Connection[T]) PageInfo() *PageInfo {
	info := &PageInfo{HasNextPage: c.Behind, HasPreviousPage: c.Before}
	if len(c.Nodes) > 0 {
		info.StartCursor, info.EndCursor = new(c.Cursor(c.Nodes[0])), new(c.Cursor(c.Nodes[len(c.Nodes)-1]))
	}
	return info
}

var errUncounted = errors.New("counting did not finish")

// TotalCount is the number of rows on all pages.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) {
	c.once.Do(func() {
		c.err = errUncounted // stays when Count panics, or the next caller would take zero for the total
		c.total, c.err = c.Count(ctx)
	})
	return c.total, c.err
}

// Pagination is the page's number, size, and the totals.
func (c *Connection[T]) Pagination(ctx context.Context) (*Pagination, error) {
	n, err := c.TotalCount(ctx)
	if err != nil {
		return nil, err
	}
	return &Pagination{Page: c.Page, PerPage: c.PerPage, TotalCount: n, TotalPages: (n + c.PerPage - 1) / c.PerPage}, nil
}

// DocumentConnection is one page of documents.
type DocumentConnection struct{ *Connection[Document] }

// DocumentEdge is a document and its place in the list.
type DocumentEdge struct {
	Cursor string
	Node   *Document
}

// Edges pairs each document with its cursor.
func (c *DocumentConnection) Edges() []*DocumentEdge {
	edges := make([]*DocumentEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &DocumentEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// JobConnection is one page of jobs.
type JobConnection struct{ *Connection[Job] }

// JobEdge is a job and its place in the list.
type JobEdge struct {
	Cursor string
	Node   *Job
}

// Edges pairs each job with its cursor.
func (c *JobConnection) Edges() []*JobEdge {
	edges := make([]*JobEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &JobEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// PageArgs asks for a page by number (Page, PerPage), by cursor (First with After, Last with Before), or, where a list has that, by what
// stands before it (Limit, Offset). Counted says that the answer tells how many rows there are, so that they may be counted with the page.
type PageArgs struct {
	Page, PerPage *int
	First, Last   *int
	After, Before *string
	Limit, Offset *int
	Counted       bool
}
