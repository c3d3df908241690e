package stored

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
)

// Header is a header whose value is a list of texts in the response of the executor.
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

// AddHeaders sets the headers whose lists in the executor's data are not empty.
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
