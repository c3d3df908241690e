// Package stored reads the GraphQL operations that the REST API is made of. An operation states its
// route in @rest and its response in the selection; the request's parameters follow from the
// variables. Load derives the rest once: texts in snake_case, parameters with their schemas and
// decoders, the position of the body in the executor's data, and what directives such as @lift
// change in it.
//
// An operation has exactly one root field. A stored operation knows no HTTP request and no
// executor; package rest reads requests and runs operations. It is safe for concurrent use.
//
// Inputs are validated against the schemas that the OpenAPI document publishes, so that both say
// the same. The tests load the operations of testdata; the equality test of test/integration
// compares REST responses with those of the same operation over /graphql.
package stored
