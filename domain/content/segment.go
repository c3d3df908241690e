package content

import (
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/errs"
)

// draftSegment is a part of a draft with its byte offsets.
type draftSegment struct {
	*api.RewriteSegmentInput
	start, end int
	text       string // the new text
}

// locateSegments returns the parts with their positions, in the order of the draft. A repeated part
// takes the first free position. It returns a field error for each part that is not in the draft or
// overlaps another.
func locateSegments(draft string, parts []*api.RewriteSegmentInput) ([]*draftSegment, error) {
	var placed []*draftSegment
	var invalid errs.FieldErrors
	for i, part := range parts {
		found, exists := findFree(draft, part.SegmentText, placed)
		switch {
		case found >= 0:
			placed = append(placed, &draftSegment{part, found, found + len(part.SegmentText), part.SegmentText})
		case exists:
			invalid.Body("value_error", "overlaps another segment", "segments", i, "segmentText")
		default:
			invalid.Body("value_error", "is not in the draft", "segments", i, "segmentText")
		}
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(placed, func(a, b *draftSegment) int { return a.start - b.start })
	return placed, nil
}

// findFree returns the first offset of a part that overlaps no placed segment, or -1. exists
// reports whether the draft contains the part at all.
func findFree(draft, part string, placed []*draftSegment) (at int, exists bool) {
	for from := 0; ; {
		found := strings.Index(draft[from:], part)
		if found < 0 {
			return -1, exists
		}
		start := from + found
		end := start + len(part)
		if !slices.ContainsFunc(placed, func(p *draftSegment) bool { return start < p.end && p.start < end }) {
			return start, true
		}
		exists = true
		from = start + 1
	}
}

// joinSegments returns the draft with the new texts of its segments. All other bytes are unchanged.
func joinSegments(draft string, parts []*draftSegment) string {
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
