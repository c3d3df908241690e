package webhook

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rostrum/domain/webhook/message"
	"rostrum/fetch"
	"rostrum/model"
)

// keptAnswer is how much of an answer is kept.
const keptAnswer = 1024

// send posts the event and notes what came of it. An error means that it was not known what to send, or that the process stops.
func (s *Service) send(ctx context.Context, r *result) error {
	r.attempt = &model.DeliveryAttempt{At: s.now()}
	if r.event == nil {
		r.attempt.Fail(model.DeliveryErrorCodeEventGone, "the event is older than what is kept")
		return nil
	}
	header, body, err := s.write(r.webhook, r.event, r.attempt.At)
	if err != nil {
		return err
	}
	began := time.Now()
	answer, err := s.client.Send(ctx, r.webhook.URL, header, body, keptAnswer)
	r.attempt.LatencyMs = int(time.Since(began).Milliseconds())
	r.at = s.now()
	if failure, ok := errors.AsType[*fetch.Error](err); ok {
		r.attempt.Fail(codes[failure.Kind], failure.Message())
		return nil
	}
	if err != nil {
		return err
	}
	note(r.attempt, answer)
	r.wait = retryAfter(answer.Header, r.at)
	return nil
}

// note keeps what the receiver answered; only 2xx is a success.
func note(a *model.DeliveryAttempt, answer *fetch.Response) {
	a.Status = &answer.Status
	if body := storable(answer.Body); body != "" {
		a.Body = &body
	}
	if answer.Status < 200 || answer.Status > 299 {
		a.Fail(model.DeliveryErrorCodeHTTPStatus, "the receiver answered with status "+strconv.Itoa(answer.Status)+", and only 2xx counts")
	}
}

// storable leaves out what the databases cannot keep.
func storable(body []byte) string {
	return strings.ToValidUTF8(strings.ReplaceAll(string(body), "\x00", ""), "\uFFFD")
}

// codes are the reasons by what the client says.
var codes = map[fetch.Kind]model.DeliveryErrorCode{
	fetch.Blocked: model.DeliveryErrorCodeBlockedAddress,
	fetch.DNS:     model.DeliveryErrorCodeDNSFailed,
	fetch.Timeout: model.DeliveryErrorCodeTimeout, fetch.Connection: model.DeliveryErrorCodeConnectionFailed,
	fetch.TooLarge: model.DeliveryErrorCodeConnectionFailed, fetch.BadURL: model.DeliveryErrorCodeBlockedAddress,
	fetch.Scheme: model.DeliveryErrorCodeBlockedAddress,
}

// write makes what the receiver gets: the documented JSON, or a message for people where the address is a team chat's.
func (s *Service) write(w *model.Webhook, e *model.Event, at time.Time) (http.Header, []byte, error) {
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
	secrets, err := s.secrets(w, at)
	if err != nil || len(secrets) == 0 {
		return header, body, err
	}
	signature, err := message.Sign(secrets, e.ID, at, body)
	header.Set(message.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	header.Set(message.HeaderSignature, signature)
	return header, body, err
}
