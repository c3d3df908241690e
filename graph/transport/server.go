package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql/executor"

	"rostrum/graph/policy"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

// Config holds the dependencies and settings of a server.
type Config struct {
	// Executor runs the operations.
	Executor *executor.Executor
	// Policy is the policy that Executor applies.
	Policy *policy.Policy
	// Authenticate returns a key's principal. It fails with errs.InvalidKey, errs.KeyExpired or
	// errs.KeyRevoked.
	Authenticate func(ctx context.Context, key string) (principal.Principal, error)
	// Session returns the user of a request's cookie, or a zero principal when nobody is signed in.
	// It must reject requests from a page of another origin. If nil, cookies are ignored.
	Session func(*http.Request) (principal.Principal, error)
	// RateLimit counts a request of the context's principal or the request's address, and sets the
	// response's rate limit headers. It fails with errs.RateLimited. If nil, there is no limit.
	RateLimit func(ctx context.Context, header http.Header, r *http.Request) error
	// Bodies is the budget of the messages of sockets; nil has room for all.
	Bodies *web.BodyBudget
	// KeepAlive is the interval of keep-alive messages on open streams and sockets; 15 s when 0.
	KeepAlive time.Duration
}

// Server is an http.Handler for the path of the GraphQL endpoint. It is safe for concurrent use.
type Server struct {
	config   Config
	exec     *executor.Executor
	policy   *policy.Policy
	limits   policy.Limits
	stopping context.Context // ends the streams and sockets
	stop     context.CancelFunc
}

var _ http.Handler = (*Server)(nil)

// New returns a server.
func New(config Config) *Server {
	if config.RateLimit == nil {
		config.RateLimit = func(context.Context, http.Header, *http.Request) error { return nil }
	}
	if config.KeepAlive == 0 {
		config.KeepAlive = 15 * time.Second
	}
	s := &Server{config: config, exec: config.Executor, policy: config.Policy, limits: config.Policy.Limits()}
	s.stopping, s.stop = context.WithCancel(context.Background())
	return s
}

// Stop closes the open streams and sockets without a last message, so that clients reconnect and
// resume. Other requests continue.
func (s *Server) Stop() { s.stop() }

// UntilStop returns a context for a stream that also ends when the server stops. Call cancel.
func (s *Server) UntilStop(ctx context.Context) (limited context.Context, cancel context.CancelFunc) {
	limited, end := context.WithCancel(ctx)
	detach := context.AfterFunc(s.stopping, end)
	return limited, func() { detach(); end() }
}
