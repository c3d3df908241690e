package export

import (
	"slices"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parseList parses a list. Nodes between items belong to the preceding item.
func (r *htmlParser) parseList(n *html.Node, style textRun) {
	out := block{kind: list, ordered: n.DataAtom == atom.Ol, start: 1}
	if start, err := strconv.Atoi(attributeValue(n, "start")); err == nil {
		out.start = start
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.DataAtom == atom.Li {
			out.items = append(out.items, joinTask(r.parseBlocks(child, style)))
			continue
		}
		stray := &htmlParser{parseState: r.parseState}
		stray.parseNode(child, style)
		stray.endParagraph()
		if last := len(out.items) - 1; last >= 0 {
			out.items[last] = append(out.items[last], stray.blocks...)
		} else if len(stray.blocks) > 0 {
			out.items = append(out.items, stray.blocks)
		}
	}
	if len(out.items) > 0 {
		r.blocks = append(r.blocks, out)
	}
}

// joinTask joins the box of a task and its text, which editors write as a paragraph of its own.
func joinTask(item []block) []block {
	if len(item) < 2 || item[0].kind != paragraph || item[1].kind != paragraph || len(item[0].runs) != 1 ||
		item[0].runs[0].task == noTask {
		return item
	}
	item[1].runs = append([]textRun{item[0].runs[0], {text: " "}}, item[1].runs...)
	return item[1:]
}

// markNotes marks the list at the end of blocks as the document's footnotes, without the rule in
// front of it, which the writers add, and the spaces in front of links back to the marks.
func markNotes(blocks []block) []block {
	last := len(blocks) - 1
	if last < 0 || blocks[last].kind != list || !blocks[last].ordered {
		return blocks
	}
	blocks[last].notes = true
	for _, note := range blocks[last].items {
		if n := len(note) - 1; n >= 0 {
			note[n].runs = trimEnd(note[n].runs, " \n\u00a0")
		}
	}
	if last > 0 && blocks[last-1].kind == rule {
		return slices.Delete(blocks, last-1, last)
	}
	return blocks
}
