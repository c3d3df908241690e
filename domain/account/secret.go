package account

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// A secret is rsk_, 32 base62 characters, and 6 of their CRC32 in base62, so that a mistyped key is
// refused without a query.
const (
	secretStart  = "rsk_"
	secretRandom = 32
	secretCheck  = 6
	secretShown  = len(secretStart) + 6 // the visible prefix of a key
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func newSecret() (string, error) {
	var b strings.Builder
	for range secretRandom {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			return "", err
		}
		b.WriteByte(base62[n.Int64()])
	}
	return secretStart + b.String() + checksum(b.String()), nil
}

// checksum detects mistyped secrets without a query.
func checksum(random string) string {
	sum := crc32.ChecksumIEEE([]byte(random))
	out := make([]byte, secretCheck)
	for i := secretCheck - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out)
}

// IsSecret reports whether the text has the form of any key's secret.
func IsSecret(text string) bool { return wellFormed(text) }

// wellFormed reports whether the text has the form and checksum of a secret.
func wellFormed(secret string) bool {
	if len(secret) != len(secretStart)+secretRandom+secretCheck || !strings.HasPrefix(secret, secretStart) {
		return false
	}
	body := secret[len(secretStart):]
	return checksum(body[:secretRandom]) == body[secretRandom:]
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
