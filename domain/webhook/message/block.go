package message

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// Limits of Block Kit, in UTF-16 code units of the escaped text: of a header and a field. The limit
// of a section is 3000.
const (
	maxHeader = 150
	maxField  = 2000
	// maxTitle and maxRow keep messages readable; they are far below the limits.
	maxTitle = 300
	maxRow   = 500
)

// chatMessage is the body of a request to an incoming webhook. Clients that show no blocks show
// Text.
type chatMessage struct {
	Text        string      `json:"text"`
	Markdown    bool        `json:"mrkdwn"` // formatting of Text; off, like all other interpretation
	Parse       string      `json:"parse"`
	UnfurlLinks bool        `json:"unfurl_links"`
	UnfurlMedia bool        `json:"unfurl_media"`
	Blocks      []chatBlock `json:"blocks"`
}

// chatBlock is a header or section with its text and fields, or a context with its elements.
type chatBlock struct {
	Type     string       `json:"type"`
	Text     *textObject  `json:"text,omitempty"`
	Fields   []textObject `json:"fields,omitempty"`
	Elements []textObject `json:"elements,omitempty"`
}

// textObject is an unformatted text.
type textObject struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji bool   `json:"emoji"`
}

func plainText(s string) textObject { return textObject{Type: "plain_text", Text: s} }

func newMessage(s chatContent) chatMessage {
	header, title := plainText(escapeAndTruncate(s.headline, maxHeader)),
		plainText(escapeAndTruncate(s.title, maxTitle))
	lines := []string{header.Text + ": " + title.Text}
	fields := make([]textObject, len(s.fields))
	for i, r := range s.fields {
		fields[i] = plainText(r.label + "\n" + escapeAndTruncate(r.value, maxRow))
		lines = append(lines, r.label+": "+escapeAndTruncate(r.value, maxRow))
	}
	blocks := []chatBlock{{Type: "header", Text: &header}, {Type: "section", Text: &title, Fields: fields}}
	if foot := escapeAndTruncate(s.footer, maxField); foot != "" {
		blocks = append(blocks, chatBlock{Type: "context", Elements: []textObject{plainText(foot)}})
	}
	return chatMessage{Text: strings.Join(lines, "\n"), Parse: "none", Blocks: blocks}
}

var escapes = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;"}

// escapeAndTruncate returns the text on one line, escaped for Slack, and truncated with … to limit
// UTF-16 code units.
func escapeAndTruncate(s string, limit int) string {
	var out strings.Builder
	size, fits := 0, 0 // fits is the length of the prefix that leaves space for the …
	for _, r := range oneLine(s) {
		piece, ok := escapes[r]
		if !ok {
			piece = string(r)
		}
		if size += utf16Length(piece); size > limit {
			return out.String()[:fits] + "…"
		}
		out.WriteString(piece)
		if size < limit {
			fits = out.Len()
		}
	}
	return out.String()
}

func utf16Length(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// oneLine replaces every run of white space with a space and removes control characters and those
// that change the direction of text.
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
