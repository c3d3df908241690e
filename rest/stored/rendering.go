package stored

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
)

// The media types that bodies are also written in.
const (
	MediaCSV      = "text/csv"
	MediaText     = "text/plain"
	MediaMarkdown = "text/markdown"
)

// Rendering is a further media type of an operation's success. It is made of the JSON body, so that
// it has the same rows, rights and limits.
type Rendering struct {
	Media string
	Table *Table // not nil: the rows of a list; nil: one text
	text  string // the member with the text, for gjson
}

// texts are the operations whose body is about one text, with the text's media type and member.
var texts = map[string]Rendering{
	"getDocument": {Media: MediaText, text: "document.content"},
	"getDraft":    {Media: MediaMarkdown, text: "draft.content"},
}

// addRenderings finds the media types that the body is also written in.
func (op *Operation) addRenderings() {
	if text, ok := texts[op.Name]; ok {
		op.Renderings = append(op.Renderings, text)
	}
	if table := newTable(op); table != nil {
		op.Renderings = append(op.Renderings, Rendering{Media: MediaCSV, Table: table})
	}
}

// ContentType returns the value of the header Content-Type.
func (r Rendering) ContentType() string { return r.Media + "; charset=utf-8" }

// Render returns the JSON body in the media type.
func (r Rendering) Render(body []byte) []byte {
	if r.Table != nil {
		return r.Table.render(body)
	}
	return []byte(gjson.GetBytes(body, r.text).String())
}

// Table is how a list is written as CSV: a header line, and a line for each element. It has the same
// columns in each response.
type Table struct {
	list    string   // the member of the body with the list
	columns []string // the members of an element; a dot separates those of an object
}

// newTable returns the table of an operation that reads a list, or nil for another one. The body of a
// list has no id of its own and exactly one list of objects.
func newTable(op *Operation) *Table {
	typ, set := op.BodyType()
	switch {
	case op.Definition.Operation != ast.Query || op.Rule.Method != http.MethodGet:
		return nil
	case typ.Elem != nil && len(set) > 0 && op.Rule.Wrap != "":
		return &Table{op.Rule.Wrap, columnsOf("", set, nil)}
	case typ.Elem != nil || op.Rule.Wrap != "":
		return nil
	}
	var list *Member
	for _, m := range Members(set) {
		switch {
		case m.Key == "id":
			return nil
		case m.Type.Elem == nil || len(m.Set) == 0:
		case list != nil:
			return nil
		default:
			list = m
		}
	}
	if list == nil || list.Keyed != nil {
		return nil
	}
	return &Table{list.Key, columnsOf("", list.Set, nil)}
}

func columnsOf(prefix string, set ast.SelectionSet, columns []string) []string {
	for _, m := range Members(set) {
		if isObject := m.Type.Elem == nil && len(m.Set) > 0 && !m.IsText; isObject {
			columns = columnsOf(prefix+m.Key+".", m.Set, columns)
		} else {
			columns = append(columns, prefix+m.Key)
		}
	}
	return columns
}

// render writes the list as CSV (RFC 4180) with line feeds. Lists and objects of any shape are
// written as JSON, null as an empty cell.
func (t *Table) render(body []byte) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(t.columns) // a buffer takes every write
	gjson.GetBytes(body, t.list).ForEach(func(_, element gjson.Result) bool {
		cells := make([]string, len(t.columns))
		for i, column := range t.columns {
			cells[i] = cell(element.Get(column))
		}
		_ = w.Write(cells)
		return true
	})
	w.Flush()
	return out.Bytes()
}

// formulaStarts are the characters with which spreadsheets begin a formula.
const formulaStarts = "=+-@\t\r"

// cell returns a JSON value as a cell. A text that a spreadsheet would run as a formula has an
// apostrophe before it.
func cell(value gjson.Result) string {
	switch {
	case value.Type == gjson.Null:
		return ""
	case value.Type != gjson.String:
		return value.Raw
	case value.Str != "" && strings.Contains(formulaStarts, value.Str[:1]):
		return "'" + value.Str
	}
	return value.Str
}
