package export

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// maxPiece is the number of characters that are laid out at once. Longer text continues on a new
// line.
const maxPiece = 8000

// textLine is a line of shaped text.
type textLine struct {
	text  []rune
	runOf []int // for each character, its index in runs
	runs  []textRun
	parts []shaping.Output // from left to right
	rtl   bool             // whether the paragraph is right-to-left
}

// width returns the line's width in thousandths of an em.
func (t textLine) width() float64 {
	total := fixed.Int26_6(0)
	for _, p := range t.parts {
		total += p.Advance
	}
	return float64(total) / 64
}

// typesetter shapes text and breaks it into lines (UAX #9, UAX #14).
type typesetter struct {
	faces    *typefaces
	segments shaping.Segmenter
	shaper   shaping.HarfbuzzShaper
	wrapper  shaping.LineWrapper
}

// lines returns the lines of the runs in a width of thousandths of an em. All lines of a paragraph
// have the same direction.
func (t *typesetter) lines(runs []textRun, width float64) iter.Seq[textLine] {
	rtl := rightToLeft(runs)
	return func(yield func(textLine) bool) {
		for line := range splitLines(runs) {
			for piece := range splitPieces(line, rtl) {
				for _, laid := range t.wrapPiece(piece, width) {
					if !yield(laid) {
						return
					}
				}
			}
		}
	}
}

// splitPieces splits a line into pieces of at most maxPiece characters, at spaces where possible.
func splitPieces(line []textRun, rtl bool) iter.Seq[textLine] {
	return func(yield func(textLine) bool) {
		piece := textLine{runs: line, rtl: rtl}
		for i, r := range line {
			for _, c := range r.text {
				if n := len(piece.text); n >= maxPiece || n > maxPiece/2 && piece.text[n-1] == ' ' &&
					!unicode.IsMark(c) {
					if !yield(piece) {
						return
					}
					piece.text, piece.runOf = nil, nil
				}
				piece.text, piece.runOf = append(piece.text, c), append(piece.runOf, i)
			}
		}
		yield(piece)
	}
}

// splitLines splits runs at their line breaks.
func splitLines(runs []textRun) iter.Seq[[]textRun] {
	return func(yield func([]textRun) bool) {
		var line []textRun
		for _, r := range runs {
			first := true
			for part := range strings.SplitSeq(r.text, "\n") {
				if !first && !yield(line) {
					return
				}
				if !first {
					line = nil
				}
				first = false
				if part != "" {
					r.text = strings.ReplaceAll(part, "\t", "    ")
					line = append(line, r)
				}
			}
		}
		yield(line)
	}
}

// wrapPiece shapes a piece and breaks it into lines.
func (t *typesetter) wrapPiece(piece textLine, width float64) []textLine {
	if len(piece.text) == 0 {
		return []textLine{piece}
	}
	direction := di.DirectionLTR
	if piece.rtl {
		direction = di.DirectionRTL
	}
	var shaped []shaping.Output
	for _, input := range t.splitInputs(piece, direction) {
		shaped = append(shaped, t.shaper.Shape(input))
	}
	config := shaping.WrapConfig{Direction: direction, BreakPolicy: shaping.WhenNecessary}
	lines, _ := t.wrapper.WrapParagraphF(config, fixed.Int26_6(width*64), piece.text, shaping.NewSliceIterator(shaped))
	out := make([]textLine, len(lines))
	for i, line := range lines {
		out[i] = piece
		out[i].parts = slices.Clone(line)
		slices.SortStableFunc(out[i].parts, func(a, b shaping.Output) int {
			return int(a.VisualIndex) - int(b.VisualIndex)
		})
	}
	return out
}

