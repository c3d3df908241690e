package bulk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/domain/bulk"
	"rostrum/errs"
)

const sdl = `
directive @scope(needs: Scope!) on FIELD_DEFINITION
enum Scope { READ WRITE ADMIN }
interface Node { id: ID! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type Query {
  posts(first: Int, after: String, last: Int, before: String, tag: String): PostConnection
  post(id: ID!): Post
  node(id: ID!): Node
}
scalar Upload
type Mutation {
  createPost(input: PostInput!, file: Upload): Post
  createKey(input: PostInput!): Post @scope(needs: ADMIN)
  startBulkThing(input: PostInput!): Post
}
type Subscription { posted: Post }
input PostInput { title: String! }
type PostConnection { nodes: [Post!]! edges: [PostEdge!]! pageInfo: PageInfo! totalCount: Int! }
type PostEdge { cursor: String! node: Post! }
type Post implements Node {
  id: ID!
  title: String!
  comments(first: Int, after: String, kind: String): CommentConnection
  stats: Stats!
}
type CommentConnection { nodes: [Comment!]! pageInfo: PageInfo! totalCount: Int! }
type Comment implements Node { id: ID! text: String! likes(first: Int, after: String): LikeConnection post: Post }
type LikeConnection { nodes: [Like!]! pageInfo: PageInfo! }
type Like { by: String! }
type Stats { comments(first: Int, after: String): CommentConnection }`

func loadSchema(t *testing.T) *ast.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestPlan shows what the job makes of queries.
func TestPlan(t *testing.T) {
	schema := loadSchema(t)
	for text, want := range map[string][]string{
		`{ posts { nodes { id } } }`: {
			"query Bulk($first: Int!, $after: String) { posts(first: $first, after: $after) { nodes { id } _bulk_page: pageInfo { hasNextPage endCursor } } }",
			"query Bulk{ posts { totalCount } }",
		},
		`query Q { all: posts(tag: "x") { edges { node { ...F } } } } fragment F on Post { title comments(kind: "y") { nodes { text } } }`: {
			`query Bulk($first: Int!, $after: String, $nested: Int!) { all: posts(tag: "x", first: $first, after: $after) { edges { node { title comments(kind: "y", first: $nested) { nodes { text } _bulk_page: pageInfo { hasNextPage endCursor } } _bulk_id: id } } _bulk_page: pageInfo { hasNextPage endCursor } } }`,
			`query Bulk{ all: posts(tag: "x") { totalCount } }`,
			`query Bulk($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on Post { comments(kind: "y", first: $first, after: $after) { nodes { text } _bulk_page: pageInfo { hasNextPage endCursor } } } } }`,
		},
		`{ posts { nodes { comments(first: 3) { nodes { text } } } } }`: {
			"query Bulk($first: Int!, $after: String) { posts(first: $first, after: $after) { nodes { comments(first: 3) { nodes { text } } } _bulk_page: pageInfo { hasNextPage endCursor } } }",
			"query Bulk{ posts { totalCount } }",
		},
	} {
		texts, err := bulk.Plan(schema, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i := range texts {
			texts[i] = strings.Join(strings.Fields(texts[i]), " ")
		}
		if got := strings.Join(texts, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("%s becomes\n%s", text, got)
		}
	}
}

// TestPlan_refused names what a query must not have.
func TestPlan_refused(t *testing.T) {
	schema := loadSchema(t)
	for text, want := range map[string]string{
		`{ posts { nodes { id }`:                                                   "is no operation",
		`{ posts { nodes { nothing } } }`:                                          "nothing",
		`mutation { createPost(input: {title: "x"}) { id } }`:                      "it is a mutation",
		`subscription { posted { id } }`:                                           "it is a subscription",
		`query($t: String) { posts(tag: $t) { nodes { id } } }`:                    "no variables",
		`query A { posts { nodes { id } } } query B { post(id: "x") { id } }`:      "it has 2",
		`{ posts { nodes { id } } post(id: "x") { id } }`:                          "posts, post",
		`{ post(id: "x") { comments { nodes { id } } } }`:                          "post is none",
		`{ posts(first: 5) { nodes { id } } }`:                                     "first to posts",
		`{ posts(after: "x") { nodes { id } } }`:                                   "after to posts",
		`{ posts { totalCount } }`:                                                 "must select nodes",
		`{ posts { nodes { id } totalCount } }`:                                    "nodes, totalCount",
		`{ posts { edges { cursor node { id } } } }`:                               "cursor, node",
		`{ posts { nodes { _bulk_id: id } } }`:                                     "_bulk_id",
		`{ posts { nodes { comments { nodes { id } pageInfo { endCursor } } } } }`: "posts.nodes.comments",
		`{ posts { nodes { stats { comments { nodes { id } } } } } }`:              "Stats is no Node",
	} {
		_, err := bulk.Plan(schema, text)
		if !errs.Is(err, errs.ValidationFailed) || !strings.Contains(errs.From(err).Fields[0].Msg, want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestLine reads nested lists of two levels to their ends.
func TestLine(t *testing.T) {
	const more = `"_bulk_page":{"hasNextPage":true,"endCursor":"%"}`
	const end = `"_bulk_page":{"hasNextPage":false,"endCursor":"z"}`
	at := func(cursor string) string { return strings.ReplaceAll(more, "%", cursor) }
	pages := map[string]string{
		"p1 c1":  `{"nodes":[{"text":"2","likes":{"nodes":[{"by":"d"}],` + at("l2") + `},"_bulk_id":"m2"}],` + end + `,"totalCount":2}`,
		"m1 l1":  `{"nodes":[],` + at("l11") + `}`,
		"m1 l11": `{"nodes":[{"by":"b"},{"by":"c"}],` + end + `}`,
		"m2 l2":  `{"nodes":[{"by":"e"}],` + end + `}`,
	}
	var asked []string
	line, err := bulk.Line(loadSchema(t), `{ posts { nodes { t: title comments { totalCount nodes { text likes { nodes { by } } } } } } }`,
		`{"t":"x","comments":{"totalCount":2,"nodes":[{"text":"1","likes":{"nodes":[{"by":"a"}],`+at("l1")+`},"_bulk_id":"m1"}],`+at("c1")+`},"_bulk_id":"p1"}`,
		func(_, id, after string) json.RawMessage {
			asked = append(asked, id+" "+after)
			return json.RawMessage(pages[id+" "+after])
		})
	const want = `{"t":"x","comments":{"totalCount":2,"nodes":[{"text":"1","likes":{"nodes":[{"by":"a"},{"by":"b"},{"by":"c"}]}},` +
		`{"text":"2","likes":{"nodes":[{"by":"d"},{"by":"e"}]}}]}}` + "\n"
	if err != nil || line != want || len(asked) != len(pages) {
		t.Errorf("the line is %s after %q, error %v", line, asked, err)
	}
}
