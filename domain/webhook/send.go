package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/fetch"
)

// maxStoredResponse is the number of bytes of a response body that are stored.
const maxStoredResponse = 1024

// sendEvent sends the event and records the attempt in r. A failed request is part of the attempt,
// not an error. It returns an error only if the request cannot be built or ctx ends.
func (s *Service) sendEvent(ctx context.Context, r *deliveryResult) error {
	r.attempt = &model.DeliveryAttempt{At: s.now()}
	if r.event == nil {
		r.attempt.Fail(model.DeliveryErrorCodeEventGone, "the event has expired and is no longer stored")
		return nil
	}
	header, body, err := s.renderRequest(r.webhook, r.event)
	if err != nil {
		return err
	}
	if err := s.signRequest(r.webhook, r.event.ID, r.attempt.At, header, body); err != nil {
		slog.ErrorContext(ctx, "a delivery cannot be signed", "webhook", r.webhook.ID, "workspace",
			r.webhook.WorkspaceID, "error", err)
		r.attempt.Fail(model.DeliveryErrorCodeNotSigned, errs.From(err).Message)
		return nil
	}
	leave, err := s.sends.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	began := time.Now()
	response, err := s.client.Send(ctx, r.webhook.URL, header, body, maxStoredResponse)
	r.attempt.LatencyMs = int(time.Since(began).Milliseconds())
	r.finishedAt = s.now()
	if failure, ok := errors.AsType[*fetch.Error](err); ok {
		r.attempt.Fail(errorCodes[failure.Kind], failure.Message())
		return nil
	}
	if err != nil {
		return err
	}
	recordResponse(r.attempt, response)
	r.retryAfter = fetch.RetryAfter(response.Header, r.finishedAt)
	return nil
}

// recordResponse stores the status and body of a response; every status outside 2xx is a failure.
func recordResponse(a *model.DeliveryAttempt, response *fetch.Response) {
	a.Status = &response.Status
	if body := storableText(response.Body); body != "" {
		a.Body = &body
	}
	if response.Status < 200 || response.Status > 299 {
		a.Fail(model.DeliveryErrorCodeHTTPStatus, "the receiver responded with status "+strconv.Itoa(response.Status)+
			"; only 2xx is a success")
	}
}

// storableText returns the text without invalid UTF-8 and NUL, which the databases reject.
func storableText(body []byte) string {
	return strings.ToValidUTF8(strings.ReplaceAll(string(body), "\x00", ""), "\uFFFD")
}

// errorCodes maps errors of the HTTP client to error codes of deliveries.
var errorCodes = map[fetch.Kind]model.DeliveryErrorCode{
	fetch.Blocked: model.DeliveryErrorCodeBlockedAddress,
	fetch.DNS:     model.DeliveryErrorCodeDNSFailed,
	fetch.Timeout: model.DeliveryErrorCodeTimeout, fetch.Connection: model.DeliveryErrorCodeConnectionFailed,
	fetch.TooLarge: model.DeliveryErrorCodeConnectionFailed, fetch.BadURL: model.DeliveryErrorCodeBlockedAddress,
	fetch.Scheme: model.DeliveryErrorCodeBlockedAddress,
}

// renderRequest returns the headers and body of a request: the documented JSON, or a chat message
// for the URL of a team chat. It returns an error if the event is invalid.
func (s *Service) renderRequest(w *model.Webhook, e *model.Event) (http.Header, []byte, error) {
	render := message.JSON
	if message.IsChat(w.URL, s.chatURLs) {
		render = message.Chat
	}
	body, err := render(e)
	if err != nil {
		return nil, nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Rostrum-Webhooks/1.0"}}
	header.Set(message.HeaderID, e.ID)
	return header, body, nil
}

// signRequest adds the signature to the headers, unless the webhook has no secret. It returns an
// error if a secret cannot be read.
func (s *Service) signRequest(w *model.Webhook, eventID string, at time.Time, header http.Header, body []byte) error {
	secrets, err := s.signingSecrets(w, at)
	if err != nil || len(secrets) == 0 {
		return err
	}
	signature, err := message.Sign(secrets, eventID, at, body)
	header.Set(message.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	header.Set(message.HeaderSignature, signature)
	return err
}
