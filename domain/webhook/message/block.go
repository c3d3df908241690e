package message

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// The limits of Block Kit, in UTF-16 units of the escaped text: a header's text and a field's. A section's text could be 3000 long.
const (
	maxHeader = 150
	maxField  = 2000
	// maxTitle and maxRow keep messages readable, far below what is allowed.
	maxTitle = 300
	maxRow   = 500
)

// chatMessage is the body for an incoming webhook. Clients that show no blocks show the text.
type chatMessage struct {
	Text        string  `json:"text"`
	Markdown    bool    `json:"mrkdwn"` // of the text; false, as is all that follows
	Parse       string  `json:"parse"`
	UnfurlLinks bool    `json:"unfurl_links"`
	UnfurlMedia bool    `json:"unfurl_media"`
	Blocks      []block `json:"blocks"`
}

// block is a header or section with its text and fields, or a context with its elements.
type block struct {
	Type     string  `json:"type"`
	Text     *words  `json:"text,omitempty"`
	Fields   []words `json:"fields,omitempty"`
	Elements []words `json:"elements,omitempty"`
}

// words are a text object; nothing in it is formatted.
type words struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji bool   `json:"emoji"`
}

func plain(s string) words { return words{Type: "plain_text", Text: s} }

func newMessage(s said) chatMessage {
	header, title := plain(cut(s.what, maxHeader)), plain(cut(s.title, maxTitle))
	lines := []string{header.Text + ": " + title.Text}
	fields := make([]words, len(s.rows))
	for i, r := range s.rows {
		fields[i] = plain(r.label + "\n" + cut(r.value, maxRow))
		lines = append(lines, r.label+": "+cut(r.value, maxRow))
	}
	blocks := []block{{Type: "header", Text: &header}, {Type: "section", Text: &title, Fields: fields}}
	if foot := cut(s.foot, maxField); foot != "" {
		blocks = append(blocks, block{Type: "context", Elements: []words{plain(foot)}})
	}
	return chatMessage{Text: strings.Join(lines, "\n"), Parse: "none", Blocks: blocks}
}

var escapes = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;"}

// cut escapes a text for Slack, on one line, and ends it with … where it would be longer than the limit.
func cut(s string, limit int) string {
	var out strings.Builder
	size, fits := 0, 0 // the part that fits with the …
	for _, r := range oneLine(s) {
		piece, ok := escapes[r]
		if !ok {
			piece = string(r)
		}
		if size += units(piece); size > limit {
			return out.String()[:fits] + "…"
		}
		out.WriteString(piece)
		if size < limit {
			fits = out.Len()
		}
	}
	return out.String()
}

func units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// oneLine puts a space for every run of white space and leaves out what is not seen but moves what is: control characters, and those
// that turn the direction of writing.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
