package model

import (
	"context"
	"errors"
	"sync"
)

// Pagination is a page's number and the totals, as REST returns them.
type Pagination struct {
	Page       int
	PerPage    int
	TotalCount int
	TotalPages int
}

// PageInfo reports whether pages precede or follow a page, and its first and last cursor.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Connection is a page of rows. The number of all rows is counted only if it is selected.
type Connection[T any] struct {
	Nodes   []*T
	Cursor  func(*T) string // returns a node's cursor
	Before  bool            // whether rows precede the page
	Behind  bool            // whether rows follow the page
	Page    int             // 1-based, 1 when the page was asked for by cursor
	PerPage int
	End     *string                            // where the list continues, if not at the last node
	Count   func(context.Context) (int, error) // counts the rows on all pages; called at most once

	once  sync.Once // the graph may ask for the total from two fields at once
	total int
	err   error
}

// PageInfo returns the connection's page info.
func (c *Connection[T]) PageInfo() *PageInfo {
	info := &PageInfo{HasNextPage: c.Behind, HasPreviousPage: c.Before}
	if len(c.Nodes) > 0 {
		info.StartCursor, info.EndCursor = new(c.Cursor(c.Nodes[0])), new(c.Cursor(c.Nodes[len(c.Nodes)-1]))
	}
	return info
}

// NextCursor returns the cursor from which the list continues; nil for an empty list without an
// end of its own.
func (c *Connection[T]) NextCursor() *string {
	if c.End != nil {
		return c.End
	}
	return c.PageInfo().EndCursor
}

var errUncounted = errors.New("counting did not finish")

// TotalCount returns the number of rows on all pages. It counts once and returns the error to every
// caller.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) {
	c.once.Do(func() {
		c.err = errUncounted // remains if Count panics, so that the next caller does not get a total of 0
		c.total, c.err = c.Count(ctx)
	})
	return c.total, c.err
}

// Pagination returns the page's number, its size and the totals. It returns the error of the count.
func (c *Connection[T]) Pagination(ctx context.Context) (*Pagination, error) {
	n, err := c.TotalCount(ctx)
	if err != nil {
		return nil, err
	}
	return &Pagination{Page: c.Page, PerPage: c.PerPage, TotalCount: n, TotalPages: (n + c.PerPage - 1) / c.PerPage},
		nil
}

// NodesOf returns the rows of all pages.
func NodesOf[T any](pages []*Connection[T]) []*T {
	var rows []*T
	for _, page := range pages {
		rows = append(rows, page.Nodes...)
	}
	return rows
}

// Edge is a row and its cursor.
type Edge[T any] struct {
	Cursor string
	Node   *T
}

// Edges returns each row with its cursor.
func (c *Connection[T]) Edges() []*Edge[T] {
	edges := make([]*Edge[T], len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &Edge[T]{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// DocumentConnection is one page of documents.
type DocumentConnection = Connection[Document]

// DocumentEdge is a document and its cursor.
type DocumentEdge = Edge[Document]

// JobConnection is one page of jobs.
type JobConnection = Connection[Job]

// JobEdge is a job and its cursor.
type JobEdge = Edge[Job]

// EventConnection is one page of events.
type EventConnection = Connection[Event]

// EventEdge is an event and its cursor.
type EventEdge = Edge[Event]

// JobEventConnection is one page of a job's events.
type JobEventConnection = Connection[JobEvent]

// JobEventEdge is an event of a job and its cursor.
type JobEventEdge = Edge[JobEvent]

// PageArgs requests a page by number (Page, PerPage), by cursor (First with After, Last with
// Before), or, for lists that support it, by Limit and Offset. All requests the whole list on one
// page.
//
// The others say what the response needs, so that nothing else is read. Counted includes the total,
// which may then be counted together with the page. WithoutRows needs nothing but the total.
// NodesOnly needs neither cursors nor whether another page follows.
type PageArgs struct {
	Page, PerPage *int
	First, Last   *int
	After, Before *string
	Limit, Offset *int
	All           bool
	Counted       bool
	WithoutRows   bool
	NodesOnly     bool
}
