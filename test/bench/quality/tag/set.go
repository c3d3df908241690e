package main

import (
	_ "embed"
	"fmt"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text"
)

//go:embed dev.txt
var devSet string

//go:embed hold.txt
var holdSet string

//go:embed trap.txt
var trapSet string

//go:embed fresh.txt
var freshSet string

// pair is a document and an auto-tag with the value that it has; empty for none.
type pair struct {
	document offline.Tagging // without auto-tags
	language string
	tag      offline.Tag
	want     string
	examples []offline.Neighbor // values and texts
}

// The fields of a document and of an auto-tag in the set.
const (
	documentFields = 5
	tagFields      = 5
)

// parseSet returns the pairs of a set. It returns an error that names the first malformed line.
func parseSet(set string) ([]*pair, error) {
	var all []*pair
	var document offline.Tagging
	language := ""
	for n, line := range strings.Split(set, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		fields := strings.Split(rest, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		switch {
		case kind == "#" || line == "":
		case kind == "=" && len(fields) == documentFields:
			language, document = fields[0], offline.Tagging{Title: fields[1], Company: fields[2], Executive: fields[3]}
		case kind == "?" && len(fields) == tagFields:
			all = append(all, newPair(document, language, fields))
		case kind == "!" && len(fields) == 2 && len(all) > 0:
			last := all[len(all)-1]
			last.examples = append(last.examples, offline.Neighbor{Value: fields[0], Passage: fields[1]})
		case strings.Contains("=?!", kind):
			return nil, fmt.Errorf("line %d has %d fields", n+1, len(fields))
		default:
			document.Text = strings.TrimPrefix(document.Text+"\n"+line, "\n")
		}
	}
	for _, p := range all {
		p.findNearest()
	}
	return all, nil
}

func newPair(document offline.Tagging, language string, fields []string) *pair {
	p := &pair{document: document, language: language, want: fields[4]}
	p.tag = offline.Tag{Key: "t1", Name: fields[0], Type: fields[1], Description: fields[2],
		Manual: fields[1] == "content_filter"}
	if fields[3] != "" {
		for one := range strings.SplitSeq(fields[3], ";") {
			p.tag.Allowed = append(p.tag.Allowed, strings.TrimSpace(one))
		}
	}
	if p.want == "none" {
		p.want = ""
	}
	return p
}

// findNearest compares the document with the examples of the auto-tag.
func (p *pair) findNearest() {
	if len(p.examples) == 0 {
		return
	}
	var texts []string
	for _, e := range p.examples {
		texts = append(texts, e.Passage)
	}
	if at, similarity := text.NewIndex(texts).Nearest(p.document.Text); at >= 0 {
		p.tag.Nearest = &offline.Neighbor{Value: p.examples[at].Value, Passage: p.document.Text, Similarity: similarity}
	}
}
