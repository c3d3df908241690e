// Package replay remembers the answers to requests that carry an Idempotency-Key, so that a repeated request runs nothing.
package replay

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// The headers of draft-ietf-httpapi-idempotency-key-header, and the one that marks a repeated answer.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotent-Replayed"
)

const (
	// Kept is how long an answer is remembered.
	Kept = 24 * time.Hour
	// lease is how long a request may run before another of its key may run in its place. It is twice the time that the graph gives a
	// mutation, so only a process that died lets it pass.
	lease = time.Minute
	// pruneEvery is the pause between removals of what was kept long enough.
	pruneEvery = 10 * time.Minute
	// maxKey is how many characters a key may have.
	maxKey = 255
)

// Service remembers in the database, so that every process gives the same answer.
type Service struct{ db *dbx.DB }

// New makes the memory; Run must be called for old answers to be removed.
func New(db *dbx.DB) *Service { return &Service{db} }

// Run removes answers that were kept for a day, until the context ends.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(pruneEvery)
	defer ticker.Stop()
	for {
		_, _ = s.Prune(ctx, model.Now()) // what cannot be removed now is removed next time
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Request is what a key was sent with.
type Request struct {
	WorkspaceID string
	Key         string
	Fingerprint []byte // tells one request from another
}

// CheckKey fails with validation_failed, naming the header, unless the key has 1 to 255 printable ASCII characters.
func CheckKey(values []string) (string, error) {
	switch {
	case len(values) > 1:
		return "", invalid("is given more than once")
	case len(values[0]) == 0 || len(values[0]) > maxKey:
		return "", invalid(fmt.Sprintf("must have 1 to %d characters", maxKey))
	}
	for _, c := range []byte(values[0]) {
		if c < ' ' || c > '~' {
			return "", invalid("must have printable ASCII characters only")
		}
	}
	return values[0], nil
}

func invalid(msg string) error {
	field := errs.BodyField("value_error", msg, Header)
	field.Loc[0] = "header"
	return errs.Invalid(field)
}

// Claim is the right to run the request of a key, which one caller has at a time. It ends with Keep or Release, or by itself after a
// minute: a process that dies holds its key no longer.
type Claim struct {
	service *Service
	request Request
	attempt string
}

// Begin gives the claim to run a request, or the answer of the time before. It fails with idempotency_mismatch when the key was used
// for another request, and with idempotency_in_flight while the request still runs.
func (s *Service) Begin(ctx context.Context, r Request) (claim *Claim, answer []byte, err error) {
	now := model.Now()
	fresh := &row{
		WorkspaceID: r.WorkspaceID, KeyHash: hashOf(r.Key), Fingerprint: r.Fingerprint,
		Attempt: model.NewID("run"), LeaseUntil: now.Add(lease), CreatedAt: now,
	}
	claim = &Claim{s, r, fresh.Attempt}
	if won, err := s.insert(ctx, fresh); err != nil || won {
		return claim, nil, err
	}
	known, err := s.find(ctx, fresh)
	if errs.Is(err, errs.NotFound) {
		return nil, nil, errInFlight // it was released between the two statements: another claim may be on its way
	}
	if err != nil {
		return nil, nil, err
	}
	old := now.Sub(known.CreatedAt) >= Kept
	switch {
	case !old && string(known.Fingerprint) != string(r.Fingerprint):
		return nil, nil, errMismatch
	case !old && known.Answer != nil:
		answer, err = open(r, known.Answer)
		return nil, answer, err
	case !old && known.LeaseUntil.After(now):
		return nil, nil, errInFlight
	}
	won, err := s.replace(ctx, known.Attempt, fresh)
	if err == nil && !won {
		err = errInFlight
	}
	return claim, nil, err
}

var (
	errMismatch = errs.New(errs.IdempotencyMismatch, "this %s was used for another request; use a new one", Header)
	errInFlight = errs.New(errs.IdempotencyInFlight, "the request with this %s is still running; ask again", Header).With("retry_after", 1)
)

// Keep remembers the answer, unless the claim was lost to another request because its time was over.
func (c *Claim) Keep(ctx context.Context, answer []byte) error {
	sealed, err := seal(c.request, answer)
	if err != nil {
		return err
	}
	return c.service.finish(ctx, c, sealed)
}

// Release forgets the key, so that the request may be sent again.
func (c *Claim) Release(ctx context.Context) error { return c.service.remove(ctx, c) }
