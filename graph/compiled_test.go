package graph

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/principal"
)

func TestCompiled(t *testing.T) {
	t.Parallel()
	t.Run("a page of documents with their tags is compiled as a whole", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		query := `{ documents { totalCount pageInfo { hasNextPage } nodes { id tags processingStatus autoTags { name } } } }`
		b.post(t, readKey, query).want(t, 200, `"autoTags":[{"name":"tag of doc_b"}]`)
		if compiled, left := b.server.compiled.CountPlans(); compiled != 1 || left != 0 {
			t.Errorf("%d compiled, %d left to gqlgen", compiled, left)
		}
	})
	t.Run("tags below edges are loaded in one batch", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		calls := 0
		b.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
			calls++
			return slices.Repeat([][]*model.DocumentAutoTag{{}}, len(docs)), nil
		}
		b.post(t, readKey, `{ documents { edges { node { autoTags { name } } } } }`).
			want(t, 200, `[{"node":{"autoTags":[]}},{"node":{"autoTags":[]}}]`)
		if calls != 1 {
			t.Errorf("%d loads", calls)
		}
	})
	t.Run("the setting disables it", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Interpret = true })
		b.post(t, readKey, `{ documents { nodes { id } } }`).want(t, 200)
		if b.server.compiled != nil {
			t.Error("the extension is installed")
		}
	})
	t.Run("events are compiled", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		e := b.open(t, "POST", "", `{"query":`+quoteJSON(watchQuery)+`}`)
		b.events <- jobEvent(1)
		e.want("event: next|data: " + firstEvent)
		if compiled, _ := b.server.compiled.CountPlans(); compiled != 1 {
			t.Errorf("%d compiled", compiled)
		}
	})
}

// The benchmarks measure the selection alone: 50 documents of 19 fields from memory.
func BenchmarkSelection50Compiled(b *testing.B) { benchmarkSelection(b, false) }

func BenchmarkSelection50Gqlgen(b *testing.B) { benchmarkSelection(b, true) }

func benchmarkSelection(b *testing.B, interpret bool) {
	rows := newCanned()
	rows.documents = nil
	for i := range 50 {
		rows.documents = append(rows.documents, sampleDocument(fmt.Sprint("doc_", i)))
	}
	const query = `{ documents(first: 50) { nodes { id workspaceId title content contentType communicationType companyName executiveName author
		language createdAt updatedAt extractedAt extractedDate mediaProvenance processingStatus sourceUrl url wordCount } } }`
	s := New(Config{Resolvers: rows, Policy: policy.Config{Logger: slog.New(slog.DiscardHandler)},
		Interpret: interpret})
	ctx := principal.With(context.Background(), principal.Principal{Scopes: []model.Scope{model.ScopeRead}})
	b.ReportAllocs()
	for b.Loop() {
		op, _ := s.Executor().CreateOperationContext(graphql.StartOperationTrace(ctx), &graphql.RawParams{Query: query})
		responses, ctx := s.Executor().DispatchOperation(graphql.StartOperationTrace(ctx), op)
		if len(responses(ctx).Data) < 1000 {
			b.Fatal("no data")
		}
	}
}
