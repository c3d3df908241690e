// Package seal encrypts secrets that the program needs in clear text, for example signing secrets of
// webhooks and passwords of mailboxes.
//
// Idea: they cannot be hashed like API keys, so they are encrypted with a key outside the database
// and bound to the id of their row: a sealed secret that is copied to another row does not open.
//
// Limits: one key at a time. The webhook package stores its fingerprint, and a gateway with another
// key does not start.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
)

// Sealer seals and opens secrets with one key. It is safe for concurrent use.
type Sealer struct {
	aead        cipher.AEAD
	fingerprint string
}

// New returns a Sealer with AES-GCM. It returns an error if the key has an invalid length.
func New(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte("rostrum seal key "), key...))
	return &Sealer{aead: aead, fingerprint: hex.EncodeToString(sum[:16])}, nil
}

// Fingerprint identifies the key without revealing it.
func (s *Sealer) Fingerprint() string { return s.fingerprint }

// Seal encrypts the secret of a row.
func (s *Sealer) Seal(id, secret string) []byte {
	return s.aead.Seal(nil, nil, []byte(secret), []byte(id)) //nolint:gosec // the cipher makes its nonce
}

// Open decrypts the secret of a row. It returns an error if it was sealed with another key or for
// another row.
func (s *Sealer) Open(id string, sealed []byte) (string, error) {
	secret, err := s.aead.Open(nil, nil, sealed, []byte(id))
	return string(secret), err
}
