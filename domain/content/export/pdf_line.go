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

// longestPiece is how many characters are laid out at once; longer text goes on in a new line.
const longestPiece = 8000

// typeset is a line of shaped text.
type typeset struct {
	text  []rune
	looks []int // by character, an index into runs
	runs  []run
	parts []shaping.Output // from left to right
	rtl   bool             // whether the paragraph runs from right to left
}

// width is the line's in ems' thousandths.
func (t typeset) width() float64 {
	total := fixed.Int26_6(0)
	for _, p := range t.parts {
		total += p.Advance
	}
	return float64(total) / 64
}

// typesetter shapes text and cuts it into lines (UAX #9, UAX #14).
type typesetter struct {
	faces    *typefaces
	segments shaping.Segmenter
	shaper   shaping.HarfbuzzShaper
	wrapper  shaping.LineWrapper
}

// lines lays the runs out in a width of thousandths of an em, a piece at a time. A whole paragraph has one direction.
func (t *typesetter) lines(runs []run, width float64) iter.Seq[typeset] {
	rtl := rightToLeft(runs)
	return func(yield func(typeset) bool) {
		for line := range splitLines(runs) {
			for piece := range pieces(line, rtl) {
				for _, laid := range t.wrap(piece, width) {
					if !yield(laid) {
						return
					}
				}
			}
		}
	}
}

// pieces cuts a line into what is laid out at once.
func pieces(line []run, rtl bool) iter.Seq[typeset] {
	return func(yield func(typeset) bool) {
		now := typeset{runs: line, rtl: rtl}
		for i, r := range line {
			for _, c := range r.text {
				if n := len(now.text); n >= longestPiece || n > longestPiece/2 && now.text[n-1] == ' ' && !unicode.IsMark(c) {
					if !yield(now) {
						return
					}
					now.text, now.looks = nil, nil
				}
				now.text, now.looks = append(now.text, c), append(now.looks, i)
			}
		}
		yield(now)
	}
}

// splitLines cuts runs at their line breaks.
func splitLines(runs []run) iter.Seq[[]run] {
	return func(yield func([]run) bool) {
		var now []run
		for _, r := range runs {
			first := true
			for part := range strings.SplitSeq(r.text, "\n") {
				if !first && !yield(now) {
					return
				}
				if !first {
					now = nil
				}
				first = false
				if part != "" {
					r.text = strings.ReplaceAll(part, "\t", "    ")
					now = append(now, r)
				}
			}
		}
		yield(now)
	}
}

func (t *typesetter) wrap(piece typeset, width float64) []typeset {
	if len(piece.text) == 0 {
		return []typeset{piece}
	}
	direction := di.DirectionLTR
	if piece.rtl {
		direction = di.DirectionRTL
	}
	var shaped []shaping.Output
	for _, input := range t.inputs(piece, direction) {
		shaped = append(shaped, t.shape(input))
	}
	config := shaping.WrapConfig{Direction: direction, BreakPolicy: shaping.WhenNecessary}
	lines, _ := t.wrapper.WrapParagraphF(config, fixed.Int26_6(width*64), piece.text, shaping.NewSliceIterator(shaped))
	out := make([]typeset, len(lines))
	for i, line := range lines {
		out[i] = piece
		out[i].parts = slices.Clone(line)
		slices.SortStableFunc(out[i].parts, func(a, b shaping.Output) int { return int(a.VisualIndex) - int(b.VisualIndex) })
	}
	return out
}

