package message_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"rostrum/domain/webhook/message"
)

func TestSign(t *testing.T) {
	const (
		secret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		id        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
		signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	)
	at, body := time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`)
	t.Run("the test vector of Standard Webhooks", func(t *testing.T) {
		if got, err := message.Sign([]string{secret}, id, at, body); err != nil || got != signature {
			t.Errorf("%s, %v; want %s", got, err, signature)
		}
	})
	t.Run("both secrets sign during a rotation", func(t *testing.T) {
		next := message.NewSecret()
		alone, err := message.Sign([]string{next}, id, at, body)
		if err != nil {
			t.Fatal(err)
		}
		both, err := message.Sign([]string{next, secret}, id, at, body)
		if err != nil || both != alone+" "+signature {
			t.Errorf("%s, %v", both, err)
		}
	})
	t.Run("a secret is 32 random bytes", func(t *testing.T) {
		a, b := message.NewSecret(), message.NewSecret()
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, "whsec_"))
		if err != nil || len(raw) != 32 || a == b || !strings.HasPrefix(a, "whsec_") {
			t.Errorf("%s and %s", a, b)
		}
	})
	t.Run("an invalid secret returns an error without the secret", func(t *testing.T) {
		if got, err := message.Sign(nil, id, at, body); err == nil {
			t.Errorf("without a secret: %s", got)
		}
		if got, err := message.Sign([]string{"whsec_#hidden"}, id, at, body); err == nil ||
			strings.Contains(err.Error(), "hidden") {
			t.Errorf("with a bad one: %s, %v", got, err)
		}
	})
}
