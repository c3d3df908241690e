// Package stored reads the GraphQL operations that the REST API is made of. An operation states its
// route in @rest and its response in the selection; the request's parameters follow from the
// variables. Load derives the rest once: texts in snake_case, parameters with their schemas and
// decoders, the position of the body in the executor's data, and what directives such as @lift
// change in it.
//
// Directives of an operation:
//
//   - @rest is its route; schema.graphqls describes each argument. A name in the path that is no
//     variable is a member of $body, and so are ifMatch and set; the request's body does not have
//     them (member.go).
//   - @lift on a field: the members of the selected object are written in its place (reshape.go).
//   - @constant on __typename: the member has a fixed value.
//   - @jsonText on a field: the value is written as a string of JSON.
//   - @keyed on a field: the list is written as an object with a member for each element.
//   - @header on a field: the list of texts is a header of the response and no member.
//
// @restValue on an enum value of the schema is its spelling in REST, if it is not the name in lower
// case. Members that no directive changes keep their bytes. Clients get each operation without what
// only REST uses (client.go): in x-graphql, and by name or hash over /graphql.
//
// An operation has exactly one root field. A stored operation knows no HTTP request and no
// executor; package rest reads requests and runs operations. It is safe for concurrent use.
//
// Inputs are validated against the schemas that the OpenAPI document publishes, so that both say
// the same. The tests load the operations of testdata; the equality test of test/integration
// compares REST responses with those of the same operation over /graphql.
package stored
