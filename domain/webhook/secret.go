package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"rostrum/errs"
	"rostrum/model"
)

// Every delivery needs the signing secret in clear text, so it is sealed.

func (s *Service) unsealSecret(webhookID string, sealed []byte) (string, error) {
	secret, err := s.sealer.Open(webhookID, sealed)
	if err != nil {
		return "", errs.Wrap(err, errs.Internal, "the signing secret cannot be read, because this server has another seal key; rotate the webhook's secret")
	}
	return secret, nil
}

// formerSecret is a replaced secret, which also signs until its time.
type formerSecret struct {
	Secret string    `json:"secret"`
	Until  time.Time `json:"until"`
}

// formerSecrets returns the replaced secrets that still sign, newest first. It returns an error if
// they cannot be decrypted.
func (s *Service) formerSecrets(w *model.Webhook, now time.Time) ([]formerSecret, error) {
	if w.FormerSecret == nil || w.FormerUntil == nil {
		return nil, nil
	}
	text, err := s.unsealSecret(w.ID, w.FormerSecret)
	if err != nil {
		return nil, err
	}
	former := []formerSecret{{text, *w.FormerUntil}} // of older versions, which stored one secret
	if strings.HasPrefix(text, "[") {
		if err := json.Unmarshal([]byte(text), &former); err != nil {
			return nil, fmt.Errorf("read the former secrets of %s: %w", w.ID, err)
		}
	}
	return slices.DeleteFunc(former, func(f formerSecret) bool { return !f.Until.After(now) }), nil
}

// maxFormer limits the replaced secrets that still sign, because each adds a signature to every
// delivery.
const maxFormer = 10

// replaceSecret sets a new secret. The present one signs until overlap has passed, and those before
// it until the time that they were promised. It returns when the present one ends, nil for at once,
// and errs.Conflict for too many secrets.
func (s *Service) replaceSecret(w *model.Webhook, secret string, overlap time.Duration) (*time.Time, error) {
	now := s.now()
	former, err := s.formerSecrets(w, now)
	if err != nil {
		former = nil // sealed with a lost key: nothing can sign with them
	}
	var previous *time.Time
	if w.Signed() && overlap > 0 {
		if text, err := s.unsealSecret(w.ID, w.Secret); err == nil {
			until := now.Add(overlap)
			previous, former = &until, append([]formerSecret{{text, until}}, former...)
		}
	}
	if len(former) > maxFormer {
		return nil, errs.New(errs.Conflict, "%d earlier secrets of this webhook still sign; rotate again after %s, or with overlap_seconds 0",
			maxFormer, former[maxFormer].Until.Format(time.RFC3339))
	}
	w.Secret, w.FormerSecret, w.FormerUntil = s.sealer.Seal(w.ID, secret), nil, nil
	if len(former) == 0 {
		return previous, nil
	}
	text, err := json.Marshal(former) //nolint:gosec // the secrets in it are sealed
	if err != nil {
		return nil, err
	}
	last := slices.MaxFunc(former, func(a, b formerSecret) int { return a.Until.Compare(b.Until) }).Until
	w.FormerSecret, w.FormerUntil = s.sealer.Seal(w.ID, string(text)), &last
	return previous, nil
}

// signingSecrets returns the secrets that sign a delivery, newest first; none for an unsigned
// webhook. It returns an error if a secret cannot be decrypted.
func (s *Service) signingSecrets(w *model.Webhook, now time.Time) ([]string, error) {
	if !w.Signed() {
		return nil, nil
	}
	newest, err := s.unsealSecret(w.ID, w.Secret)
	if err != nil {
		return nil, err
	}
	former, err := s.formerSecrets(w, now)
	secrets := []string{newest}
	for _, f := range former {
		secrets = append(secrets, f.Secret)
	}
	return secrets, err
}
