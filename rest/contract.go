package rest

import (
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// contract is what a schema's stored operations determine: their routes, and the OpenAPI document
// of them and of the handlers. It does not change once it is built.
type contract struct {
	operations []*storedOperation
	routes     []*apiRoute
	handlers   map[string]*openapi3.Operation // by the handler's name
	document   *openapi3.T
}

// contracts holds the contract of each schema. Adapters of one schema share it, because building it
// is most of the work of a start.
var contracts sync.Map // *ast.Schema → func() (*contract, error)

// contractOf returns the contract of a schema, which it builds on the first call. It returns an
// error when an operation does not fit the schema.
func contractOf(schema *ast.Schema) (*contract, error) {
	build, _ := contracts.LoadOrStore(schema, sync.OnceValues(func() (*contract, error) { return newContract(schema) }))
	return build.(func() (*contract, error))()
}

func newContract(schema *ast.Schema) (*contract, error) {
	operations, err := prepareOperations(schema, operationFiles)
	if err != nil {
		return nil, err
	}
	c := &contract{operations: operations, routes: groupRoutes(operations), handlers: map[string]*openapi3.Operation{}}
	b := newBuilder(schema)
	for _, route := range c.routes {
		route.described = b.describeOperation(route)
		b.doc.AddOperation(route.path, route.method, route.described)
	}
	for _, h := range (&Adapter{}).newHandlers() {
		c.handlers[h.name] = b.describeHandler(h)
		b.doc.AddOperation(h.path, h.method, c.handlers[h.name])
	}
	b.describeIgnored()
	b.addWebhooks()
	b.addTags(c.routes)
	c.document = b.doc
	return c, nil
}
