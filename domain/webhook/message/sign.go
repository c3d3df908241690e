package message

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Headers of a signed delivery (Standard Webhooks). The signature covers the id and the timestamp,
// in seconds of the Unix epoch.
const (
	HeaderID        = standardwebhooks.HeaderWebhookID
	HeaderTimestamp = standardwebhooks.HeaderWebhookTimestamp
	HeaderSignature = standardwebhooks.HeaderWebhookSignature
)

// secretBytes is the length of a secret; the standard requires 24 to 64 bytes.
const secretBytes = 32

// NewSecret returns a new signing secret: whsec_ and 32 random bytes in base64.
func NewSecret() string {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}

// Sign returns the value of the header webhook-signature: one v1 signature per secret, so that
// receivers can verify it during a rotation. It returns an error if there are no secrets or one is
// not base64.
func Sign(secrets []string, id string, at time.Time, body []byte) (string, error) {
	if len(secrets) == 0 {
		return "", errors.New("no signing secret")
	}
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return "", errors.New("the secret is not base64") // the cause contains a part of the secret
		}
		if signatures[i], err = signer.Sign(id, at, body); err != nil {
			return "", fmt.Errorf("sign a delivery: %w", err)
		}
	}
	return strings.Join(signatures, " "), nil
}
