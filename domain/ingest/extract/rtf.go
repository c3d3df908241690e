package extract

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// rtfDepth is how deep groups of an RTF may be nested.
const rtfDepth = 500

// rtfSkipped are the groups whose text is no part of the document's.
var rtfSkipped = map[string]bool{"fonttbl": true, "colortbl": true, "stylesheet": true, "pict": true, "object": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true,
	"footerf": true, "listtable": true, "listoverridetable": true, "rsidtbl": true, "generator": true, "info": true,
	"fldinst": true, "themedata": true, "datastore": true, "latentstyles": true, "bkmkstart": true, "bkmkend": true,
	"annotation": true, "xmlnstbl": true, "pntext": true, "listtext": true, "revtbl": true, "filetbl": true}

// rtfText are the control words that stand for a text.
var rtfText = map[string]string{"par": "\n\n", "sect": "\n\n", "page": "\n\n", "line": "\n", "tab": "\t", "cell": cellGap,
	"row": "\n\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "emspace": " ", "enspace": " ", "~": "\u00a0", "_": "-"}

// extractRTF reads the text of the Rich Text Format (1.9.1) without its format: paragraphs and cells,
// in the code page that it names. Headers, comments, pictures and hidden text are left out.
func extractRTF(body []byte, filename string) (*Result, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte(`{\rtf`)) {
		return nil, unsupportedContent("the RTF is damaged and could not be opened", nil)
	}
	r := &rtfReader{body: body, page: rtfPage(1252), groups: []rtfGroup{{skip: 1}}}
	if err := r.read(); err != nil {
		return nil, unsupportedContent("the RTF is malformed and could not be read", err)
	}
	r.flush()
	var paragraphs []string
	for paragraph := range strings.SplitSeq(r.text.String(), "\n\n") {
		if paragraph = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(paragraph), "|")); paragraph != "" {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	text := strings.Join(paragraphs, "\n\n")
	return &Result{ContentType: "rtf", Content: text, Title: cmp.Or(textTitle(text), withoutExtension(filename))}, nil
}

// rtfGroup is the state that ends with a group.
type rtfGroup struct {
	hidden bool // its text is left out
	skip   int  // characters that follow \u for readers without Unicode
}

type rtfReader struct {
	body   []byte
	at     int
	text   strings.Builder
	bytes  []byte // of characters in the code page that are not decoded yet
	page   encoding.Encoding
	groups []rtfGroup
	skip   int // characters that are still to be left out
}

func rtfPage(number int) encoding.Encoding {
	name := "windows-" + strconv.Itoa(number)
	switch number {
	case 932:
		name = "shift_jis"
	case 936:
		name = "gbk"
	case 949:
		name = "euc-kr"
	case 950:
		name = "big5"
	case 10000:
		name = "macintosh"
	}
	found, _ := charset.Lookup(name)
	if found == nil {
		found, _ = charset.Lookup("windows-1252")
	}
	return found
}

func (r *rtfReader) group() *rtfGroup { return &r.groups[len(r.groups)-1] }

func (r *rtfReader) read() error {
	for r.at < len(r.body) {
		c := r.body[r.at]
		r.at++
		switch c {
		case '{':
			if len(r.groups) > rtfDepth {
				return errors.New("its groups are nested too deeply")
			}
			r.groups = append(r.groups, *r.group())
		case '}':
			if len(r.groups) == 1 {
				return nil // what follows is no part of it
			}
			r.groups = r.groups[:len(r.groups)-1]
			r.skip = 0
			if len(r.groups) == 1 {
				return nil
			}
		case '\\':
			r.readControl()
		case '\r', '\n':
		default:
			r.writeByte(c)
		}
	}
	return nil // a file that was cut has its text up to there
}

// readControl reads a control word or symbol behind its backslash.
func (r *rtfReader) readControl() {
	if r.at >= len(r.body) {
		return
	}
	start := r.at
	for r.at < len(r.body) && isLetterByte(r.body[r.at]) {
		r.at++
	}
	if r.at == start {
		r.readSymbol(r.body[r.at])
		return
	}
	word := string(r.body[start:min(r.at, start+32)])
	start = r.at
	if r.at < len(r.body) && r.body[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.body) && r.body[r.at] >= '0' && r.body[r.at] <= '9' {
		r.at++
	}
	number, err := strconv.Atoi(string(r.body[start:min(r.at, start+12)]))
	if r.at < len(r.body) && r.body[r.at] == ' ' {
		r.at++
	}
	r.applyWord(word, number, err == nil)
}

func isLetterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (r *rtfReader) readSymbol(symbol byte) {
	r.at++
	switch symbol {
	case '\'':
		code, err := strconv.ParseUint(string(r.body[r.at:min(r.at+2, len(r.body))]), 16, 8)
		r.at = min(r.at+2, len(r.body))
		if err == nil {
			r.writeByte(byte(code))
		}
	case '*':
		r.group().hidden = true
	case '{', '}', '\\':
		r.writeByte(symbol)
	case '\r', '\n':
		r.write("\n\n")
	default:
		r.write(rtfText[string(symbol)])
	}
}

func (r *rtfReader) applyWord(word string, number int, given bool) {
	switch {
	case rtfSkipped[word]:
		r.group().hidden = true
	case word == "v":
		r.group().hidden = !given || number != 0
	case word == "ansicpg":
		r.flush()
		r.page = rtfPage(number)
	case word == "mac":
		r.page = rtfPage(10000)
	case word == "uc":
		r.group().skip = min(max(number, 0), 16)
	case word == "u":
		r.write(string(rune(uint16(number)))) // negative numbers are those above 32767
		r.skip = r.group().skip
	case word == "bin":
		r.at = min(r.at+max(number, 0), len(r.body))
	default:
		r.write(rtfText[word])
	}
}

// writeByte writes a byte of the code page.
func (r *rtfReader) writeByte(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if !r.group().hidden {
		r.bytes = append(r.bytes, c)
	}
}

func (r *rtfReader) write(text string) {
	if text == "" || r.group().hidden {
		return
	}
	r.flush()
	r.text.WriteString(text)
}

// flush decodes the bytes that were read.
func (r *rtfReader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	text, err := r.page.NewDecoder().Bytes(r.bytes)
	if err != nil {
		text = r.bytes
	}
	r.text.Write(text)
	r.bytes = r.bytes[:0]
}
