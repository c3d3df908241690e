package integration

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// TestRegisteredOperations runs registered operations where only stored ones run: in every process,
// by each of their names, for their own workspace only, until they are retired.
func TestRegisteredOperations(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		strict := startPeer(t, a, func(o *kit.App) { o.Config.Trust = model.TrustedDocumentsEnforce })
		const text, other = "query Count { documentCount }", "query Other { documentCount }"
		sum := sha256.Sum256([]byte(text))
		hash := hex.EncodeToString(sum[:])
		push := `{"app": "web", "version": "12", "manifest": {"count": "` + text + `"}}`
		key, registrar := http.Header{"X-Api-Key": {strict.Key}}, a
		if a.Config.Database == "" {
			registrar = strict // a file has one process
		}
		made := registrar.Do(t, "POST", "/api/v1/app-versions", key, push)
		wantResponse(t, made, 201, `"operation_count":1`)
		var version struct{ ID string }
		if err := json.Unmarshal(made.Body, &version); err != nil {
			t.Fatal(err)
		}
		requests := []map[string]any{{"documentId": "count"}, {"documentId": "sha256:" + hash}, {"id": "count"},
			{"query": text}, persisted(text, false), persisted(text, true)}
		poll.Until(t, func() bool { return graphBody(t, strict, nil, requests[0]).Status == http.StatusOK }, "the other process does not run the operation")
		for _, request := range requests {
			wantResponse(t, graphBody(t, strict, nil, request), 200, `"documentCount":0`)
		}
		wantResponse(t, strict.Do(t, "GET", "/graphql?documentId=count", nil, ""), 200, `"documentCount":0`)
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": other}), 400, "document_not_trusted")
		stranger := strict.Tenant(t)
		for _, request := range requests {
			wantResponse(t, graphBody(t, stranger, nil, request), 400, "document_not_trusted")
		}
		poll.Until(t, func() bool {
			var found struct{ Requests int }
			body := strict.Do(t, "GET", "/api/v1/app-versions/"+version.ID, nil, "").Body
			return json.Unmarshal(body, &found) == nil && found.Requests >= len(requests)
		}, "the requests are not counted")
		wantResponse(t, registrar.Do(t, "DELETE", "/api/v1/app-versions/"+version.ID, key, ""), 204, "")
		poll.Until(t, func() bool { return graphBody(t, strict, nil, requests[0]).Status == http.StatusBadRequest },
			"the other process runs a retired operation")
	})
}

// TestRegisteredOperations_tokens refuses a text that could never run, before it is validated.
func TestRegisteredOperations_tokens(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		text := "query A { workspace { " + strings.Repeat("id ", 6000) + "} }"
		answer := a.Do(t, "POST", "/api/v1/app-versions", nil, `{"app": "web", "version": "1", "manifest": {"a": "`+text+`"}}`)
		answer.Want(t, http.StatusUnprocessableEntity)
		if !strings.Contains(string(answer.Body), "5000 tokens") {
			t.Errorf("%s", answer.Body)
		}
	})
}