// inputs cuts a piece where its direction, script, look or font changes.
func (t *typesetter) inputs(piece typeset, direction di.Direction) []shaping.Input {
	kana := slices.ContainsFunc(piece.text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
	whole := shaping.Input{Text: piece.text, RunEnd: len(piece.text), Direction: direction, Size: fixed.I(em), Language: language.DefaultLanguage()}
	var out []shaping.Input
	for _, input := range slices.Clone(t.segments.Split(whole, oneFace{t.faces.sans(look{}).face})) {
		for begin := input.RunStart; begin < input.RunEnd; {
			part := input
			part.RunStart, part.Face = begin, nil
			at := piece.looks[begin]
			for begin < input.RunEnd && piece.looks[begin] == at {
				begin++
			}
			part.RunEnd = begin
			r := piece.runs[at]
			out = append(out, t.byFont(part, look{bold: r.bold, italic: r.italic, code: r.code, japanese: kana})...)
		}
	}
	return out
}

// byFont cuts where the font changes. Spaces behind emoji get the width that they have between words.
func (t *typesetter) byFont(input shaping.Input, l look) []shaping.Input {
	var out []shaping.Input
	for _, part := range shaping.SplitByFace(input, t.faces.chooser(l)) {
		if !t.faces.byFace[part.Face].pictures {
			out = append(out, part)
			continue
		}
		for begin := part.RunStart; begin < part.RunEnd; {
			one, space := part, part.Text[begin] == ' '
			if space {
				one.Face = t.faces.sans(l).face
			}
			one.RunStart = begin
			for begin < part.RunEnd && (part.Text[begin] == ' ') == space {
				begin++
			}
			one.RunEnd = begin
			out = append(out, one)
		}
	}
	return out
}

// oneFace makes the segmenter cut by direction and script alone.
type oneFace struct{ face *font.Face }

func (f oneFace) ResolveFace(rune) *font.Face { return f.face }

func (t *typesetter) shape(input shaping.Input) shaping.Output {
	if t.faces.byFace[input.Face].han != nil {
		return t.shapeHan(input)
	}
	return t.shaper.Shape(input)
}

// shapeHan sets one glyph for each character: these scripts need no more.
func (t *typesetter) shapeHan(input shaping.Input) shaping.Output {
	face := t.faces.byFace[input.Face]
	out := shaping.Output{
		Size: input.Size, Face: input.Face, Direction: input.Direction,
		Runes: shaping.Range{Offset: input.RunStart, Count: input.RunEnd - input.RunStart},
	}
	for i := input.RunStart; i < input.RunEnd; i++ {
		index := face.han.Index(input.Text[i])
		advance := fixed.I(face.hanWidth(index))
		out.Glyphs = append(out.Glyphs, shaping.Glyph{
			GlyphID: font.GID(index), Advance: advance, XAdvance: advance, Width: advance, Height: -fixed.I(em),
			ClusterIndex: i, RuneCount: 1, GlyphCount: 1,
		})
	}
	if input.Direction == di.DirectionRTL {
		slices.Reverse(out.Glyphs)
	}
	out.RecomputeAdvance()
	return out
}

// letters cuts a part of a line into clusters, from left to right.
func (t *typesetter) letters(line typeset, part shaping.Output) []letter {
	face := t.faces.byFace[part.Face]
	var out []letter
	for begin := 0; begin < len(part.Glyphs); {
		first := part.Glyphs[begin]
		l := letter{typeface: face}
		pen := 0
		for ; begin < len(part.Glyphs) && part.Glyphs[begin].ClusterIndex == first.ClusterIndex; begin++ {
			g := part.Glyphs[begin]
			l.marks = append(l.marks, mark{g.GlyphID, pen + g.XOffset.Round(), g.YOffset.Round()})
			pen += g.Advance.Round()
		}
		l.advance = pen
		text := line.text[first.ClusterIndex : first.ClusterIndex+first.RuneCount]
		out = append(out, cluster(l, text, part.Direction == di.DirectionRTL)...)
	}
	return out
}

// cluster gives the letter its text. From right to left each character of a cluster gets a letter, of which the first is drawn: readers
// turn the order of a line's characters, and some would turn the characters of one letter as well.
func cluster(l letter, text []rune, rtl bool) []letter {
	if !rtl || len(text) < 2 {
		l.text = text
		return []letter{l}
	}
	out := make([]letter, len(text))
	for i := range text {
		out[i] = letter{typeface: l.typeface, text: text[len(text)-1-i : len(text)-i], advance: l.advance / len(text)}
	}
	out[0].marks = l.marks
	out[0].advance += l.advance % len(text)
	return out
}
