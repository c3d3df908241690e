package graph

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	querycache "github.com/99designs/gqlgen/graphql/handler/lru"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/generated"
	"rostrum/model"
	"rostrum/replay"
)

// cachedOperations is how many parsed, validated and measured operations are kept.
const cachedOperations = 1000

// Config is what the graph's door is built from.
type Config struct {
	// Resolvers answer the fields.
	Resolvers generated.ResolverRoot
	// Authenticate finds who a key belongs to; it fails with errs.InvalidKey, errs.KeyExpired or errs.KeyRevoked.
	Authenticate func(ctx context.Context, key string) (model.Principal, error)
	// Session finds the signed-in user of a request by its cookie; a zero principal means that nobody is signed in. It must refuse
	// what a page of another origin has sent. Without it cookies do not count.
	Session func(*http.Request) (model.Principal, error)
	// Limit takes one request's turn for who is asking under the context, or for the request's address, and says in the answer's
	// headers how many are left; it fails with errs.RateLimited. Nothing is limited without it.
	Limit func(ctx context.Context, answer http.Header, r *http.Request) error
	// Logger gets what failed on our side, once per operation and cause.
	Logger *slog.Logger
	// Limits bound what one request may ask for.
	Limits Limits
	// KeepAlive is the pause between signs of life on open streams and sockets; 15 seconds when zero.
	KeepAlive time.Duration
	// HideSchema refuses introspection, and errors suggest no names.
	HideSchema bool
	// Trust says whether texts that are not stored run.
	Trust model.TrustedDocuments
	// Persisted keeps texts by their hash for automatic persisted queries, which are refused without it.
	Persisted graphql.Cache[string]
	// Answers remembers what requests with an Idempotency-Key were answered; without it the header is not read.
	Answers *replay.Service
	// Interpret leaves every selection to gqlgen, to measure or to rule out the compiled ones.
	Interpret bool
}

// Server serves the graph over HTTP at the path that it is mounted on, and its executor to package rest.
type Server struct {
	authenticate func(ctx context.Context, key string) (model.Principal, error)
	session      func(*http.Request) (model.Principal, error)
	limit        func(ctx context.Context, answer http.Header, r *http.Request) error
	log          *slog.Logger
	limits       Limits
	keepAlive    time.Duration
	hideSchema   bool
	trust        model.TrustedDocuments
	stored       stored
	untrusted    *lru.Cache[string, struct{}] // the hashes of texts that are in the log
	persisted    graphql.Cache[string]
	answers      *replay.Service
	schema       *ast.Schema
	exec         *executor.Executor
	measures     *measures
	texts        *texts
	stopping     context.Context // of the sockets
	stop         context.CancelFunc
}

var _ http.Handler = (*Server)(nil)

// New builds the door: the executor with its limits, scopes and errors, and the transports in front of it.
func New(config Config) *Server {
	es := generated.NewExecutableSchema(generated.Config{
		Resolvers:  config.Resolvers,
		Directives: generated.DirectiveRoot{Range: checkRange, Length: checkLength},
	})
	s := &Server{
		authenticate: config.Authenticate,
		session:      config.Session,
		limit:        config.Limit,
		log:          config.Logger,
		limits:       config.Limits.withDefaults(),
		keepAlive:    config.KeepAlive,
		hideSchema:   config.HideSchema,
		trust:        config.Trust,
		untrusted:    newUntrusted(),
		persisted:    config.Persisted,
		answers:      config.Answers,
		schema:       es.Schema(),
		exec:         executor.New(es),
		measures:     newMeasures(),
		texts:        newTexts(),
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	if s.limit == nil {
		s.limit = func(context.Context, http.Header, *http.Request) error { return nil }
	}
	if s.keepAlive == 0 {
		s.keepAlive = 15 * time.Second
	}
	s.Prepare(func(own graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument] { return own })
	s.exec.SetParserTokenLimit(s.limits.Tokens)
	s.exec.SetDisableSuggestion(config.HideSchema)
	s.exec.SetErrorPresenter(s.present)
	s.exec.SetRecoverFunc(recovered)
	s.exec.Use(once{s})
	s.exec.Use(gate{s})
	if !config.Interpret {
		s.exec.Use(compiled{s, config.Resolvers})
	}
	return s
}

// Prepare puts operations that were parsed and validated before in front of the cache of those that come over HTTP.
func (s *Server) Prepare(before func(own graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument]) {
	s.exec.SetQueryCache(before(querycache.New[*ast.QueryDocument](cachedOperations)))
}

// Stop ends the sockets that are open, which outlive the requests that they began with; their clients come again.
func (s *Server) Stop() { s.stop() }

// Executor runs operations in this process under the same scopes, limits and error presenter as those that come over HTTP;
// the context must carry the principal, see [Server.Identify], and have gone through graphql.StartOperationTrace.
func (s *Server) Executor() *executor.Executor { return s.exec }

// Schema is the schema that the executor answers.
func (s *Server) Schema() *ast.Schema { return s.schema }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
} = gate{}
