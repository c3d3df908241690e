package model

// LinkConnection is one page of links.
type LinkConnection struct{ *Connection[Link] }

// LinkEdge is a link and its cursor.
type LinkEdge struct {
	Cursor string
	Node   *Link
}

// Edges returns each link with its cursor.
func (c *LinkConnection) Edges() []*LinkEdge {
	edges := make([]*LinkEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &LinkEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// LinkSessionConnection is one page of viewer sessions.
type LinkSessionConnection struct{ *Connection[LinkSession] }

// LinkSessionEdge is a session and its cursor.
type LinkSessionEdge struct {
	Cursor string
	Node   *LinkSession
}

// Edges returns each session with its cursor.
func (c *LinkSessionConnection) Edges() []*LinkSessionEdge {
	edges := make([]*LinkSessionEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &LinkSessionEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// LinkConversionConnection is one page of conversions.
type LinkConversionConnection struct{ *Connection[LinkConversion] }

// LinkConversionEdge is a conversion and its cursor.
type LinkConversionEdge struct {
	Cursor string
	Node   *LinkConversion
}

// Edges returns each conversion with its cursor.
func (c *LinkConversionConnection) Edges() []*LinkConversionEdge {
	edges := make([]*LinkConversionEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &LinkConversionEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// LinkSubmissionConnection is one page of submissions.
type LinkSubmissionConnection struct{ *Connection[LinkSubmission] }

// LinkSubmissionEdge is a submission and its cursor.
type LinkSubmissionEdge struct {
	Cursor string
	Node   *LinkSubmission
}

// Edges returns each submission with its cursor.
func (c *LinkSubmissionConnection) Edges() []*LinkSubmissionEdge {
	edges := make([]*LinkSubmissionEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &LinkSubmissionEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}
