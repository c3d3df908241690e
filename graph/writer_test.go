package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/model"
)

func fuzzServer(rows *canned, change ...func(*Config)) *Server {
	config := Config{Resolvers: rows, Authenticate: rows.authenticate, Logger: discard}
	for _, c := range change {
		c(&config)
	}
	return New(config)
}

// execute runs an operation in process and gives data and errors as text, errors in a fixed order.
func execute(ctx context.Context, s *Server, params graphql.RawParams, lower bool) string {
	ctx = model.WithPrincipal(graphql.StartOperationTrace(ctx), model.Principal{Scopes: []model.Scope{model.ScopeAdmin}})
	if lower {
		ctx = model.WithLowerEnums(ctx)
	}
	op, failed := s.Executor().CreateOperationContext(ctx, &params)
	if failed != nil {
		return fmt.Sprint(failed, failed[0].Extensions) // two fields of one name
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

// The benchmarks measure the selection alone: 50 documents of 19 fields from memory.
func BenchmarkSelection50Compiled(b *testing.B) { benchmarkSelection(b, false) }

func BenchmarkSelection50Gqlgen(b *testing.B) { benchmarkSelection(b, true) }

func benchmarkSelection(b *testing.B, interpret bool) {
	rows := newCanned()
	rows.documents = nil
	for i := range 50 {
		rows.documents = append(rows.documents, sampleDocument(fmt.Sprint("doc_", i)))
	}
	const query = `{ documents(perPage: 50) { nodes { id workspaceId title content contentType communicationType company executive author
		language createdAt updatedAt extractedAt extractedDate mediaProvenance processingStatus sourceUrl url wordCount } } }`
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
}
