package content

import (
	"slices"
	"strings"

	"rostrum/errs"
	"rostrum/model"
)

// segment is a part of a draft, by its bytes.
type segment struct {
	*model.RewriteSegmentInput
	start, end int
	text       string // what stands there afterwards
}

// place finds the parts in the draft, in the draft's order. A part that stands there several times is taken where it is free. It fails naming
// every part that the draft does not have, or that overlaps another.
func place(draft string, parts []*model.RewriteSegmentInput) ([]*segment, error) {
	var placed []*segment
	var bad []errs.Field
	for i, part := range parts {
		found, there := free(draft, part.SegmentText, placed)
		switch {
		case found >= 0:
			placed = append(placed, &segment{part, found, found + len(part.SegmentText), part.SegmentText})
		case there:
			bad = append(bad, errs.BodyField("value_error", "overlaps another segment", "segments", i, "segmentText"))
		default:
			bad = append(bad, errs.BodyField("value_error", "does not stand in the draft", "segments", i, "segmentText"))
		}
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	slices.SortFunc(placed, func(a, b *segment) int { return a.start - b.start })
	return placed, nil
}

// free is where a part first stands without touching those that are placed, or -1; there says whether it stands anywhere.
func free(draft, part string, placed []*segment) (at int, there bool) {
	for from := 0; ; {
		found := strings.Index(draft[from:], part)
		if found < 0 {
			return -1, there
		}
		start := from + found
		end := start + len(part)
		if !slices.ContainsFunc(placed, func(p *segment) bool { return start < p.end && p.start < end }) {
			return start, true
		}
		there = true
		from = start + 1
	}
}

// join puts the parts back; everything between them is the draft's own.
func join(draft string, parts []*segment) string {
	var out strings.Builder
	last := 0
	for _, p := range parts {
		out.WriteString(draft[last:p.start])
		out.WriteString(p.text)
		last = p.end
	}
	out.WriteString(draft[last:])
	return out.String()
}
