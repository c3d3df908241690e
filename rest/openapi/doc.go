// Package openapi describes stored operations, handlers and webhooks as an OpenAPI 3.1 document.
// Schemas of inputs come from rest/stored, which validates with them. Schemas of responses follow
// from the selection; equal selections of a type share a component.
//
// A selection of a union or interface is described as an object whose members are optional, and an
// event stream by the data of its events. Statuses that no operation lists, such as 404 of a path
// with an id, follow from the route's input.
//
// examples.json has an example of each operation. TestExamples of package rest writes it with
// -update, from the steps of test/integration/testdata, and prefers those of first_steps.txtar.
//
// CheckResponse validates a response against the document; the tests call it for every response of
// the API. The golden in rest/testdata holds the document of all operations.
package openapi
