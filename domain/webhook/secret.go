package webhook

import (
	"crypto/aes"
	"crypto/cipher"
	"time"

	"rostrum/errs"
	"rostrum/model"
)

// Every delivery needs the signing secret in clear text, so secrets cannot be hashed like API keys.
// They are encrypted with a key outside the database and bound to their webhook's id.

// newSealer returns an AES-256-GCM cipher; it returns an error if the key has an invalid length.
func newSealer(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *Service) sealSecret(webhookID, secret string) []byte {
	return s.sealer.Seal(nil, nil, []byte(secret), []byte(webhookID)) //nolint:gosec // the cipher makes its nonce
}

func (s *Service) unsealSecret(webhookID string, sealed []byte) (string, error) {
	secret, err := s.sealer.Open(nil, nil, sealed, []byte(webhookID))
	if err != nil {
		return "", errs.Wrap(err, errs.Internal, "the signing secret cannot be read; ROSTRUM_SEAL_KEY is not the one it was stored under")
	}
	return string(secret), nil
}

// signingSecrets returns the secrets that sign a delivery, newest first; none for an unsigned
// webhook. It returns an error if a secret cannot be decrypted.
func (s *Service) signingSecrets(w *model.Webhook, now time.Time) ([]string, error) {
	if !w.Signed() {
		return nil, nil
	}
	newest, err := s.unsealSecret(w.ID, w.Secret)
	if err != nil || w.FormerSecret == nil || w.FormerUntil == nil || !w.FormerUntil.After(now) {
		return []string{newest}, err
	}
	former, err := s.unsealSecret(w.ID, w.FormerSecret)
	return []string{newest, former}, err
}
