package graph

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/compile"
	"rostrum/graph/generated"
	"rostrum/graph/incremental"
	"rostrum/graph/policy"
	"rostrum/graph/transport"
)

// Config holds the parts of a server.
type Config struct {
	// Resolvers resolve the fields.
	Resolvers generated.ResolverRoot
	// Policy configures authorization and limits; New sets its Schema.
	Policy policy.Config
	// Transport configures the HTTP handler; New sets its Executor and Policy.
	Transport transport.Config
	// Interpret disables compiled selections, for measurements and to rule them out as an error's
	// cause.
	Interpret bool
}

// Server serves the graph over HTTP and provides its executor to package rest.
type Server struct {
	*transport.Server
	policy   *policy.Policy
	exec     *executor.Executor // of clients
	stored   *executor.Executor // of stored operations
	full     *ast.Schema        // of stored operations
	schema   *ast.Schema        // of clients
	compiled *compile.Extension // nil when it is turned off
}

// New returns a server; its executors apply the policy.
func New(config Config) *Server {
	full := FullSchema()
	schema := apiSchema(full)
	config.Policy.Schema = schema
	s := &Server{
		policy: policy.New(config.Policy), exec: newExecutor(config.Resolvers, schema),
		stored: newExecutor(config.Resolvers, full), full: full, schema: schema,
	}
	s.WrapQueryCache(func(cache graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument] { return cache })
	if !config.Interpret {
		s.compiled = compile.New(s.full, config.Resolvers, s.exec, s.policy)
	}
	for _, exec := range []*executor.Executor{s.exec, s.stored} {
		s.policy.Install(exec)
		exec.Use(incremental.New(s.policy))
		if s.compiled != nil {
			exec.Use(s.compiled)
		}
	}
	config.Transport.Executor, config.Transport.Policy = s.exec, s.policy
	s.Server = transport.New(config.Transport)
	return s
}

// newExecutor returns an executor that reads variables by the schema.
func newExecutor(resolvers generated.ResolverRoot, schema *ast.Schema) *executor.Executor {
	return executor.New(generated.NewQuerySchema(generated.Config{Resolvers: resolvers, Schema: schema}))
}

// WrapQueryCache wraps the executors' cache of parsed and validated operations.
func (s *Server) WrapQueryCache(wrap func(cache graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument]) {
	cache := wrap(s.policy.DocumentCache())
	s.exec.SetQueryCache(cache)
	s.stored.SetQueryCache(cache)
}

// StoreDocuments makes operations available by name and by the SHA-256 of their text. It also keeps
// the analyses of the internal texts. Call it before the first request.
func (s *Server) StoreDocuments(operations map[string]string, internal []string) {
	s.policy.StoreDocuments(operations, internal)
}

// TrustDocuments makes the texts of a client available like stored operations (see
// [policy.Policy.TrustDocuments]).
func (s *Server) TrustDocuments(texts []string) { s.policy.TrustDocuments(texts) }

// CheckText returns an error if the text of an operation is over a limit (see
// [policy.Policy.CheckText]).
func (s *Server) CheckText(text string) error { return s.policy.CheckText(text) }

// Executor returns the clients' executor. It applies the same policy to operations of this process
// as to HTTP. The context must carry the principal (see [transport.Server.IdentifyKey]) and have
// gone through graphql.StartOperationTrace.
func (s *Server) Executor() *executor.Executor { return s.exec }

// StoredExecutor returns package rest's executor of stored operations. Unlike the clients' it
// accepts input fields that only REST has.
func (s *Server) StoredExecutor() *executor.Executor { return s.stored }

// FullSchema returns the schema that stored operations are written for.
func (s *Server) FullSchema() *ast.Schema { return s.full }

// Schema returns the schema that clients see.
func (s *Server) Schema() *ast.Schema { return s.schema }
