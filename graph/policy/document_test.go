package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestStoreDocuments_internal keeps the analysis of an internal text. Clients cannot name the text,
// and it is not parsed again.
func TestStoreDocuments_internal(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { query: Query field: Int }`})
	const internal, named, other = "query a { query { field } }", "query b { query { field } }",
		"query c { query { field } }"
	p := New(Config{Schema: schema, Limits: Limits{Depth: 1}})
	p.StoreDocuments(map[string]string{"b": named}, []string{internal})
	for text, kept := range map[string]bool{internal: true, named: true, other: false} {
		doc := gqlparser.MustLoadQueryWithRules(schema, text, nil)
		op := &graphql.OperationContext{RawQuery: text, Doc: doc, Operation: doc.Operations[0]}
		if first := p.analyzeOperation(op); (p.analyzeOperation(op) == first) != kept {
			t.Errorf("the analysis of %q is kept: %t", text, !kept)
		}
		if err := (policyExtension{p}).MutateOperationParameters(t.Context(),
			&graphql.RawParams{Query: text}); (err == nil) != kept {
			t.Errorf("%q is parsed to check its limits: %v", text, err)
		}
	}
	if _, ok := p.documents.find(hashText(internal)); ok {
		t.Error("clients can name an internal text")
	}
}

func TestDocumentCache(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { field: Int }`})
	p := New(Config{Schema: schema})
	// run parses and analyzes a text as the executor does.
	run := func(text string) *graphql.OperationContext {
		op := &graphql.OperationContext{RawQuery: text, Doc: gqlparser.MustLoadQueryWithRules(schema, text, nil)}
		op.Operation = op.Doc.Operations[0]
		p.cache.Add(t.Context(), text, op.Doc)
		p.analyzeOperation(op)
		return op
	}
	padded := func(i, size int) string { return fmt.Sprintf("{ field } # %d %s", i, strings.Repeat("x", size)) }

	long := run(padded(0, maxCachedText))
	if _, ok := p.cache.Get(t.Context(), long.RawQuery); ok || p.analyses.Contains(long.Operation) {
		t.Error("a long text is kept")
	}
	first := run(padded(0, 1000))
	if known, ok := p.cache.Get(t.Context(), first.RawQuery); !ok || known != first.Doc ||
		!p.analyses.Contains(first.Operation) {
		t.Error("a text is not kept")
	}
	if again := run(first.RawQuery); p.analyses.Contains(again.Operation) {
		t.Error("the analysis of a document that is not kept is kept")
	}
	const size = 30 << 10
	for i := range 3 * cachedBytes / size {
		run(padded(i, size))
		if p.cache.bytes > cachedBytes || p.analyses.Len() != p.cache.entries.Len() {
			t.Fatalf("%d bytes, %d documents, %d analyses", p.cache.bytes, p.cache.entries.Len(), p.analyses.Len())
		}
	}
	if p.cache.contains(first.RawQuery) || p.cache.bytes < cachedBytes-2*size {
		t.Errorf("%d bytes, the oldest text is kept: %t", p.cache.bytes, p.cache.contains(first.RawQuery))
	}
	for i := range 2 * cachedDocuments {
		run(padded(i, 1))
	}
	if n := p.cache.entries.Len(); n != cachedDocuments || p.analyses.Len() != n {
		t.Errorf("%d documents, %d analyses", n, p.analyses.Len())
	}
	total := 0
	for _, text := range p.cache.entries.Keys() {
		total += len(text)
	}
	if total != p.cache.bytes {
		t.Errorf("%d bytes are counted, %d kept", p.cache.bytes, total)
	}
}
