package webhook

import (
	"crypto/aes"
	"crypto/cipher"
	"time"

	"rostrum/errs"
	"rostrum/model"
)

// Signing secrets are needed in clear for every delivery, so they cannot be hashed as keys are. They are stored sealed, bound to their
// webhook, under a key that is not in the database.

// sealer encrypts with AES-256-GCM.
func sealer(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *Service) seal(webhookID, secret string) []byte {
	return s.sealer.Seal(nil, nil, []byte(secret), []byte(webhookID))
}

func (s *Service) unseal(webhookID string, sealed []byte) (string, error) {
	secret, err := s.sealer.Open(nil, nil, sealed, []byte(webhookID))
	if err != nil {
		return "", errs.Wrap(err, errs.Internal, "the signing secret cannot be read; ROSTRUM_SEAL_KEY is not the one it was stored under")
	}
	return string(secret), nil
}

// secrets are what a delivery is signed with, the newest first; none for a webhook that does not sign.
func (s *Service) secrets(w *model.Webhook, now time.Time) ([]string, error) {
	if !w.Signed() {
		return nil, nil
	}
	newest, err := s.unseal(w.ID, w.Secret)
	if err != nil || w.FormerSecret == nil || w.FormerUntil == nil || !w.FormerUntil.After(now) {
		return []string{newest}, err
	}
	former, err := s.unseal(w.ID, w.FormerSecret)
	return []string{newest, former}, err
}
