package graph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/model"
)

// FuzzCompiled writes random selections over random rows both ways: the answers are the same to the byte.
func FuzzCompiled(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, "\x00\x1f\"\\/<>&\t\r\n\u2028\u2029\xff\xc3 \U0001F600")
	}
	rows := newCanned()
	wide := Limits{Complexity: 1_000_000, Repeats: 1000, Tokens: 1_000_000, Depth: 50, Query: time.Minute}
	bare := func(c *Config) { c.Resolvers, c.Limits = rows, wide }
	walked := fuzzServer(rows, bare, func(c *Config) { c.Interpret = true })
	written := fuzzServer(rows, bare)
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), schema: walked.Schema(), text: text}
		g.fill(rows)
		params := graphql.RawParams{Query: g.query(), Variables: map[string]any{"yes": true, "no": false, "maybe": g.some(2)}}
		lower := g.some(3)
		want, got := execute(t, walked, params, lower), execute(t, written, params, lower)
		if want != got {
			t.Errorf("%s\nvariables %v\ngqlgen   %s\ncompiled %s", params.Query, params.Variables, want, got)
		}
	})
}

func fuzzServer(rows *canned, change ...func(*Config)) *Server {
	config := Config{Resolvers: rows, Authenticate: rows.authenticate, Logger: discard}
	for _, c := range change {
		c(&config)
	}
	return New(config)
}

// execute runs an operation in process and gives data and errors as text, errors in a fixed order.
func execute(t *testing.T, s *Server, params graphql.RawParams, lower bool) string {
	t.Helper()
	ctx := model.WithPrincipal(graphql.StartOperationTrace(t.Context()), model.Principal{Scopes: []model.Scope{model.ScopeAdmin}})
	if lower {
		ctx = model.WithLowerEnums(ctx)
	}
	op, failed := s.Executor().CreateOperationContext(ctx, &params)
	if failed != nil {
		return failed.Error() // two fields of one name
	}
	responses, ctx := s.Executor().DispatchOperation(ctx, op)
	resp := responses(ctx)
	var problems []string
	for _, e := range resp.Errors {
		problems = append(problems, fmt.Sprint(e.Path, e.Message, e.Extensions)) // gqlgen gives a panic no location at its first try
	}
	slices.Sort(problems)
	return string(resp.Data) + strings.Join(problems, "\n")
}

// generator makes rows and selections.
type generator struct {
	*rand.Rand
	schema *ast.Schema
	text   string
	depth  int
}

// some is true once in n times.
func (g *generator) some(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func maybe[T any](g *generator, value T) *T {
	if g.some(3) {
		return nil
	}
	return &value
}

func (g *generator) fill(c *canned) {
	c.documents = make([]*model.Document, g.IntN(4))
	for i := range c.documents {
		c.documents[i] = g.document(fmt.Sprint("doc_", string(rune('a'+i))))
		if g.some(40) {
			c.documents[i] = nil
		}
	}
	failing := g.some(15)
	c.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
		out := make([][]*model.DocumentAutoTag, len(docs))
		for i, d := range docs {
			out[i] = g.tagsOf(d)
		}
		if failing {
			return out, errors.New("no tags")
		}
		return out, nil
	}
	c.total = func(context.Context) (int, error) { return 5, nil }
	if g.some(15) {
		c.total = func(context.Context) (int, error) { return 0, errors.New("no total") }
	}
	if g.some(30) {
		c.total = func(context.Context) (int, error) { panic("no total") }
	}
}

func (g *generator) document(id string) *model.Document {
	at := time.Date(2026, 1, 1, 0, 0, 0, g.IntN(2)*123456000, time.FixedZone("", 3600))
	d := &model.Document{
		ID: id, WorkspaceID: "wsp_1", Title: g.text, Content: maybe(g, g.text+"\n"), Company: maybe(g, g.text),
		WordCount: maybe(g, g.IntN(1000)-500), IsNarrativeTestingUpload: maybe(g, g.some(2)), Tags: []string{g.text, ""},
		CreatedAt: at, ExtractedAt: maybe(g, at), ProcessingStatus: maybe(g, model.ProcessingStatusFetching),
		MediaProvenance: maybe(g, model.MediaProvenanceEarned),
		ProcessingError: maybe(g, model.ProcessingError{Code: model.ProcessingErrorCodeDnsFailed, Message: g.text, Retryable: true}),
	}
	if g.some(3) {
		d.Tags, d.CreatedAt = nil, time.Time{}
	}
	return d
}

// tagsOf depends on the document alone, because both ways ask for them.
func (g *generator) tagsOf(d *model.Document) []*model.DocumentAutoTag {
	if d == nil || len(d.Tags) == 0 {
		return nil
	}
	scores := []float64{0, 0.5, 1e-7, 1e21, 123456789, -2, math.MaxFloat64, math.SmallestNonzeroFloat64}
	out := []*model.DocumentAutoTag{{Name: g.text, ExtractedValue: d.ID}}
	for i := range scores {
		out = append(out, &model.DocumentAutoTag{Name: "score", ConfidenceScore: &scores[i], AppliedAt: d.ExtractedAt})
	}
	if d.WordCount != nil && *d.WordCount%7 == 0 {
		bad := math.NaN()
		out[0].ConfidenceScore = &bad
	}
	if d.WordCount != nil && *d.WordCount%8 == 0 {
		out = append(out, nil)
	}
	return out
}

