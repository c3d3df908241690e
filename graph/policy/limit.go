package policy

import (
	"cmp"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/errs"
	"rostrum/model"
)

// Limits bound one request; 0 means the default. Introspection counts toward depth, breadth and
// repeats.
type Limits struct {
	Body    int64 // bytes of a JSON body or socket message; 10 MB
	Upload  int64 // bytes of one uploaded file; 50 MB
	Text    int   // bytes of an operation's text; 256 KB
	Tokens  int   // tokens of an operation's text; 5,000
	Depth   int   // levels of nested fields; 15
	Breadth int   // fields selected from one object, fragments included; 200
	Repeats int   // fields of one object that are selected again under another alias; 30
	// rows of all lists in the response; a nested list counts times its outer rows; 10,000
	Rows       int
	Complexity int // fields in the response; a list counts times its page size; 20,000
	// fields in the response that describe the schema; 120,000, more than twice what GraphiQL
	// requests
	Introspection int
	Answer        int // bytes of a response; 32 MB
	Errors        int // errors listed in one response, and invalid fields in one error; 20
	Streams       int // concurrent operations on one socket; 100
	StreamText    int // bytes of one text in a response of a subscription that writes none; 64 KB
	TextBytes     int // bytes of texts that all queries have read and not yet answered; 128 MB
	FrameBytes    int // bytes of responses of subscriptions that are not yet written; 64 MB
	// concurrent subscriptions of a key or user, of a workspace and of all; 100, 300 and 20,000
	KeyStreams, WorkspaceStreams, AllStreams int
	Query                                    time.Duration // run time of a query; 1 s
	// run time of a mutation, a query with @defer, or one that waits for a text model; 30 s, or that of a query if it is longer
	Mutation  time.Duration
	Handshake time.Duration // time until a new socket must have sent its key; 10 s
}

// WithDefaults returns the limits with the default in place of each 0.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Body:          cmp.Or(l.Body, 10<<20),
		Upload:        cmp.Or(l.Upload, 50<<20),
		Text:          cmp.Or(l.Text, 256<<10),
		Tokens:        cmp.Or(l.Tokens, 5000),
		Depth:         cmp.Or(l.Depth, 15),
		Breadth:       cmp.Or(l.Breadth, 200),
		Repeats:       cmp.Or(l.Repeats, 30),
		Rows:          cmp.Or(l.Rows, 10_000),
		Complexity:    cmp.Or(l.Complexity, 20_000),
		Introspection: cmp.Or(l.Introspection, 120_000),
		Answer:        cmp.Or(l.Answer, 32<<20),
		Errors:        cmp.Or(l.Errors, 20),
		Streams:       cmp.Or(l.Streams, 100),
		StreamText:    cmp.Or(l.StreamText, 64<<10),
		TextBytes:     cmp.Or(l.TextBytes, 128<<20),
		FrameBytes:    cmp.Or(l.FrameBytes, 64<<20),
		KeyStreams:    cmp.Or(l.KeyStreams, 100), WorkspaceStreams: cmp.Or(l.WorkspaceStreams, 300),
		AllStreams: cmp.Or(l.AllStreams, 20_000),
		Query:      cmp.Or(l.Query, time.Second),
		Mutation:   cmp.Or(l.Mutation, max(30*time.Second, l.Query)),
		Handshake:  cmp.Or(l.Handshake, 10*time.Second),
	}
}

// PublicLimits returns the limits in the form that the field limits of the schema has.
func (c Config) PublicLimits() *api.Limits {
	l := c.Limits.WithDefaults()
	return &api.Limits{
		Complexity: l.Complexity, Depth: l.Depth, Breadth: l.Breadth, Repeats: l.Repeats, Rows: l.Rows,
		Tokens: l.Tokens, TextBytes: l.Text,
		AnswerBytes: l.Answer, Errors: l.Errors, IntrospectionFields: l.Introspection, Batch: 1, Streams: l.Streams,
		StreamsOfKey: l.KeyStreams, StreamsOfWorkspace: l.WorkspaceStreams, StreamTextBytes: l.StreamText,
		StreamFilters: event.MaxFilters,
		BodyBytes:     int(l.Body), UploadBytes: int(l.Upload), PageSize: dbx.MaxPerPage,
		QueryMilliseconds: int(l.Query.Milliseconds()), MutationMilliseconds: int(l.Mutation.Milliseconds()),
		TrustedDocuments: cmp.Or(c.Trust, model.TrustedDocumentsOff), Introspection: !c.HideSchema,
		PersistedQueries: c.Persisted != nil && c.Trust != model.TrustedDocumentsEnforce,
	}
}

// checkLimits returns an error if the operation exceeds a limit that does not depend on variables.
func (p *Policy) checkLimits(a *Analysis) error {
	switch {
	case len(a.introspection) > 0 && p.config.HideSchema:
		return errs.New(errs.BadRequest, "introspection is turned off on this server; use the published schema")
	case a.malformed != "":
		return errs.New(errs.BadRequest, "%s", a.malformed)
	}
	return p.limits.checkShape(a.shape)
}

// checkShape returns an error if an operation's text exceeds a limit.
func (l Limits) checkShape(s shape) error {
	switch {
	case s.depth > l.Depth:
		return ExceedsLimit("depth", s.depth, l.Depth)
	case s.fields > min(l.Complexity, maxExpanded):
		return ExceedsLimit("complexity", s.fields, l.Complexity)
	case s.breadth > l.Breadth:
		return ExceedsLimit("number of fields of one object", s.breadth, l.Breadth)
	case s.repeats > l.Repeats:
		return ExceedsLimit("number of repeated fields", s.repeats, l.Repeats)
	case s.conflicts > maxConflicts:
		return ExceedsLimit("number of conflicting fields", s.conflicts, maxConflicts)
	}
	return nil
}

// checkComplexity returns an error if the response is too complex with the variables' page sizes
// and type names.
func (p *Policy) checkComplexity(a *Analysis, variables map[string]any) error {
	fields, rows := a.cost.total(variables)
	switch {
	case fields > p.limits.Complexity:
		return ExceedsLimit("complexity", fields, p.limits.Complexity)
	case rows > p.limits.Rows:
		return ExceedsLimit("number of rows", rows, p.limits.Rows)
	}
	if described := p.countIntrospection(a, variables); described > p.limits.Introspection {
		return errs.New(errs.LimitExceeded, "the introspection has more than the %d fields that this server accepts",
			p.limits.Introspection).
			With("limit", p.limits.Introspection)
	}
	return nil
}

// checkLength returns an error if the text of an operation is too long.
func (l Limits) checkLength(text string) error {
	if len(text) <= l.Text {
		return nil
	}
	return errs.New(errs.LimitExceeded, "the operation's text has %d bytes, more than the %d that this server accepts: send long values in variables",
		len(text), l.Text).With("limit", l.Text)
}

// tooManyTokens is the error for a text with more tokens than the parser reads.
func (l Limits) tooManyTokens() error {
	return errs.New(errs.LimitExceeded, "the operation has more than the %d tokens that this server accepts", l.Tokens).
		With("limit", l.Tokens)
}

// ExceedsLimit returns a limit_exceeded error; the extension limit holds the allowed value.
func ExceedsLimit(quantity string, value, allowed int) error {
	return errs.New(errs.LimitExceeded, "the operation's %s is %d, more than the %d that this server accepts", quantity,
		value, allowed).
		With("limit", allowed)
}
