package cli

import (
	"context"
	"strings"
)

type searchCommand struct {
	access
	Words []string `arg:"" help:"The search, in the language of docs/search.md, such as: port strike company:Acme after:2026-10."`
	First int      `default:"20" help:"How many documents at most."`
}

const findDocuments = `query FindDocuments($q: String!, $first: Int!) {
  documents(first: $first, filter: { q: $q }) {
    totalCount
    nodes { id title companyName extractedDate createdAt excerpt(q: $q) { text } }
  }
}`

// foundDocuments is the data of findDocuments.
type foundDocuments struct {
	Documents struct {
		TotalCount int
		Nodes      []foundDocument
	}
}

type foundDocument struct {
	ID            string
	Title         string
	CompanyName   string
	ExtractedDate string
	CreatedAt     string
	Excerpt       *struct{ Text string }
}

func (c searchCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	var found foundDocuments
	answer, err := connection.query(ctx, findDocuments, map[string]any{"q": strings.Join(c.Words, " "), "first": c.First}, &found)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	for _, document := range found.Documents.Nodes {
		if err := document.print(streams); err != nil {
			return err
		}
	}
	return printText(streams.Err, "%d of %d documents\n", len(found.Documents.Nodes), found.Documents.TotalCount)
}

// print prints a line with id, day, title and company, and one with the excerpt.
func (d foundDocument) print(streams Streams) error {
	line := d.ID + "\t" + d.day() + "\t" + oneLine(d.Title)
	if d.CompanyName != "" {
		line += "\t" + oneLine(d.CompanyName)
	}
	if d.Excerpt != nil {
		line += "\n    " + oneLine(d.Excerpt.Text)
	}
	return printText(streams.Out, "%s\n", line)
}

// day returns when the text was published, or else when it was added.
func (d foundDocument) day() string {
	at := d.ExtractedDate
	if at == "" {
		at = d.CreatedAt
	}
	day, _, _ := strings.Cut(at, "T")
	return day
}