func (g *generator) query() string {
	root := pick(g, "documents(perPage: 3)", `document(id: "doc_a")`, "workspace", "keys", "documents")
	field := g.schema.Query.Fields.ForName(strings.Split(root, "(")[0])
	text := "query($yes: Boolean!, $no: Boolean!, $maybe: Boolean!) { " + root + " " + g.selection(g.schema.Types[field.Type.Name()])
	if g.some(3) {
		text += " second: " + root + " " + g.selection(g.schema.Types[field.Type.Name()])
	}
	return text + " t: __typename @skip(if: $no) @include(if: $maybe) ...Q } fragment Q on Query { q: __typename @include(if: $yes) }"
}

// selection picks fields of a type, some of them under other names, under conditions, or inside fragments.
func (g *generator) selection(def *ast.Definition) string {
	g.depth++
	defer func() { g.depth-- }()
	parts := []string{"__typename"}
	for _, f := range def.Fields {
		composite := g.schema.Types[f.Type.Name()].IsCompositeType()
		if g.some(2) || composite && g.depth > 4 || strings.HasPrefix(f.Name, "__") {
			continue
		}
		part := f.Name
		if g.some(4) {
			part = fmt.Sprintf("a%d: %s", g.IntN(1000), f.Name)
		}
		part += pick(g, "", "", "", " @skip(if: $maybe)", " @include(if: $maybe)", " @skip(if: $yes)", " @include(if: true)")
		if composite {
			part += " " + g.selection(g.schema.Types[f.Type.Name()])
		}
		parts = append(parts, g.wrapped(def, part))
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return "{ " + strings.Join(parts, " ") + " }"
}

func (g *generator) wrapped(def *ast.Definition, part string) string {
	switch g.IntN(8) {
	case 0:
		return "... { " + part + " }"
	case 1:
		return "... on " + def.Name + " @include(if: $maybe) { " + part + " }"
	case 2:
		return part + " " + part
	}
	return part
}

func TestCompiled(t *testing.T) {
	t.Parallel()
	count := func(s *Server) (compiled, left int) {
		for _, op := range s.measures.cache.Values() {
			for _, p := range op.plans.known {
				if p.write != nil {
					compiled++
				} else {
					left++
				}
			}
		}
		return compiled, left
	}
	t.Run("a page of documents with their tags is one piece", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		query := `{ documents { totalCount pagination { page } pageInfo { hasNextPage } nodes { id tags processingStatus autoTags { name } } } }`
		b.post(t, readKey, query).want(t, 200, `"autoTags":[{"name":"tag of doc_b"}]`)
		if compiled, left := count(b.server); compiled != 1 || left != 0 {
			t.Errorf("%d compiled, %d left to gqlgen", compiled, left)
		}
	})
	t.Run("tags are loaded at once behind edges too", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		calls := 0
		b.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
			calls++
			return make([][]*model.DocumentAutoTag, len(docs)), nil
		}
		b.post(t, readKey, `{ documents { edges { node { autoTags { name } } } } }`).want(t, 200, `[{"node":{"autoTags":[]}},{"node":{"autoTags":[]}}]`)
		if calls != 1 {
			t.Errorf("%d loads", calls)
		}
	})
	t.Run("the switch turns it off", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c *Config) { c.Interpret = true })
		b.post(t, readKey, `{ documents { nodes { id } } }`).want(t, 200)
		if compiled, left := count(b.server); compiled+left != 0 {
			t.Error("plans were made")
		}
	})
	t.Run("events are written too", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		e := b.open(t, "POST", "", `{"query":`+quote(watch)+`}`)
		b.events <- jobEvent(1)
		e.want("event: next|data: " + firstEvent)
		if compiled, _ := count(b.server); compiled != 1 {
			t.Errorf("%d compiled", compiled)
		}
	})
}

func BenchmarkPage(b *testing.B) {
	rows := newCanned()
	rows.documents = nil
	for i := range 50 {
		rows.documents = append(rows.documents, sampleDocument(fmt.Sprint("doc_", i)))
	}
	const fields = `id workspaceId title content contentType communicationType company executive author language createdAt updatedAt extractedAt
		extractedDate mediaProvenance processingStatus sourceUrl url wordCount`
	for name, query := range map[string]string{
		"fields": `{ documents(perPage: 50) { nodes { ` + fields + ` } } }`,
		"tags":   `{ documents(perPage: 50) { nodes { ` + fields + ` autoTags { name extractedValue } } } }`,
	} {
		for way, interpret := range map[string]bool{"gqlgen": true, "compiled": false} {
			b.Run(name+"/"+way, func(b *testing.B) {
				s := fuzzServer(rows, func(c *Config) { c.Interpret = interpret })
				ctx := model.WithPrincipal(context.Background(), model.Principal{Scopes: []model.Scope{model.ScopeRead}})
				b.ReportAllocs()
				for b.Loop() {
					op, _ := s.Executor().CreateOperationContext(graphql.StartOperationTrace(ctx), &graphql.RawParams{Query: query})
					responses, ctx := s.Executor().DispatchOperation(graphql.StartOperationTrace(ctx), op)
					if len(responses(ctx).Data) < 1000 {
						b.Fatal("no data")
					}
				}
			})
		}
	}
}
