package extract

import (
	"encoding/xml"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"rostrum/llm/text/script"
)

// mathNode is an element of a formula in MathML or in Office Math.
type mathNode struct {
	name  string
	text  string // of an element without children
	value string // of its attribute val, in Office Math
	below []*mathNode
}

// newMathNode returns the formula of an element in MathML.
func newMathNode(n *html.Node) *mathNode {
	m := &mathNode{name: n.Data}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.ElementNode:
			m.below = append(m.below, newMathNode(c))
		case html.TextNode:
			m.text += c.Data
		}
	}
	return m
}

// readMath writes a formula in Office Math on the line of the text.
func (w *wordReader) readMath(decoder *xml.Decoder, t xml.StartElement) error {
	formula, err := readMathNode(decoder, t, w.depth)
	if err == nil {
		w.write(formula.line())
	}
	return err
}

func readMathNode(decoder *xml.Decoder, t xml.StartElement, depth int) (*mathNode, error) {
	if depth > docxDepth {
		return nil, errors.New("formulas are nested too deeply")
	}
	m := &mathNode{name: t.Name.Local, value: attribute(t, "val")}
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			below, err := readMathNode(decoder, t, depth+1)
			if err != nil {
				return nil, err
			}
			m.below = append(m.below, below)
		case xml.CharData:
			m.text += string(t)
		case xml.EndElement:
			return m, nil
		}
	}
}

// line returns a formula as people type it, for example (a+b)/2.
func (m *mathNode) line() string {
	part := func(i int) string {
		if i < len(m.below) {
			return m.below[i].line()
		}
		return ""
	}
	switch m.name {
	case "annotation", "annotation-xml", "mphantom", "ctrlPr", "rPr", "sSupPr", "sSubPr", "fPr", "radPr", "naryPr", "dPr",
		"mPr":
		return ""
	case "mfrac":
		return grouped(part(0)) + "/" + grouped(part(1))
	case "f":
		return grouped(m.line1("num")) + "/" + grouped(m.line1("den"))
	case "msup", "mover":
		return grouped(part(0)) + power(part(1))
	case "msub", "munder":
		return part(0) + index(part(1))
	case "msubsup", "munderover":
		return part(0) + index(part(1)) + power(part(2))
	case "sSup", "sSub", "sSubSup":
		return m.line1("e") + index(m.line1("sub")) + power(m.line1("sup"))
	case "nary":
		return m.sign("chr", "∫") + index(m.line1("sub")) + power(m.line1("sup")) + " " + m.line1("e")
	case "msqrt", "mroot":
		return "√" + grouped(part(0))
	case "rad":
		return "√" + grouped(m.line1("e"))
	case "d":
		return m.sign("begChr", "(") + m.line1("e") + m.sign("endChr", ")")
	case "mfenced":
		return "(" + m.joined(",") + ")"
	case "mtable", "eqArr":
		return m.joined("; ")
	case "mtr", "mr":
		return m.joined(", ")
	}
	if len(m.below) > 0 {
		return m.joined("")
	}
	return strings.Trim(m.text, " \t\r\n")
}

// line1 returns the line of the first child with a name.
func (m *mathNode) line1(name string) string {
	for _, b := range m.below {
		if b.name == name {
			return b.line()
		}
	}
	return ""
}

// sign returns a character that the properties of an element of Office Math set.
func (m *mathNode) sign(name, usual string) string {
	for _, b := range m.below {
		for _, property := range b.below {
			if property.name == name && strings.HasSuffix(b.name, "Pr") {
				return property.value
			}
		}
	}
	return usual
}

// joined returns the lines of the children. Names of several letters stay apart from letters.
func (m *mathNode) joined(separator string) string {
	var out strings.Builder
	last := ""
	for _, b := range m.below {
		line := b.line()
		if line == "" {
			continue
		}
		if last != "" {
			out.WriteString(separator)
			if separator == "" && lettersMeet(last, line) {
				out.WriteByte(' ')
			}
		}
		out.WriteString(line)
		last = line
	}
	return out.String()
}

func lettersMeet(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return unicode.IsLetter(last) && unicode.IsLetter(first) && utf8.RuneCountInString(a)+utf8.RuneCountInString(b) > 2
}

// grouped returns a term in parentheses if it has more than one part.
func grouped(term string) string {
	if utf8.RuneCountInString(term) < 2 || !strings.ContainsFunc(term, notNumeric) {
		return term
	}
	return "(" + term + ")"
}

func notNumeric(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' }

func power(term string) string {
	if raised, ok := script.Raise(term); ok {
		return raised
	}
	return "^" + grouped(term)
}

func index(term string) string {
	if term == "" {
		return ""
	}
	return "_" + grouped(term)
}
