package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"rostrum/app"
)

// searchClaim is the maximum median of a search's time.
const searchClaim = 20 * time.Millisecond

// fileDocuments is the number of documents of the workspace on SQLite.
const fileDocuments = 100_000

// searches are queries whose time is measured: words of one in a thousand documents, of one in thirty
// and of one in five, by relevance as in the console and the newest first.
var searches = []struct {
	name, words string
	newest      bool
}{
	{name: "a rare word", words: rareWord(7)},
	{name: "a rare word, newest first", words: rareWord(7), newest: true},
	{name: "two words", words: searchedWords},
	{name: "two words, newest first", words: searchedWords, newest: true},
	{name: "one of two frequent words", words: "plant OR freight"},
	{name: "a phrase", words: `"freight costs"`},
	{name: "the start of a word", words: "frei*"},
	{name: "a word of the title", words: "title:" + rareWord(7)},
}

const orderedSearch = "query ($first: Int!, $words: String!, $order: DocumentOrder!) { documents(first: $first, filter: {q: $words}, orderBy: $order) { documents: nodes { " + documentFields + " } } }"

// measureSearch measures searches of a long list on each database.
func measureSearch(ctx context.Context, s settings) (result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Search: %d connections ask for the first %d documents of a workspace.\n\n", s.connections[0], listSize)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "search for\tdatabase\tdocuments\trequests/s\tp50 ms\tp99 ms\tclaim for p50\t")
	err := withGrowthDatabase(ctx, s.database, s.large, func(g *growthDatabase) error {
		return searchIn(ctx, s, t, "Postgres", g)
	})
	if err == nil {
		err = withGateway(ctx, app.Config{QueryTime: growthQueryTime}, func(gate *gateway) (err error) {
			g := &growthDatabase{documents: s.count(fileDocuments), gateway: gate}
			if g.workspace, err = gate.createWorkspace(ctx, "Search"); err != nil {
				return err
			}
			logProgress("posting %d documents", g.documents)
			in := intake{gate.base, g.workspace.key, newGenerator(uint64(g.documents))}
			if err := in.postShort(ctx, g.documents); err != nil {
				return err
			}
			return searchIn(ctx, s, t, "SQLite", g)
		})
	}
	t.Flush()
	return result{text: b.String()}, err
}

// searchIn measures the searches in a database and adds their rows to the table.
func searchIn(ctx context.Context, s settings, table *tabwriter.Writer, database string, g *growthDatabase) error {
	for _, search := range searches {
		logProgress("search for %s on %s", search.name, database)
		order := map[string]any{"field": "RELEVANCE", "direction": "DESC"}
		if search.newest {
			order["field"] = "CREATED_AT"
		}
		ask := graphRequest(g.gateway.base, g.workspace, 0, orderedSearch,
			map[string]any{"first": listSize, "words": search.words, "order": order})
		c := &candidate{name: search.name, requests: []request{ask}}
		if err := c.checkFound(ctx); err != nil {
			return fmt.Errorf("%s on %s: %w", search.name, database, err)
		}
		for range s.rounds() {
			if _, err := c.measure(ctx, s.connections[0], s.slice()); err != nil && !isRefusal(err) {
				return err
			}
		}
		verdict := formatVerdict(quantile(c.times, 0.5) <= searchClaim)
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\tat most %s: %s\t\n", search.name, database, g.documents, c.cells(), searchClaim, verdict)
	}
	return nil
}

// checkFound returns an error unless the search finds documents, and sets the number that each
// response must have.
func (c *candidate) checkFound(ctx context.Context) error {
	var found struct {
		Data struct {
			Documents struct{ Documents []struct{ ID string } }
		}
	}
	if err := c.requests[0].read(ctx, &found); err != nil {
		return err
	}
	if len(found.Data.Documents.Documents) == 0 {
		return fmt.Errorf("%q finds nothing", c.requests[0].body)
	}
	c.requests[0].documents = len(found.Data.Documents.Documents)
	return nil
}
