package account

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// A secret is a start that tells its use, 32 base62 characters, and 6 of their CRC32 in base62, so
// that a mistyped one is refused without a query.
const (
	secretStart  = "rsk_" // of keys
	inviteStart  = "rsi_"
	resetStart   = "rsp_" // of links by which a password is set
	setupStart   = "rss_" // of tokens of the first start
	secretRandom = 32
	secretCheck  = 6
	secretShown  = len(secretStart) + 6 // the visible prefix of a key
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func newSecret(start string) (string, error) {
	var b strings.Builder
	for range secretRandom {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			return "", err
		}
		b.WriteByte(base62[n.Int64()])
	}
	return start + b.String() + checksumOf(start, b.String()), nil
}

// checksumOf returns the checksum of a secret's random part. Those with a start other than a key's
// cover it, so that a key is not mistyped into one of them.
func checksumOf(start, random string) string {
	if start == secretStart {
		return checksum(random)
	}
	return checksum(start + random)
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

// IsSecret reports whether the text has the form of a key's secret, or of one in a link.
func IsSecret(text string) bool {
	for _, start := range []string{secretStart, inviteStart, resetStart, setupStart} {
		if wellFormed(start, text) {
			return true
		}
	}
	return false
}

// wellFormed reports whether the text has the start, the form and the checksum of a secret.
func wellFormed(start, secret string) bool {
	if len(secret) != len(start)+secretRandom+secretCheck || !strings.HasPrefix(secret, start) {
		return false
	}
	body := secret[len(start):]
	return checksumOf(start, body[:secretRandom]) == body[secretRandom:]
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
