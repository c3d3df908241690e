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

// The headers of a signed delivery (Standard Webhooks). The id and the timestamp, in seconds of the Unix epoch, are part of what is signed.
const (
	HeaderID        = standardwebhooks.HeaderWebhookID
	HeaderTimestamp = standardwebhooks.HeaderWebhookTimestamp
	HeaderSignature = standardwebhooks.HeaderWebhookSignature
)

// secretBytes is the length of a secret, which the standard wants between 24 and 64.
const secretBytes = 32

// NewSecret makes a secret to sign with: whsec_ and 32 random bytes in base64.
func NewSecret() string {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}

// Sign gives the value of the header webhook-signature: one v1 signature for each secret, so that a receiver finds its own while they
// rotate. It fails without secrets and for one that NewSecret has not made.
func Sign(secrets []string, id string, at time.Time, body []byte) (string, error) {
	if len(secrets) == 0 {
		return "", errors.New("there is no secret to sign with")
	}
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return "", errors.New("the secret is not base64") // the cause repeats a part of it
		}
		if signatures[i], err = signer.Sign(id, at, body); err != nil {
			return "", fmt.Errorf("sign a delivery: %w", err)
		}
	}
	return strings.Join(signatures, " "), nil
}
