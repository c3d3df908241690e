package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	kindMethod = "REST, wrong method"
	kindMedia  = "REST, media type or encoding"
	kindBody   = "REST, malformed body"
)

// restGenerator generates requests from the OpenAPI document.
type restGenerator struct {
	own, foreign []string
	inputs       []input
}

// restInputs returns requests for every route of the document, with each parameter and each member
// of its body varied.
func restInputs(document []byte, own, foreign []string) ([]input, error) {
	parsed, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("parse the OpenAPI document: %w", err)
	}
	g := &restGenerator{own: own, foreign: foreign}
	paths := parsed.Paths.Map()
	for _, path := range parsed.Paths.InMatchingOrder() {
		operations := paths[path].Operations()
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if operation := operations[method]; operation != nil {
				g.addRoute(method, path, operation)
			}
		}
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT",
			"ABUSE"} {
			g.addCase(kindMethod, method, g.fill(path, "", ""), nil, "", operations["GET"] != nil &&
				isStream(operations["GET"]))
		}
	}
	return g.inputs, nil
}

// isStream reports whether a route may respond with an event stream.
func isStream(operation *openapi3.Operation) bool {
	ok := operation.Responses.Value("200")
	return ok != nil && ok.Value.Content.Get("text/event-stream") != nil
}

func (g *restGenerator) addCase(kind, method, path string, body []byte, media string, stream bool) {
	in := input{kind: kind, method: method, path: path, body: body, stream: stream, header: http.Header{}}
	if media != "" {
		in.header.Set("Content-Type", media)
	}
	g.inputs = append(g.inputs, in)
}

// fill returns a path in which the named parameter has the text, and the others an id of the
// attacker's workspace.
func (g *restGenerator) fill(path, name, text string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = g.own[0]
			if part == "{"+name+"}" {
				parts[i] = text
			}
		}
	}
	return strings.Join(parts, "/")
}

func (g *restGenerator) addRoute(method, path string, operation *openapi3.Operation) {
	stream := isStream(operation)
	var body []byte
	var schema *openapi3.Schema
	media := ""
	if operation.RequestBody != nil {
		if content := operation.RequestBody.Value.Content.Get("application/json"); content != nil {
			schema, media = content.Schema.Value, "application/json"
			body = g.sample(schema, 0)
		}
	}
	g.addCase("REST, "+kindValid, method, g.fill(path, "", ""), body, media, stream)
	for _, parameter := range operation.Parameters {
		p := parameter.Value
		for _, v := range g.parameterVariants(p) {
			switch p.In {
			case "path":
				g.addCase("REST, "+v.kind, method, g.fill(path, p.Name, url.PathEscape(string(v.text))), body, media,
					stream)
			case "query":
				g.addCase("REST, "+v.kind, method, g.fill(path, "", "")+"?"+p.Name+"="+url.QueryEscape(string(v.text)),
					body, media, stream)
			}
		}
	}
	if schema == nil {
		return
	}
	for _, v := range g.variants(schema, "", inputDepth) {
		g.addCase("REST, "+v.kind, method, g.fill(path, "", ""), v.text, media, stream)
	}
	g.addMalformed(method, g.fill(path, "", ""), body, stream)
}

// parameterVariants returns texts for a parameter: the values for its schema without the quotes of
// JSON.
func (g *restGenerator) parameterVariants(p *openapi3.Parameter) []value {
	var values []value
	for _, v := range g.variants(p.Schema.Value, p.Name, 0) {
		text := string(v.text)
		if json.Unmarshal(v.text, &text) != nil {
			text = strings.Trim(text, `"`)
		}
		if len(text) < 8000 { // of an address; texts of the graph's arguments are longer
			values = append(values, value{v.kind, json.RawMessage(text)})
		}
	}
	for _, text := range []string{"..", "../../documents", "a/b", "a\x00b", "\xff\xfe", strings.Repeat("a", 5000), "%",
		"%zz"} {
		values = append(values, value{kindType, json.RawMessage(text)})
	}
	if p.In == "path" {
		values = append(values, idValues(g.own, g.foreign)...)
	}
	return values
}

