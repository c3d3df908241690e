package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"rostrum/model"
)

func TestTrust(t *testing.T) {
	t.Parallel()
	t.Run("an operation that is not stored is logged once and executed", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Trust = model.TrustedDocumentsLog })
		b.server.StoreDocuments(map[string]string{"count": "query count { documentCount }"}, nil)
		for range 2 {
			b.post(t, readKey, `{ documentCount }`).want(t, 200, `"documentCount":2`)
			b.post(t, readKey, `query count { documentCount }`).want(t, 200, `"documentCount":2`)
		}
		if n := strings.Count(b.log.String(), sha256Of(`{ documentCount }`)); n != 1 ||
			strings.Count(b.log.String(), "\n") != 1 {
			t.Errorf("logged: %s", b.log)
		}
	})
	t.Run("an unauthenticated operation is not logged", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Trust = model.TrustedDocumentsLog })
		b.post(t, "", `{ __typename }`).want(t, 200)
		if b.log.Len() > 0 {
			t.Errorf("logged: %s", b.log)
		}
	})
	t.Run("only introspection within its limit is executed if it is not stored", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Trust = model.TrustedDocumentsEnforce })
		b.post(t, "", clientIntrospections(t)["full"]).want(t, 200, `"name":"Document"`)
		b.post(t, "", "{ __schema { "+aliases(25, "types { fields { type { name kind } } }")+" } }").
			want(t, 200, `"code":"limit_exceeded"`)
		b.post(t, readKey, `{ documentCount }`).want(t, 400, `"code":"document_not_trusted"`)
	})
	t.Run("the texts of a trusted client are executed as text and by their hash", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Trust = model.TrustedDocumentsEnforce })
		b.server.StoreDocuments(nil, nil)
		b.server.TrustDocuments([]string{`{ documentCount }`})
		b.post(t, readKey, `{ documentCount }`).want(t, 200, `"documentCount":2`)
		b.do(t, "POST", "", `{"documentId":"`+sha256Of(`{ documentCount }`)+`"}`, "Content-Type", typeJSON, keyHeader,
			readKey).want(t, 200, `"documentCount":2`)
		b.do(t, "POST", "", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"sha256:`+sha256Of(`{ documentCount }`)+`"}}}`,
			"Content-Type", typeJSON, keyHeader, readKey).want(t, 200, `"documentCount":2`)
		b.post(t, readKey, `{ documentCount  }`).want(t, 400, `"code":"document_not_trusted"`)
	})
	t.Run("without a cache persisted queries are reported as unsupported", func(t *testing.T) {
		t.Parallel()
		body := `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + sha256Of("{ documentCount }") + `"}}}`
		newTestBundle(t).do(t, "POST", "", body, "Content-Type", typeJSON, keyHeader, readKey).
			want(t, 400, `"code":"persisted_query_not_supported"`)
	})
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
