package bulk

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
)

// CommitEach makes every page and every line a part of its own.
func (s *Service) CommitEach() { s.part.bytes = 1 }

// CommitLate makes all lines one part.
func (s *Service) CommitLate() { s.part = partLimits{bytes: MaxInput, time: time.Hour} }

// Plan returns the texts of the pages of a query: of the root, of the count, and of nested lists.
func Plan(schema *ast.Schema, text string) ([]string, error) {
	p, err := planQuery(schema, text)
	if err != nil {
		return nil, err
	}
	texts := []string{p.page, p.count}
	var collect func(of *shape)
	collect = func(of *shape) {
		if of == nil {
			return
		}
		if of.paged != nil {
			texts = append(texts, of.paged.text)
		}
		for _, key := range []string{"nodes", "edges", "node", "comments", "likes", "post"} {
			collect(of.members[key])
		}
	}
	collect(p.node)
	return texts, nil
}

// Line returns the line of a node of a page, and next the further pages of nested lists.
func Line(schema *ast.Schema, text, node string, next func(text, id, after string) json.RawMessage) (string, error) {
	p, err := planQuery(schema, text)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	w := &lineWriter{out: &out, next: func(list *pagedList, id, after string) (gjson.Result, error) {
		return gjson.ParseBytes(next(list.text, id, after)), nil
	}}
	err = w.write(p.node, gjson.Parse(node))
	return out.String(), err
}