// variants returns values for a schema: wrong types, its limits, ids, and the variants of its
// members.
func (g *restGenerator) variants(s *openapi3.Schema, name string, depth int) []value {
	values := wrongTypes()
	values = append(values, schemaLimits(s)...)
	if strings.HasSuffix(name, "id") || strings.HasSuffix(name, "ids") {
		values = append(values, idValues(g.own, g.foreign)...)
	}
	if isCursor(name) {
		values = append(values, cursorValues(g.own, g.foreign)...)
	}
	switch {
	case s.Type.Includes("array") && s.Items != nil:
		values = append(values, wrapped(g.variants(s.Items.Value, name, depth), inList)...)
		if s.MaxItems != nil && *s.MaxItems < 100_000 {
			element := string(g.sample(s.Items.Value, 0))
			for _, count := range []uint64{*s.MaxItems, *s.MaxItems + 1} {
				list := "[" + strings.TrimSuffix(strings.Repeat(element+",", int(count)), ",") + "]"
				values = append(values, value{kindLimit, json.RawMessage(list)})
			}
		}
	case s.Type.Includes("object") && depth > 0:
		valid := g.sampleMembers(s, 0)
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			of := g.variants(s.Properties[member].Value, member, depth-1)
			values = append(values, wrapped(of, func(text json.RawMessage) json.RawMessage {
				return withMember(valid, member, text)
			})...)
		}
	}
	return values
}

// schemaLimits returns the values at the limits of a schema.
func schemaLimits(s *openapi3.Schema) []value {
	var numbers, lengths []int
	for _, limit := range []*float64{s.Min, s.Max} {
		if limit != nil {
			numbers = append(numbers, int(*limit))
		}
	}
	if s.MinLength > 0 {
		lengths = append(lengths, int(s.MinLength))
	}
	if s.MaxLength != nil {
		lengths = append(lengths, int(*s.MaxLength))
	}
	return append(numberLimits(numbers...), textLimits(lengths...)...)
}

// sample returns a value that a schema accepts.
func (g *restGenerator) sample(s *openapi3.Schema, depth int) json.RawMessage {
	switch {
	case len(s.Enum) > 0:
		return encode(s.Enum[0])
	case s.Type.Includes("object") && depth < 2*inputDepth:
		return encode(g.sampleMembers(s, depth+1))
	case s.Type.Includes("array"):
		return encode([]any{})
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		return encode(1)
	case s.Type.Includes("boolean"):
		return encode(true)
	case s.Format == "uri":
		return encode("https://example.com/")
	case s.Format == "date-time":
		return encode("2099-01-01T00:00:00Z")
	}
	return encode("text")
}

// sampleMembers returns values of an object's required members.
func (g *restGenerator) sampleMembers(s *openapi3.Schema, depth int) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	for _, name := range s.Required {
		members[name] = g.sample(s.Properties[name].Value, depth)
		if strings.HasSuffix(name, "_id") {
			members[name] = encode(g.own[0])
		}
	}
	return members
}

// addMalformed adds bodies that are not JSON or are too deep or wide, wrong media types, and wrong
// encodings of a valid body.
func (g *restGenerator) addMalformed(method, path string, body []byte, stream bool) {
	for _, text := range malformedBodies() {
		g.addCase(kindBody, method, path, []byte(text), "application/json", stream)
	}
	for _, media := range []string{
		"text/plain", "application/xml", "application/json; charset=utf-16", "multipart/form-data",
		"multipart/form-data; boundary=x", "///", "",
		"application/x-www-form-urlencoded", "application/json; charset", "application/json, application/json",
	} {
		g.addCase(kindMedia, method, path, body, media, stream)
	}
	for _, encoding := range []string{"gzip", "br", "zstd", "deflate", "identity, gzip", "unknown"} {
		g.addCase(kindMedia, method, path, body, "application/json", stream)
		g.inputs[len(g.inputs)-1].header.Set("Content-Encoding", encoding)
	}
	for _, accept := range []string{"image/png", "*/*;q=0", "text/event-stream", "application/json;q=2", ",,,;;=",
		strings.Repeat("a/b,", 5000)} {
		g.addCase(kindMedia, method, path, body, "application/json", true)
		g.inputs[len(g.inputs)-1].header.Set("Accept", accept)
	}
	for _, key := range []string{strings.Repeat("k", 256), " ", "\xff", "same"} {
		g.addCase(kindMedia, method, path, body, "application/json", stream)
		g.inputs[len(g.inputs)-1].header.Set("Idempotency-Key", key)
	}
}

func malformedBodies() []string {
	return []string{
		``, ` `, `{`, `{"a"`, `{"a":}`, `[]`, `null`, `"text"`, `1`, "\xff\xfe{}", "\ufeff{}", `{}{}`, `{"a":1,"a":2}`,
		`{"unknown":1}`, "{\"\x00\":1}",
		strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
		"[" + strings.Repeat("1,", 60_000) + "1]", `{"` + strings.Repeat("n", 100_000) + `":1}`,
		`{"a":` + strings.Repeat("9", 100_000) + `}`,
	}
}
