package idempotency

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"

	"rostrum/errs"
)

// Responses may contain a secret, for example a new key's, so they are stored encrypted. Decryption
// needs the Idempotency-Key, and the table holds only its SHA-256.

func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// newCipher returns a cipher with a key derived from the request, which encrypts one response only.
func newCipher(r Request) (cipher.AEAD, error) {
	secret, err := hkdf.Key(sha256.New, []byte(r.Key), r.Fingerprint, r.WorkspaceID, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func encryptResponse(r Request, answer []byte) ([]byte, error) {
	aead, err := newCipher(r)
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the response could not be stored")
	}
	return aead.Seal(nil, nil, answer, nil), nil //nolint:gosec // the cipher makes its nonce
}

func decryptResponse(r Request, sealed []byte) ([]byte, error) {
	aead, err := newCipher(r)
	if err == nil {
		sealed, err = aead.Open(nil, nil, sealed, nil)
	}
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the stored response could not be decrypted")
	}
	return sealed, nil
}
