package export

import (
	"context"
	"fmt"

	"rostrum/errs"
)

// maxCells is the maximum number of cells of all tables. The missing cells of rows that are shorter
// than others count too, as most formats write them.
const maxCells = 200_000

// parseState is shared by the parsers of all elements of a document. Its error ends them.
type parseState struct {
	ctx   context.Context //nolint:containedctx // the state lives for one call
	field string
	nodes int
	cells int
	// pictures has the images by their addresses, ordered has them in the order of the document.
	pictures map[string]*picture
	ordered  []*picture
	err      error
}

// addNode counts a node and reports whether parsing goes on.
func (s *parseState) addNode() bool {
	if s.nodes++; s.err == nil && s.nodes%checkEvery == 0 && s.ctx.Err() != nil {
		s.err = context.Cause(s.ctx)
	}
	return s.err == nil
}

// addCells counts cells and reports whether parsing goes on.
func (s *parseState) addCells(count int) bool {
	if s.cells += count; s.err == nil && s.cells > maxCells {
		s.err = errs.Invalid(errs.BodyField("value_error",
			fmt.Sprintf("has tables with more than %d cells; a colspan counts as that many", maxCells), s.field))
	}
	return s.err == nil
}

// blockLines returns the lines of a block as runs.
func blockLines(b block) [][]textRun {
	var out [][]textRun
	nested := append([][]block{b.blocks}, b.items...)
	for _, blocks := range nested {
		for _, inner := range blocks {
			out = append(out, blockLines(inner)...)
		}
	}
	for _, r := range b.rows {
		out = append(out, r.cells...)
	}
	if b.kind == code {
		out = append(out, []textRun{{text: b.text, code: true}})
	}
	if len(b.runs) > 0 {
		out = append(out, b.runs)
	}
	return out
}
