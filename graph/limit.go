package graph

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Limits bound what one request may ask for; a zero takes the default. What describes the schema is not counted.
type Limits struct {
	Body       int64         // bytes of a JSON body or socket message; 10 MB
	Upload     int64         // bytes of one uploaded file; 50 MB
	Tokens     int           // tokens of an operation's text; 5,000
	Depth      int           // fields within fields; 12
	Repeats    int           // times that fields of one object are asked for again under another name; 30
	Complexity int           // fields to answer, those of a list times its page size; 20,000
	Streams    int           // operations at once on one socket; 100
	Query      time.Duration // time that a query may take; 1 s
	Mutation   time.Duration // time that a mutation may take; 30 s
	Handshake  time.Duration // time that a new socket has to say who it is; 10 s
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Body:       cmp.Or(l.Body, 10<<20),
		Upload:     cmp.Or(l.Upload, 50<<20),
		Tokens:     cmp.Or(l.Tokens, 5000),
		Depth:      cmp.Or(l.Depth, 12),
		Repeats:    cmp.Or(l.Repeats, 30),
		Complexity: cmp.Or(l.Complexity, 20_000),
		Streams:    cmp.Or(l.Streams, 100),
		Query:      cmp.Or(l.Query, time.Second),
		Mutation:   cmp.Or(l.Mutation, 30*time.Second),
		Handshake:  cmp.Or(l.Handshake, 10*time.Second),
	}
}

// Bounds are the limits as callers ask for them.
func (c Config) Bounds() *model.Limits {
	l := c.Limits.withDefaults()
	return &model.Limits{
		Complexity: l.Complexity, Depth: l.Depth, Repeats: l.Repeats, Tokens: l.Tokens, Batch: 1, Streams: l.Streams,
		BodyBytes: int(l.Body), UploadBytes: int(l.Upload), PageSize: dbx.MaxPerPage,
		QueryMilliseconds: int(l.Query.Milliseconds()), MutationMilliseconds: int(l.Mutation.Milliseconds()),
		TrustedDocuments: cmp.Or(c.Trust, model.TrustedDocumentsOff), Introspection: !c.HideSchema,
		PersistedQueries: c.Persisted != nil && c.Trust != model.TrustedDocumentsEnforce,
	}
}

// gate stands before every operation, whichever way it came: who may, how much, how long.
type gate struct{ s *Server }

// ExtensionName names the gate to gqlgen.
func (gate) ExtensionName() string { return "Gate" }

// Validate accepts every schema: what the gate needs is read from each operation.
func (gate) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation before any resolver has run.
func (g gate) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = g.s.hideSchema
	m := g.s.measures.of(op.Operation)
	err := cmp.Or(
		g.s.admit(m), authorize(ctx, m.needs), g.s.afford(m, op.Variables), g.s.inputs(m, op.Variables),
		estimates(m, op.Variables),
	)
	if err != nil {
		return &gqlerror.Error{Err: err, Message: errs.From(err).Message}
	}
	return nil
}

// admit judges what holds for every run of an operation.
func (s *Server) admit(m *measure) error {
	switch {
	case m.introspects && s.hideSchema:
		return errs.New(errs.BadRequest, "this server does not describe its schema; read the published one")
	case m.malformed != "":
		return errs.New(errs.BadRequest, "%s", m.malformed)
	case m.depth > s.limits.Depth:
		return tooMuch("depth", m.depth, s.limits.Depth)
	case m.least > min(s.limits.Complexity, expandable):
		return tooMuch("complexity", m.least, s.limits.Complexity)
	case m.repeats > s.limits.Repeats:
		return tooMuch("number of repeated fields", m.repeats, s.limits.Repeats)
	}
	return nil
}

// afford judges the pages that the variables ask for.
func (s *Server) afford(m *measure, variables map[string]any) error {
	if c := m.cost.of(variables); c > s.limits.Complexity {
		return tooMuch("complexity", c, s.limits.Complexity)
	}
	return nil
}

func tooMuch(what string, asked, allowed int) error {
	return errs.New(errs.LimitExceeded, "the operation's %s is %d, more than the %d that this server accepts", what, asked, allowed).
		With("limit", allowed)
}

// InterceptOperation gives queries and mutations their time. An operation with @defer runs on when its caller leaves:
// gqlgen's hand-over of deferred parts would wait for ever if its context ended first.
func (g gate) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	ctx = context.WithValue(ctx, loggedKey{}, &logged{})
	switch {
	case op.Operation.Operation == ast.Subscription:
		return next(ctx)
	case g.s.measures.of(op.Operation).deferred:
		return next(context.WithoutCancel(ctx))
	case op.Operation.Operation == ast.Mutation:
		return within(ctx, g.s.limits.Mutation, next)
	default:
		return within(ctx, g.s.limits.Query, next)
	}
}

func within(ctx context.Context, budget time.Duration, next graphql.OperationHandler) graphql.ResponseHandler {
	ctx, cancel := context.WithTimeout(ctx, budget)
	responses := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		return responses(ctx)
	}
}
