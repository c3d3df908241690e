package main

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// operationTexts returns GraphQL operations that are deep, wide, malformed or expensive, by kind.
func operationTexts() map[string][]string {
	many := func(count int, part func(i int) string) string {
		var out strings.Builder
		for i := range count {
			out.WriteString(part(i))
		}
		return out.String()
	}
	nested := func(depth int, open string) string { return strings.Repeat(open, depth) + strings.Repeat("}", depth) }
	var depth, width, aliases []string
	for _, n := range []int{10, 100, 1000, 20_000} {
		depth = append(depth, "{"+nested(n, "a{")+"}", "{ __schema {"+nested(n, "types { fields { type { ofType {")+
			"}}", `{ documents(first: `+strings.Repeat("[", n)+`) { total } }`,
			`query($a: `+strings.Repeat("[", n)+`Int`+strings.Repeat("]", n)+`) { limits { complexity } }`)
		width = append(width, "{"+strings.Repeat(" limits { complexity }", n)+"}",
			"{"+many(n, func(i int) string { return fmt.Sprintf(" unknown%d", i) })+"}",
			"query("+many(n, func(i int) string { return fmt.Sprintf("$a%d: Int ", i) })+") { limits { complexity } }",
			"{ limits "+strings.Repeat("@skip(if: false) ", n)+"{ complexity } }",
			"{ ...F }"+many(n, func(i int) string {
				return fmt.Sprintf(" fragment F%d on Query { limits { complexity } }", i)
			}),
			many(n, func(i int) string { return fmt.Sprintf("query Q%d { limits { complexity } } ", i) }))
		aliases = append(aliases, "{"+many(n, func(i int) string { return fmt.Sprintf(" a%d: __typename", i) })+"}",
			"{"+many(n, func(i int) string {
				return fmt.Sprintf(" a%d: documents(first: 100) { nodes { id content } }", i)
			})+"}",
			"{"+many(n, func(i int) string {
				return fmt.Sprintf(" a%d: __schema { types { name fields { name } } }", i)
			})+"}")
	}
	return map[string][]string{
		"GraphQL, depth": depth, "GraphQL, width": width, "GraphQL, aliases": aliases,
		"GraphQL, malformed text": {
			"", "{", "}", "{ a(b: \"\x00\") }", "{ a(b: \"\xff\xfe\") }", "\ufeff{ limits { complexity } }", "{ \x00 }",
			`{ a(b: "\u{110000}") }`, `{ a(b: "\ud800") }`,
			"query A { ...F } fragment F on Query { ...F }",
			"query A { ...F } fragment F on Query { ...G } fragment G on Query { ...F }",
			`{ documents(first: 99999999999999999999999) { total } }`, `{ documents(first: 1e400) { total } }`,
			`{ documents(first: -2147483649) { total } }`,
			`{ documents(first: ` + strings.Repeat("9", 50_000) + `) { total } }`,
			"subscription { a: jobs { id } b: jobs { id } }", "type A { a: Int }",
			`{ a(b: """` + strings.Repeat("\n ", 50_000) + `""") }`, strings.Repeat("#", 500_000),
			strings.Repeat(",", 500_000), "{" + strings.Repeat("a", 500_000) + "}",
		},
	}
}

// textInputs returns the operations of operationTexts, and requests to the graph that are not
// operations.
func textInputs() []input {
	var inputs []input
	add := func(kind, media, body string) {
		inputs = append(inputs, input{kind: kind, method: http.MethodPost, path: "/graphql",
			header: http.Header{"Content-Type": {media}}, body: []byte(body)})
	}
	texts := operationTexts()
	for _, kind := range slices.Sorted(maps.Keys(texts)) {
		for _, text := range texts[kind] {
			add(kind, "application/json", `{"query":`+strconv.Quote(text)+`}`)
			add(kind, "application/graphql", text)
		}
	}
	for _, body := range malformedBodies() {
		add("GraphQL, malformed body", "application/json", body)
		add("GraphQL, malformed body", "application/json", `{"query":"{ limits { complexity } }","variables":`+body+`}`)
		add("GraphQL, malformed body", "application/json", `{"query":"{ limits { complexity } }","extensions":`+body+
			`,"operationName":`+body+`}`)
		add("GraphQL, malformed body", "multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n"+body+"\r\n--x--\r\n")
	}
	for _, media := range []string{"text/plain", "application/xml", "multipart/form-data", "///",
		"application/json; charset=utf-16", ""} {
		add("GraphQL, media type", media, `{"query":"{ limits { complexity } }"}`)
	}
	return inputs
}
