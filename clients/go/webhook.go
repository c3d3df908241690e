package rostrum

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rostrum/clients/go/graph"
)

// Tolerance is how far the time of a delivery may be from the clock, in both directions.
const Tolerance = 5 * time.Minute

// ErrSignature is why a delivery is not the gateway's, or is too old. Answer it with 401.
var ErrSignature = errors.New("the delivery is not signed as it should be")

// WebhookEvent is a delivery of a webhook. Events of links have Link and Viewer, all others Data.
type WebhookEvent struct {
	ID        string `json:"-"` // the header webhook-id: the event's id, the same in each attempt
	Event     string
	Timestamp time.Time
	Test      bool // whether it is a sample of a test
	Data      json.RawMessage
	Link      json.RawMessage
	Viewer    json.RawMessage
}

// VerifyWebhook returns the event of a delivery whose signature (Standard Webhooks) is right, and
// [ErrSignature] otherwise. Pass the body as it came. Compare the event's id with those that you
// have, as a delivery may come twice.
func VerifyWebhook(secret string, header http.Header, body []byte) (*WebhookEvent, error) {
	return verifyAt(time.Now(), secret, header, body)
}

func verifyAt(now time.Time, secret string, header http.Header, body []byte) (*WebhookEvent, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, errors.New("the secret is not whsec_ and base64")
	}
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > Tolerance {
		return nil, fmt.Errorf("%w: its timestamp is too far from the present", ErrSignature)
	}
	hash := hmac.New(sha256.New, key)
	fmt.Fprintf(hash, "%s.%s.%s", id, stamp, body)
	wanted := []byte("v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil)))
	for given := range strings.FieldsSeq(header.Get("webhook-signature")) {
		if !hmac.Equal(wanted, []byte(given)) {
			continue
		}
		event := &WebhookEvent{ID: id}
		if err := json.Unmarshal(body, event); err != nil {
			return nil, fmt.Errorf("read the event: %w", err)
		}
		return event, nil
	}
	return nil, fmt.Errorf("%w: no signature is right", ErrSignature)
}

// CreateWebhook creates a webhook whose deliveries are signed with SigningSecret, which is shown
// once.
func (c *Client) CreateWebhook(ctx context.Context, input graph.CreateWebhookInput) (graph.Webhook, error) {
	input.Signing = new(true)
	data, err := graph.CreateWebhook(ctx, sparse{c}, input)
	if err != nil {
		return graph.Webhook{}, err
	}
	return data.CreateWebhook.Webhook, nil
}

// TestWebhook sends a sample of an event, and returns how the receiver answered.
func (c *Client) TestWebhook(ctx context.Context, id string, event graph.EventType) (graph.DeliveryAttempt, error) {
	data, err := graph.TestWebhook(ctx, c, graph.TestWebhookInput{WebhookId: id, Event: event})
	if err != nil {
		return graph.DeliveryAttempt{}, err
	}
	return data.TestWebhook.Attempt, nil
}

// DeleteWebhook deletes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	_, err := graph.DeleteWebhook(ctx, c, graph.DeleteWebhookInput{WebhookId: id})
	return err
}
