package incremental

import (
	"encoding/json"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// TestEncode_failed encodes two fragments in a list that became null: the error occurred in one, and
// both fail with it.
func TestEncode_failed(t *testing.T) {
	t.Parallel()
	path := func(i int) ast.Path { return ast.Path{ast.PathName("nodes"), ast.PathIndex(i)} }
	more := false
	for format, want := range map[Format]string{
		Spec2022: `{"incremental":[{"data":null,"path":["nodes",0],"label":"a","errors":[{"message":"is null","path":["nodes",0,"title"]}]},` +
			`{"data":null,"path":["nodes",1],"label":"a","errors":[{"message":"is null","path":["nodes",0,"title"]}]},` +
			`{"data":{"count":2},"path":[]}],"hasNext":false}`,
		SpecV02: `{"incremental":[{"id":"2","data":{"count":2}}],"completed":[{"id":"0","errors":[{"message":"is null","path":["nodes",0,"title"]}]},` +
			`{"id":"1","errors":[{"message":"is null","path":["nodes",0,"title"]}]},{"id":"2"}],"hasNext":false}`,
	} {
		count := newObject()
		count.set("count", json.RawMessage("2"))
		p := payload{completed: []*completed{
			{pending: &pending{id: "0", path: path(0), label: "a"}}, {pending: &pending{id: "1", path: path(1), label: "a"}},
			{pending: &pending{id: "2"}, object: count},
		}}
		p.assignErrors(gqlerror.List{{Message: "is null", Path: append(path(0), ast.PathName("title"))}})
		d := &Delivery{format: format, payload: p, data: newObject()}
		got, err := d.Encode(&graphql.Response{HasNext: &more})
		if err != nil || string(got) != want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
		}
	}
}
