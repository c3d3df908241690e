package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rostrum/test/kit"
)

const drafts = "/api/v1/content-creation/drafts"

// TestDraft checks concurrent editors of a draft, and very long drafts.
func TestDraft(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		t.Run("a_save_returns_the_ETag_of_a_read", func(t *testing.T) {
			saved := a.Do(t, http.MethodPost, drafts, nil, `{"content": "One"}`)
			tag := saved.Header.Get("ETag")
			path := drafts + "/" + field(t, saved, "draft", "id")
			read := a.Do(t, http.MethodGet, path, nil, "")
			if tag != `"`+field(t, saved, "draft", "version")+`"` || read.Header.Get("ETag") != tag {
				t.Errorf("saved %s, read %s: %s", tag, read.Header.Get("ETag"), read.Body)
			}
			if again := a.Do(t, http.MethodGet, path, http.Header{"If-None-Match": {tag}},
				""); again.Status != http.StatusNotModified {
				t.Errorf("read again: %d", again.Status)
			}
		})
		t.Run("one_of_many_concurrent_editors_saves", func(t *testing.T) {
			saved := a.Do(t, http.MethodPost, drafts, nil, `{"content": "One"}`)
			id, tag := field(t, saved, "draft", "id"), saved.Header.Get("ETag")
			var won, lost atomic.Int64
			var all sync.WaitGroup
			for n := range 12 {
				all.Go(func() {
					body := fmt.Sprintf(`{"draft_id": %q, "content": "of editor %d"}`, id, n)
					switch answer := a.Do(t, http.MethodPost, drafts, http.Header{"If-Match": {tag}},
						body); answer.Status {
					case http.StatusOK:
						won.Add(1)
					case http.StatusPreconditionFailed:
						lost.Add(1)
					default:
						t.Errorf("%d: %s", answer.Status, answer.Body)
					}
				})
			}
			all.Wait()
			if won.Load() != 1 || lost.Load() != 11 {
				t.Errorf("%d saved, %d received a conflict", won.Load(), lost.Load())
			}
		})
		t.Run("accepts_eight_megabytes_and_rejects_eleven", func(t *testing.T) {
			saved := a.Do(t, http.MethodPost, drafts, nil, `{"content": "`+strings.Repeat("word ", 1_700_000)+`"}`)
			if saved.Status != http.StatusOK || !strings.Contains(string(saved.Body), `"word_count":1700000`) {
				t.Fatalf("%d: %.300s", saved.Status, saved.Body)
			}
			ids := []string{savedID(t, saved), savedID(t, a.Do(t, http.MethodPost, drafts, nil, `{"content": "One"}`))}
			copyContent(t, a, ids[0], ids[1])
			checkLongDrafts(t, a, ids)
			long := a.Do(t, http.MethodPost, drafts, nil, `{"content": "`+strings.Repeat("word ", 2_200_000)+`"}`)
			problem(t, "eleven megabytes", long, http.StatusRequestEntityTooLarge)
			for path, body := range map[string]string{
				"enhance": `{"current_draft": %q}`, "rewrite-segments": `{"full_draft": %q}`,
				"de-machine-style": `{"text": %q}`, "coverage": `{"content": %q}`,
			} {
				answer := a.Do(t, http.MethodPost, "/api/v1/content-creation/"+path, nil,
					fmt.Sprintf(body, strings.Repeat("x", 200_001)))
				problem(t, path, answer, http.StatusRequestEntityTooLarge)
			}
		})
	})
}

var idMember = regexp.MustCompile(`"id":"(\w+)"`)

// savedID returns the id of a saved draft. The response is not decoded, which takes seconds for
// megabytes.
func savedID(t *testing.T, saved *kit.Response) string {
	t.Helper()
	found := idMember.FindSubmatch(saved.Body)
	if found == nil {
		t.Fatalf("no id in %d: %.300s", saved.Status, saved.Body)
	}
	return string(found[1])
}

// copyContent copies the text of a draft to another in the database.
func copyContent(t *testing.T, a *kit.App, from, to string) {
	t.Helper()
	_, err := a.OpenDB(t).NewUpdate().Table("draft").Set("content = (SELECT content FROM draft WHERE id = ?)", from).
		Where("id = ?", to).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

// checkLongDrafts reads drafts whose texts are together longer than may be read at once.
func checkLongDrafts(t *testing.T, a *kit.App, ids []string) {
	t.Helper()
	for query, refused := range map[string]bool{
		"{ drafts { nodes { content } } }":                                         true,
		"{ drafts { nodes { id } } }":                                              false,
		fmt.Sprintf("{ nodes(ids: %q) { ... on Draft { content } } }", ids):        true,
		fmt.Sprintf("{ nodes(ids: %q) { ... on Draft { title } } }", ids):          false,
		fmt.Sprintf("{ node(id: %q) { ... on Draft { title content } } }", ids[0]): false,
	} {
		answer := a.Do(t, http.MethodPost, "/graphql", nil, fmt.Sprintf(`{"query": %q}`, query))
		if bytes.Contains(answer.Body, []byte(`"code":"limit_exceeded"`)) != refused || !refused &&
			bytes.Contains(answer.Body, []byte(`"errors"`)) {
			t.Errorf("%s: %.300s", query, answer.Body)
		}
	}
}
