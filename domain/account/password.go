package account

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"rostrum/errs"
)

// Password length limits, in characters.
const (
	minPassword = 8
	maxPassword = 256
)

// hashParams are OWASP's argon2id parameters with 12 MiB and three passes. For an attacker they
// cost as much as its parameters for one pass, but concurrent sign-ins need a quarter of the
// memory.
var hashParams = &argon2id.Params{Memory: 12 * 1024, Iterations: 3, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashSlots limits the memory of sign-ins: one hash at a time per processor.
var hashSlots = make(chan struct{}, runtime.GOMAXPROCS(0))

// dummyHash returns the hash for unknown users, so that comparing takes as long as for known users.
var dummyHash = sync.OnceValues(func() (string, error) { return argon2id.CreateHash("nobody's", hashParams) })

// NewPasswordHash returns the hash of a new password, the value of the field. It returns
// errs.ValidationFailed for a password of invalid length or that no page can take, such as one with
// a line break, and an error if the context ends.
func NewPasswordHash(ctx context.Context, field, password string) (hash string, err error) {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword {
		msg := fmt.Sprintf("must have between %d and %d characters", minPassword, maxPassword)
		return "", errs.Invalid(errs.BodyField("value_error", msg, field))
	}
	if strings.ContainsFunc(password, unicode.IsControl) {
		return "", errs.Invalid(errs.BodyField("value_error", "has a line break or another control character", field))
	}
	select {
	case hashSlots <- struct{}{}:
		defer func() { <-hashSlots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if hash, err = argon2id.CreateHash(password, hashParams); err != nil {
		return "", fmt.Errorf("hash the password: %w", err)
	}
	return hash, nil
}

// matchPassword compares a password with a hash. A nil hash stands for a dummy, so that an unknown
// user takes the same time. It returns an error if the context ends.
func matchPassword(ctx context.Context, password string, hash *string) (bool, error) {
	select {
	case hashSlots <- struct{}{}:
		defer func() { <-hashSlots }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	compared, err := dummyHash() // created before any comparison, else the first unknown user would take longer
	if err != nil {
		return false, err
	}
	if hash != nil {
		compared = *hash
	}
	same, err := argon2id.ComparePasswordAndHash(password, compared)
	if err != nil {
		return false, fmt.Errorf("compare the password: %w", err)
	}
	return same && hash != nil, nil
}
