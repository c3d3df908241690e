package idempotency

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/periodic"
)

// The header of draft-ietf-httpapi-idempotency-key-header, and the header that marks a stored
// response.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotent-Replayed"
)

const (
	// Retention is how long a response is stored.
	Retention = 24 * time.Hour
	// leaseDuration is how long a claim excludes others unless it is renewed. The key of a process
	// that crashed or is paused is free after it.
	leaseDuration = 10 * time.Second
	// renewInterval is the time between two renewals of a claim. Most requests are shorter and
	// never renewed.
	renewInterval = 3 * time.Second
	// maxRenewal is how long a claim is renewed, twice the timeout of a mutation.
	maxRenewal = time.Minute
	// pruneInterval is the time between removals of expired responses.
	pruneInterval = 10 * time.Minute
	// maxKeyLength is the maximum number of characters of a key.
	maxKeyLength = 255
	// maxResponse is the size in bytes up to which a response is stored.
	maxResponse = 256 << 10
)

// Service stores responses in the database, so that all processes share them.
type Service struct{ db *dbx.DB }

// New returns a Service; Run must be called to remove expired responses.
func New(db *dbx.DB) *Service { return &Service{db} }

// Run removes expired responses periodically until the context ends.
func (s *Service) Run(ctx context.Context) {
	periodic.Now(ctx, pruneInterval, "remove expired responses", func(ctx context.Context) error {
		_, err := s.Prune(ctx, s.db.Now())
		return err
	})
}

// Request identifies a request with a key.
type Request struct {
	WorkspaceID string
	Key         string
	Fingerprint []byte // hash of the caller, the operation and its variables
}

// ParseKey returns the key. Unless there is one key of 1 to 255 printable ASCII characters, it
// returns a validation_failed error that names the header.
func ParseKey(values []string) (string, error) {
	switch {
	case len(values) > 1:
		return "", invalidKey("is given more than once")
	case len(values[0]) == 0 || len(values[0]) > maxKeyLength:
		return "", invalidKey(fmt.Sprintf("must have 1 to %d characters", maxKeyLength))
	}
	for _, c := range []byte(values[0]) {
		if c < ' ' || c > '~' {
			return "", invalidKey("must have printable ASCII characters only")
		}
	}
	return values[0], nil
}

func invalidKey(msg string) error {
	field := errs.BodyField("value_error", msg, Header)
	field.Loc[0] = "header"
	return errs.Invalid(field)
}

// Claim is the exclusive right to execute the request of a key. It is renewed for up to a minute,
// until Complete, Release or Discard ends it. A process that crashed or is paused therefore does
// not block its key. The claim's transactions fail once another one has replaced it.
type Claim struct {
	service *Service
	request Request
	attempt string
	marked  atomic.Bool // a transaction that marked the key was committed
	stop    context.CancelFunc
}

// newClaim returns a claim that the key's row belongs to, and renews it.
func (s *Service) newClaim(ctx context.Context, r Request, attempt string) *Claim {
	c := &Claim{service: s, request: r, attempt: attempt}
	ctx, c.stop = context.WithTimeout(context.WithoutCancel(ctx), maxRenewal)
	go periodic.Every(ctx, renewInterval, "extend the claim of an idempotency key",
		func(ctx context.Context) error { return s.extendLease(ctx, c) })
	return c
}

// Context returns a context that marks the key in its transactions. A later request with the key
// then knows whether this one has had an effect. A transaction fails with idempotency_in_flight if
// another attempt has replaced the claim.
func (c *Claim) Context(ctx context.Context) context.Context {
	return dbx.WithCommitHook(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if c.marked.Load() {
			return nil
		}
		tx.AfterCommit(func() { c.marked.Store(true) })
		if ours, err := markCommitted(ctx, tx, c); err != nil || ours {
			return err
		}
		return errInFlight
	})
}

// Committed reports whether a transaction of Context is known to be committed. After a lost
// connection it may be false although one is.
func (c *Claim) Committed() bool { return c.marked.Load() }

// Begin returns a claim to execute the request, or the stored response. It returns
// idempotency_mismatch if the key was used for another request, idempotency_in_flight while the
// request is running, and conflict if it was executed but its response was not kept.
func (s *Service) Begin(ctx context.Context, r Request) (*Claim, []byte, error) {
	now := s.db.Now()
	fresh := &storedKey{
		WorkspaceID: r.WorkspaceID, KeyHash: hashKey(r.Key), Fingerprint: r.Fingerprint,
		Attempt: model.NewID("run"), LeaseUntil: now.Add(leaseDuration), CreatedAt: now,
	}
	won, err := s.insertKey(ctx, fresh)
	switch {
	case err != nil:
		return nil, nil, err
	case won:
		return s.newClaim(ctx, r, fresh.Attempt), nil, nil
	}
	known, err := s.findKey(ctx, fresh)
	if errs.Is(err, errs.NotFound) {
		return nil, nil, errInFlight // it was released between the two statements, so another claim may be in progress
	}
	if err != nil {
		return nil, nil, err
	}
	old := now.Sub(known.CreatedAt) >= Retention
	switch {
	case !old && string(known.Fingerprint) != string(r.Fingerprint):
		return nil, nil, errMismatch
	case !old && known.Response != nil:
		answer, err := decryptResponse(r, known.Response)
		return nil, answer, err
	case !old && known.isLeased(now):
		return nil, nil, errInFlight
	case !old && known.Committed:
		return nil, nil, errNotKept
	}
	won, err = s.replaceAttempt(ctx, known, fresh, old)
	if err == nil && !won {
		err = errInFlight
	}
	if err != nil {
		return nil, nil, err
	}
	return s.newClaim(ctx, r, fresh.Attempt), nil, nil
}

var (
	errMismatch = errs.New(errs.IdempotencyMismatch, "this %s was used for another request; use a new one", Header)
	errInFlight = errs.New(errs.IdempotencyInFlight, "the request with this %s is still running; retry later", Header).
			With("retry_after", 1)
	errNotKept = errs.New(errs.Conflict, "the request with this %s was executed and its response was not kept; read what it changed instead of sending it again", Header)
)

// Complete stores the response, unless the lease expired and another request has claimed the key.
// It discards a response over 256 KB. It returns an error if the response cannot be stored.
func (c *Claim) Complete(ctx context.Context, answer []byte) error {
	defer c.stop()
	if len(answer) > maxResponse {
		return c.Discard(ctx)
	}
	sealed, err := encryptResponse(c.request, answer)
	if err != nil {
		return err
	}
	return c.service.storeResponse(ctx, c, sealed)
}

// Release deletes the key, so that the request may be sent again. It reports false if a transaction
// of the request was committed. It returns database errors.
func (c *Claim) Release(ctx context.Context) (bool, error) {
	released, err := c.service.deleteKey(ctx, c)
	if released {
		c.stop()
	}
	return released, err
}

// Discard ends the claim without a stored response. If the request has committed nothing it may be
// sent again, else it fails with conflict. It returns database errors.
func (c *Claim) Discard(ctx context.Context) error {
	defer c.stop()
	if released, err := c.service.deleteKey(ctx, c); err != nil || released {
		return err
	}
	return c.service.endLease(ctx, c)
}
