package cli

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

type searchCommand struct {
	access
	Words []string `arg:"" help:"The search, in the language of docs/search.md, such as: port strike company:Acme after:2026-10. Before a word with - write --."`
	First int      `default:"20" help:"How many documents at most, from 1 to 100."`
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

// mostFound is the longest page of documents.
const mostFound = 100

func (c searchCommand) Run(ctx context.Context, streams Streams) error {
	if c.First < 1 || c.First > mostFound {
		return misuse("--first takes a number from 1 to %d", mostFound)
	}
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	q := strings.Join(c.Words, " ")
	var found foundDocuments
	answer, err := connection.query(ctx, findDocuments, map[string]any{"q": q, "first": c.First}, &found)
	if isUntrusted(err) {
		answer, err = connection.listDocuments(ctx, q, c.First, &found)
	}
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

// listDocuments finds documents over REST, without excerpts, for a gateway that runs stored
// operations only.
func (c *Connection) listDocuments(ctx context.Context, q string, first int, found *foundDocuments) ([]byte, error) {
	query := url.Values{"q": {q}, "per_page": {strconv.Itoa(first)}, "light": {"true"}}
	var page struct {
		Documents []struct {
			ID, Title, Company string
			ExtractedDate      string `json:"extracted_date"`
			CreatedAt          string `json:"created_at"`
		}
		Pagination struct {
			TotalCount int `json:"total_count"`
		}
	}
	answer, err := c.get(ctx, "/api/v1/documents?"+query.Encode(), &page)
	for _, d := range page.Documents {
		found.Documents.Nodes = append(found.Documents.Nodes, foundDocument{ID: d.ID, Title: d.Title, CompanyName: d.Company,
			ExtractedDate: d.ExtractedDate, CreatedAt: d.CreatedAt})
	}
	found.Documents.TotalCount = page.Pagination.TotalCount
	return answer, err
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
