package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph"
	"rostrum/test/kit/harness"
	"rostrum/test/kit/hostile"
)

const (
	ownID     = "doc_own"
	foreignID = "doc_foreign"
)

// TestGraphInputs checks that every root field is called with a valid value, and every root field
// with an id with one of another workspace.
func TestGraphInputs(t *testing.T) {
	t.Parallel()
	inputs, err := graphInputs(graph.SDL(), []string{ownID}, []string{foreignID})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]map[string]int{} // by field
	for _, in := range inputs {
		_, text, _ := bytes.Cut(in.body[:min(len(in.body), 2000)], []byte(" { ")) // the texts of variables are long
		name := string(text[:bytes.IndexAny(text, "( ")])
		if kinds[name] == nil {
			kinds[name] = map[string]int{}
		}
		kinds[name][strings.TrimPrefix(in.kind, "GraphQL, ")]++
	}
	schema, fields := graph.Schema(), 0
	for _, def := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range def.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			fields++
			if of := kinds[field.Name]; of[kindValid] == 0 || of[kindForeign] == 0 &&
				field.Arguments.ForName("id") != nil {
				t.Errorf("%s: %v", field.Name, of)
			}
		}
	}
	if fields < 100 {
		t.Errorf("only %d fields", fields)
	}
}

// TestRestInputs checks that every path parameter that is an id gets one of another workspace.
func TestRestInputs(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../rest/testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := restInputs(document, []string{ownID}, []string{foreignID})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, in := range inputs {
		kinds[in.kind]++
		if in.kind == "REST, "+kindForeign && in.path == "/api/v1/documents/"+foreignID &&
			in.method == http.MethodDelete {
			kinds["delete"]++
		}
	}
	for _, in := range anonymousInputs(inputs) {
		kinds[in.kind]++
		if !in.anonymous || !strings.HasPrefix(in.path, "/api/public/") {
			t.Fatalf("%s is sent without a key", in)
		}
	}
	for _, kind := range []string{kindBody + ", no key", "REST, " + kindValid, "REST, " + kindForeign,
		"REST, " + kindLimit, "REST, " + kindType, "REST, " + kindCursor, kindMethod, kindMedia, kindBody, "delete"} {
		if kinds[kind] == 0 {
			t.Errorf("no input of the kind %q in %v", kind, kinds)
		}
	}
}

// TestTarget_check checks which responses are problems.
func TestTarget_check(t *testing.T) {
	t.Parallel()
	retry := http.Header{"Retry-After": {"1"}}
	for name, c := range map[string]struct {
		in   input
		out  harness.Response
		want int
	}{
		"success":             {out: harness.Response{Status: 200, Body: []byte("{}")}},
		"rejection":           {out: harness.Response{Status: 422}},
		"documented 503":      {out: harness.Response{Status: 503, Header: retry}},
		"503 without a delay": {out: harness.Response{Status: 503}, want: 1},
		"internal error":      {out: harness.Response{Status: 500}, want: 1},
		"internal error over GraphQL": {out: harness.Response{Status: 200,
			Body: []byte(`{"errors":[{"extensions":{"code":"internal"}}]}`)}, want: 1},
		"other workspace": {out: harness.Response{Status: 200, Body: []byte("a MARK b")}, want: 1},
		"no response":     {out: harness.Response{Err: errors.New("closed")}, want: 1},
		"open stream":     {in: input{stream: true}, out: harness.Response{Err: context.DeadlineExceeded}},
	} {
		r := newReport("test")
		(&target{marker: "MARK"}).check(c.in, c.out, r)
		if len(r.Problems()) != c.want {
			t.Errorf("%s: %q, want %d", name, r.Problems(), c.want)
		}
	}
}

// TestCompareOther checks that a change of the other workspace is a problem.
func TestCompareOther(t *testing.T) {
	t.Parallel()
	r := newReport("test")
	compareOther(map[string]string{"links": "a", "documents": "a"}, map[string]string{"links": "a", "documents": "b"},
		r)
	if len(r.Problems()) != 1 || !strings.Contains(r.Problems()[0], "documents") {
		t.Errorf("%q", r.Problems())
	}
}

// TestExports checks that every content is exported in every format.
func TestExports(t *testing.T) {
	t.Parallel()
	inputs := exports(100)
	if want := 5 * (len(hostile.Contents) + 5); len(inputs) != want {
		t.Errorf("%d exports, want %d", len(inputs), want)
	}
	if rows := bytes.Count(inputs[0].body, []byte(`\u003ctr\u003e`)); rows != longTable {
		t.Errorf("the first table has %d rows", rows)
	}
}

// TestReport_addSent checks when requests that were not sent are a problem.
func TestReport_addSent(t *testing.T) {
	t.Parallel()
	r := newReport("test")
	r.addSent("requests", 1, 2, false)
	r.addSent("requests", 2, 2, true)
	if len(r.Problems()) != 0 {
		t.Errorf("%q", r.Problems())
	}
	r.addSent("requests", 1, 2, true)
	if len(r.Problems()) != 1 {
		t.Errorf("%q", r.Problems())
	}
}
