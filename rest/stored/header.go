package stored

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
)

// Header is a response header. Its values are a list of texts in the executor's data.
type Header struct {
	Name, Description string
	path              string // of the list, for gjson
}

// headerOf returns the name of the header that a field with @header is sent as, or "".
func headerOf(f *ast.Field) string {
	d := f.Directives.ForName("header")
	if d == nil {
		return ""
	}
	name, _ := d.ArgumentMap(nil)["name"].(string)
	return name
}

// headersOf returns the headers of the fields with @header in a selection that is not of a list;
// path leads to the selected object.
func headersOf(set ast.SelectionSet, path string) []Header {
	var out []Header
	for _, f := range collectDirect(set, nil) {
		inner := path + "." + f.Alias
		if name := headerOf(f); name != "" {
			out = append(out, Header{Name: name, Description: f.Definition.Description, path: inner})
		}
		if f.Definition.Type.Elem == nil {
			out = append(out, headersOf(f.SelectionSet, inner)...)
		}
	}
	return out
}

// AddHeaders sets the headers from the executor's data. An empty list sets none.
func (op *Operation) AddHeaders(header http.Header, data []byte) {
	for _, h := range op.Headers {
		var texts []string
		for _, text := range gjson.GetBytes(data, h.path).Array() {
			texts = append(texts, text.String())
		}
		if len(texts) > 0 {
			header.Set(h.Name, strings.Join(texts, ", "))
		}
	}
}
