package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/test/kit"
)

var loaded struct {
	sync.Mutex
	text     []byte
	document *openapi3.T
}

// loadDocument returns the OpenAPI document of a text. The texts of all apps are equal, and are
// parsed once.
func loadDocument(t *testing.T, text []byte) *openapi3.T {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.document == nil || !bytes.Equal(loaded.text, text) {
		document, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		loaded.text, loaded.document = text, document
	}
	return loaded.document
}

// send calls a route with a valid body; every id in its path is the given id.
func (a *attack) send(t *testing.T, r route, id, query string, header http.Header) *kit.Response {
	t.Helper()
	path := r.path
	for _, p := range r.operation.Parameters {
		if p.Value.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", id)
		}
	}
	header = header.Clone()
	if r.media != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", r.media)
	}
	return a.Do(t, r.method, path+query, header, r.body)
}

func sampleBody(operation *openapi3.Operation) (body, media string) {
	if operation.RequestBody == nil {
		return "", ""
	}
	content := operation.RequestBody.Value.Content
	if content.Get("multipart/form-data") != nil {
		var text bytes.Buffer
		form := multipart.NewWriter(&text)
		schema := content.Get("multipart/form-data").Schema.Value
		for name, member := range schema.Properties {
			switch {
			case isFile(member.Value):
				part, _ := form.CreateFormFile(name, "a.txt")
				_, _ = io.WriteString(part, "text")
			case slices.Contains(schema.Required, name):
				_ = form.WriteField(name, fmt.Sprint(sampleJSON(member.Value)))
			}
		}
		_ = form.Close()
		return text.String(), form.FormDataContentType()
	}
	text, _ := json.Marshal(sampleJSON(content.Get("application/json").Schema.Value))
	return string(text), "application/json"
}

// isFile reports whether a member of a form is a file or a list of files.
func isFile(s *openapi3.Schema) bool {
	return s.Format == "binary" || s.ContentMediaType != "" || s.Items != nil && isFile(s.Items.Value)
}

// sampleJSON returns a value that the schema accepts: the required members, or the first member if
// none is required.
func sampleJSON(s *openapi3.Schema) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Includes("object"):
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = sampleJSON(s.Properties[name].Value)
		}
		return out
	case s.Type.Includes("array"):
		return []any{}
	case s.Type.Includes("integer"):
		return 1
	case s.Type.Includes("boolean"):
		return true
	case s.Format == "uri":
		return "https://example.com/"
	case s.Format == "date-time":
		return "2099-01-01T00:00:00Z"
	}
	return strings.Repeat("x", max(1, int(s.MinLength)))
}

// text returns an operation with the root field and its required arguments; every id in its
// arguments is the given id.
func (a *attack) text(r root, id string) string {
	var arguments []string
	for _, arg := range r.field.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil {
			arguments = append(arguments, arg.Name+": "+a.literal(arg.Type, id))
		}
	}
	text := string(r.kind) + " { " + r.field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if kind := a.schema.Types[r.field.Type.Name()].Kind; kind != ast.Scalar && kind != ast.Enum {
		text += " { __typename }"
	}
	return text + " }"
}

func (a *attack) literal(typ *ast.Type, id string) string {
	if typ.Elem != nil {
		return "[]"
	}
	def := a.schema.Types[typ.Name()]
	switch {
	case def.Kind == ast.InputObject:
		var members []string
		for _, f := range def.Fields {
			isOnly := def.Directives.ForName("oneOf") != nil && len(members) == 0
			if isOnly || f.Type.NonNull && f.DefaultValue == nil {
				members = append(members, f.Name+": "+a.literal(f.Type, id))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case typ.Name() == "ID":
		return `"` + id + `"`
	case typ.Name() == "URL":
		return `"https://example.com/"`
	case typ.Name() == "EmailAddress":
		return `"x@example.org"`
	case typ.Name() == "Time":
		return `"2099-01-01T00:00:00Z"`
	case typ.Name() == "JSONObject":
		return "{}"
	case typ.Name() == "Int":
		return "1"
	case typ.Name() == "Boolean":
		return "true"
	}
	return `"x"`
}

// takesFile reports whether the field takes a file, which requires a form; the REST routes cover
// those fields.
func (a *attack) takesFile(r root) bool {
	return slices.ContainsFunc(r.field.Arguments, func(arg *ast.ArgumentDefinition) bool {
		isFile := func(f *ast.FieldDefinition) bool { return f.Type.Name() == "Upload" }
		return arg.Type.Name() == "Upload" || slices.ContainsFunc(a.schema.Types[arg.Type.Name()].Fields, isFile)
	})
}

func (a *attack) post(t *testing.T, text string, header http.Header) *kit.Response {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(t, "POST", "/graphql", header, string(body))
}

// accept returns the media type of a root field's response.
func (r root) accept() string {
	if r.kind == ast.Subscription {
		return "text/event-stream"
	}
	return "application/json"
}

// socket opens a WebSocket with a key and waits for connection_ack.
func (a *attack) socket(t *testing.T, key string) (*websocket.Conn, context.Context, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(a.URL, "http")+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	init := map[string]any{"type": "connection_init", "payload": map[string]string{"X-API-Key": key}}
	if err := wsjson.Write(ctx, conn, init); err != nil {
		return nil, nil, err
	}
	var ack map[string]any
	return conn, ctx, wsjson.Read(ctx, conn, &ack)
}

// subscribe runs an operation and returns its first response, which has a minute.
func (a *attack) subscribe(t *testing.T, conn *websocket.Conn, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	id := time.Now().Format(time.RFC3339Nano)
	if err := wsjson.Write(ctx, conn, map[string]any{"id": id, "type": "subscribe",
		"payload": map[string]string{"query": text}}); err != nil {
		t.Fatal(err)
	}
	for {
		_, frame, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			ID, Type string
			Payload  json.RawMessage
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			t.Fatal(err)
		}
		if m.ID == id && m.Type != "complete" {
			return string(m.Payload)
		}
	}
}