// splitInputs splits a piece where its direction, script, style or font changes.
func (t *typesetter) splitInputs(piece textLine, direction di.Direction) []shaping.Input {
	eastAsian := preferredFamily(piece.text)
	whole := shaping.Input{Text: piece.text, RunEnd: len(piece.text), Direction: direction, Size: fixed.I(em),
		Language: language.DefaultLanguage()}
	var out []shaping.Input
	for _, input := range slices.Clone(t.segments.Split(whole, singleFace{t.faces.sans(textStyle{}).face})) {
		for begin := input.RunStart; begin < input.RunEnd; {
			part := input
			part.RunStart, part.Face = begin, nil
			at := piece.runOf[begin]
			for begin < input.RunEnd && piece.runOf[begin] == at {
				begin++
			}
			part.RunEnd = begin
			r := piece.runs[at]
			part.Size = fixed.Int26_6(float64(part.Size) * sizeOf(r))
			out = append(out, t.splitByFont(part, textStyle{bold: r.bold, italic: r.italic, code: r.code,
				eastAsian: eastAsian})...)
		}
	}
	return out
}

// splitByFont splits an input where its font changes. Spaces after emoji get the width that they
// have between words.
func (t *typesetter) splitByFont(input shaping.Input, style textStyle) []shaping.Input {
	var out []shaping.Input
	for _, part := range shaping.SplitByFace(input, t.faces.chooser(style)) {
		if !t.faces.byFace[part.Face].pictures {
			out = append(out, part)
			continue
		}
		for begin := part.RunStart; begin < part.RunEnd; {
			segment, space := part, part.Text[begin] == ' '
			if space {
				segment.Face = t.faces.sans(style).face
			}
			segment.RunStart = begin
			for begin < part.RunEnd && (part.Text[begin] == ' ') == space {
				begin++
			}
			segment.RunEnd = begin
			out = append(out, segment)
		}
	}
	return out
}

// preferredFamily returns the East Asian family for the Han characters of a text: Japanese next to
// kana, Korean next to Hangul.
func preferredFamily(text []rune) string {
	family := chineseFamily
	for _, r := range text {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			return japaneseFamily
		}
		if unicode.Is(unicode.Hangul, r) {
			family = koreanFamily
		}
	}
	return family
}

// singleFace is a font map with one face: the segmenter splits by direction and script alone.
type singleFace struct{ face *font.Face }

func (f singleFace) ResolveFace(rune) *font.Face { return f.face }

// clusters returns the clusters of a part of a line, from left to right.
func (t *typesetter) clusters(line textLine, part shaping.Output) []textCluster {
	face := t.faces.byFace[part.Face]
	scale := float64(fixed.I(em)) / float64(part.Size)
	unscaled := func(length fixed.Int26_6) int { return fixed.Int26_6(float64(length) * scale).Round() }
	out, glyphs := make([]textCluster, 0, len(part.Glyphs)), make([]placedGlyph, len(part.Glyphs))
	for begin := 0; begin < len(part.Glyphs); {
		first, end, pen := part.Glyphs[begin], begin, 0
		for ; end < len(part.Glyphs) && part.Glyphs[end].TextIndex() == first.TextIndex(); end++ {
			g := part.Glyphs[end]
			glyphs[end] = placedGlyph{g.GlyphID, pen + unscaled(g.XOffset), unscaled(g.YOffset)}
			pen += unscaled(g.Advance)
		}
		c := textCluster{typeface: face, glyphs: glyphs[begin:end:end],
			text: line.text[first.TextIndex() : first.TextIndex()+first.RunesCount()], advance: pen}
		if part.Direction == di.DirectionRTL && len(c.text) > 1 {
			out = append(out, splitCluster(c)...)
		} else {
			out = append(out, c)
		}
		begin = end
	}
	return out
}

// splitCluster returns a cluster for each character of a right-to-left cluster, of which the first
// is drawn: PDF readers reverse the characters of a line, and some also reverse the characters
// within a cluster.
func splitCluster(c textCluster) []textCluster {
	n := len(c.text)
	out := make([]textCluster, n)
	for i := range out {
		out[i] = textCluster{typeface: c.typeface, text: c.text[n-1-i : n-i], advance: c.advance / n}
	}
	out[0].glyphs = c.glyphs
	out[0].advance += c.advance % n
	return out
}
