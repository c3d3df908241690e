package graph

import (
	"strings"
	"testing"

	"rostrum/model"
)

func TestTrust(t *testing.T) {
	t.Parallel()
	t.Run("a text that is not stored is logged once and runs", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c *Config) { c.Trust = model.TrustedDocumentsLog })
		b.server.Store(map[string]string{"count": "query count { documentCount }"})
		for range 2 {
			b.post(t, readKey, `{ documentCount }`).want(t, 200, `"documentCount":2`)
			b.post(t, readKey, `query count { documentCount }`).want(t, 200, `"documentCount":2`)
		}
		if n := strings.Count(b.log.String(), textHash(`{ documentCount }`)); n != 1 || strings.Count(b.log.String(), "\n") != 1 {
			t.Errorf("logged: %s", b.log)
		}
	})
	t.Run("what nobody signed for is not logged", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c *Config) { c.Trust = model.TrustedDocumentsLog })
		b.post(t, "", `{ __typename }`).want(t, 200)
		if b.log.Len() > 0 {
			t.Errorf("logged: %s", b.log)
		}
	})
	t.Run("without a memory clients are told not to send hashes", func(t *testing.T) {
		t.Parallel()
		body := `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + textHash("{ documentCount }") + `"}}}`
		setup(t).do(t, "POST", "", body, "Content-Type", typeJSON, keyHeader, readKey).want(t, 400, `"code":"PERSISTED_QUERY_NOT_SUPPORTED"`)
	})
}
