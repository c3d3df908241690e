// Package idempotency stores the responses to requests with an Idempotency-Key, so that a repeated request is not executed again.
package idempotency

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// The header of draft-ietf-httpapi-idempotency-key-header, and the header that marks a stored response.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotent-Replayed"
)

const (
	// Retention is how long a response is stored.
	Retention = 24 * time.Hour
	// leaseDuration is how long a request may run before another request with its key may replace it. It is twice the timeout of a
	// mutation, so it expires only when a process has crashed.
	leaseDuration = time.Minute
	// pruneInterval is the time between removals of expired responses.
	pruneInterval = 10 * time.Minute
	// maxKeyLength is the maximum number of characters of a key.
	maxKeyLength = 255
)

// Service stores responses in the database, so that all processes share them.
type Service struct{ db *dbx.DB }

// New returns a Service; Run must be called to remove expired responses.
func New(db *dbx.DB) *Service { return &Service{db} }

// Run removes expired responses periodically until the context ends.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(pruneInterval)
	defer ticker.Stop()
	for {
		_, _ = s.Prune(ctx, model.Now()) // an error is retried at the next interval
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Request identifies a request with a key.
type Request struct {
	WorkspaceID string
	Key         string
	Fingerprint []byte // hash of the operation and its variables
}

// ParseKey returns the key. It returns a validation_failed error that names the header unless there is one key of 1 to 255 printable ASCII
// characters.
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

// Claim is the exclusive right to execute the request of a key. It ends with Complete or Release, or after a minute, so that a crashed
// process does not block its key.
type Claim struct {
	service *Service
	request Request
	attempt string
}

// Begin returns a claim to execute the request, or the stored response. It returns an idempotency_mismatch error when the key was used for
// another request, and idempotency_in_flight while the request is running.
func (s *Service) Begin(ctx context.Context, r Request) (claim *Claim, answer []byte, err error) {
	now := model.Now()
	fresh := &storedKey{
		WorkspaceID: r.WorkspaceID, KeyHash: hashKey(r.Key), Fingerprint: r.Fingerprint,
		Attempt: model.NewID("run"), LeaseUntil: now.Add(leaseDuration), CreatedAt: now,
	}
	claim = &Claim{s, r, fresh.Attempt}
	if won, err := s.insertKey(ctx, fresh); err != nil || won {
		return claim, nil, err
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
		answer, err = decryptResponse(r, known.Response)
		return nil, answer, err
	case !old && known.LeaseUntil.After(now):
		return nil, nil, errInFlight
	}
	won, err := s.replaceAttempt(ctx, known.Attempt, fresh)
	if err == nil && !won {
		err = errInFlight
	}
	return claim, nil, err
}

var (
	errMismatch = errs.New(errs.IdempotencyMismatch, "this %s was used for another request; use a new one", Header)
	errInFlight = errs.New(errs.IdempotencyInFlight, "the request with this %s is still running; retry later", Header).With("retry_after", 1)
)

// Complete stores the response, unless the lease expired and another request has claimed the key. It returns an error when the response
// cannot be stored.
func (c *Claim) Complete(ctx context.Context, answer []byte) error {
	sealed, err := encryptResponse(c.request, answer)
	if err != nil {
		return err
	}
	return c.service.storeResponse(ctx, c, sealed)
}

// Release deletes the key, so that the request may be sent again. It returns database errors.
func (c *Claim) Release(ctx context.Context) error { return c.service.deleteKey(ctx, c) }
