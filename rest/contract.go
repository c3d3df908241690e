package rest

import (
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// contract is what a schema's stored operations determine. It does not change once it is built.
type contract struct {
	stored   *stored.Set
	document openapi.Document // of the operations and the handlers
}

// contracts holds the contract of each schema. Adapters of one schema share it, because building it
// is most of the work of a start.
var contracts sync.Map // *ast.Schema → func() (*contract, error)

// contractOf returns the contract of a schema, which it builds on the first call. It returns an
// error when an operation does not fit the schema.
func contractOf(schema *ast.Schema) (*contract, error) {
	build, _ := contracts.LoadOrStore(schema, sync.OnceValues(func() (*contract, error) { return newContract(schema) }))
	return build.(func() (*contract, error))() //nolint:forcetypeassert // stored above
}

func newContract(schema *ast.Schema) (*contract, error) {
	set, err := stored.Load(schema, operationFiles)
	if err != nil {
		return nil, err
	}
	var handlers []*openapi.Handler
	for _, h := range (&Adapter{}).newHandlers() {
		handlers = append(handlers, &h.Handler)
	}
	document, err := openapi.New(set, handlers)
	return &contract{set, document}, err
}
