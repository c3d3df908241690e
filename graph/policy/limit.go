package policy

import (
	"cmp"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Limits bound one request; 0 means the default. Introspection fields are not counted.
type Limits struct {
	Body       int64         // bytes of a JSON body or socket message; 10 MB
	Upload     int64         // bytes of one uploaded file; 50 MB
	Tokens     int           // tokens of an operation's text; 5,000
	Depth      int           // levels of nested fields; 12
	Repeats    int           // fields of one object that are selected again under another alias; 30
	Complexity int           // fields in the response, those of a list times its page size; 20,000
	Streams    int           // concurrent operations on one socket; 100
	Query      time.Duration // run time of a query; 1 s
	Mutation   time.Duration // run time of a mutation; 30 s, or that of a query if it is longer
	Handshake  time.Duration // time until a new socket must have sent its key; 10 s
}

// WithDefaults returns the limits with the default in place of each 0.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Body:       cmp.Or(l.Body, 10<<20),
		Upload:     cmp.Or(l.Upload, 50<<20),
		Tokens:     cmp.Or(l.Tokens, 5000),
		Depth:      cmp.Or(l.Depth, 12),
		Repeats:    cmp.Or(l.Repeats, 30),
		Complexity: cmp.Or(l.Complexity, 20_000),
		Streams:    cmp.Or(l.Streams, 100),
		Query:      cmp.Or(l.Query, time.Second),
		Mutation:   cmp.Or(l.Mutation, max(30*time.Second, l.Query)),
		Handshake:  cmp.Or(l.Handshake, 10*time.Second),
	}
}

// PublicLimits returns the limits in the form that the field limits of the schema has.
func (c Config) PublicLimits() *api.Limits {
	l := c.Limits.WithDefaults()
	return &api.Limits{
		Complexity: l.Complexity, Depth: l.Depth, Repeats: l.Repeats, Tokens: l.Tokens, Batch: 1, Streams: l.Streams,
		BodyBytes: int(l.Body), UploadBytes: int(l.Upload), PageSize: dbx.MaxPerPage,
		QueryMilliseconds: int(l.Query.Milliseconds()), MutationMilliseconds: int(l.Mutation.Milliseconds()),
		TrustedDocuments: cmp.Or(c.Trust, model.TrustedDocumentsOff), Introspection: !c.HideSchema,
		PersistedQueries: c.Persisted != nil && c.Trust != model.TrustedDocumentsEnforce,
	}
}

// checkLimits returns an error if the operation exceeds a limit that does not depend on its variables.
func (p *Policy) checkLimits(a *Analysis) error {
	switch {
	case a.introspects && p.config.HideSchema:
		return errs.New(errs.BadRequest, "introspection is turned off on this server; use the published schema")
	case a.malformed != "":
		return errs.New(errs.BadRequest, "%s", a.malformed)
	case a.depth > p.limits.Depth:
		return ExceedsLimit("depth", a.depth, p.limits.Depth)
	case a.minFields > min(p.limits.Complexity, maxExpanded):
		return ExceedsLimit("complexity", a.minFields, p.limits.Complexity)
	case a.repeats > p.limits.Repeats:
		return ExceedsLimit("number of repeated fields", a.repeats, p.limits.Repeats)
	}
	return nil
}

// checkComplexity returns an error if the page sizes of the variables make the operation too complex.
func (p *Policy) checkComplexity(a *Analysis, variables map[string]any) error {
	if total := a.cost.total(variables); total > p.limits.Complexity {
		return ExceedsLimit("complexity", total, p.limits.Complexity)
	}
	return nil
}

// ExceedsLimit returns a limit_exceeded error; the extension limit holds the allowed value.
func ExceedsLimit(quantity string, value, allowed int) error {
	return errs.New(errs.LimitExceeded, "the operation's %s is %d, more than the %d that this server accepts", quantity, value, allowed).
		With("limit", allowed)
}
