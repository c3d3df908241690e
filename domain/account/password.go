package account

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/alexedwards/argon2id"
)

// hashing is what one password costs: 46 MiB and one pass, as OWASP's cheat sheet on storing passwords recommends for argon2id.
var hashing = &argon2id.Params{Memory: 46 * 1024, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// slots bound the memory that sign-ins take together: as many passwords are hashed at a time as there are processors.
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// nobodys is the hash that the password of an unknown user is compared with, so that it takes as long as a known one's.
var nobodys = sync.OnceValues(func() (string, error) { return argon2id.CreateHash("nobody's", hashing) })

func hashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, hashing)
	if err != nil {
		return "", fmt.Errorf("hash the password: %w", err)
	}
	return hash, nil
}

// matches compares a password with a user's hash, or with nobody's when there is none; both take the same time.
func matches(ctx context.Context, password string, hash *string) (bool, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	compared, err := nobodys() // made before the first comparison of any kind, or that of an unknown user would be slower
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
