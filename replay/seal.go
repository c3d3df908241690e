package replay

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"

	"rostrum/errs"
)

// Answers may show a secret once, such as a new key's, so they are not stored in clear: who holds the Idempotency-Key can open one,
// and of that only the SHA-256 is in the table.

func hashOf(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// sealer encrypts under a key of the request's own, which is used for one answer only.
func sealer(r Request) (cipher.AEAD, error) {
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

func seal(r Request, answer []byte) ([]byte, error) {
	aead, err := sealer(r)
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the answer could not be kept")
	}
	return aead.Seal(nil, nil, answer, nil), nil
}

func open(r Request, sealed []byte) ([]byte, error) {
	aead, err := sealer(r)
	if err == nil {
		sealed, err = aead.Open(nil, nil, sealed, nil)
	}
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the kept answer could not be read")
	}
	return sealed, nil
}
