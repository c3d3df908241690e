package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// workspaceClient sends requests of a workspace's key to an app in this process.
type workspaceClient struct {
	app *App
	key string
}

func (c workspaceClient) do(t *testing.T, method, path, contentType, body string) string {
	t.Helper()
	request := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
	request.Header.Set("X-API-Key", c.key)
	if body != "" {
		request.Header.Set("Content-Type", contentType)
	}
	recorder := httptest.NewRecorder()
	c.app.Handler().ServeHTTP(recorder, request)
	if recorder.Code >= http.StatusBadRequest {
		t.Errorf("%s %s: %d %s", method, path, recorder.Code, recorder.Body)
	}
	return recorder.Body.String()
}

func (c workspaceClient) post(t *testing.T, path, body string) string {
	t.Helper()
	return c.do(t, http.MethodPost, path, "application/json", body)
}

// idIn returns the first id in a response.
func idIn(t *testing.T, body string) string {
	t.Helper()
	id := regexp.MustCompile(`"(?:\w+_)?id":\s*"(\w+)"`).FindStringSubmatch(body)
	if id == nil {
		t.Errorf("there is no id in %s", body)
		return "none"
	}
	return id[1]
}

// fillWorkspace makes objects of many tables, texts that JSON and SQL escape, and files. It returns the paths that
// tell all of it.
func fillWorkspace(t *testing.T, c workspaceClient) (paths []string) {
	t.Helper()
	const upload = "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"memo.txt\"\r\nContent-Type: text/plain\r\n\r\n" +
		"A memo on tidal power.\r\n--b--\r\n"
	file := idIn(t, c.do(t, http.MethodPost, "/documents", "multipart/form-data; boundary=b", upload))
	document := idIn(t, c.post(t, "/documents", `{"title": "Quotes ' and \" and \\ ? and %s — 東京 \u001f", "content": "Tidal <b>power</b>.\nSecond line."}`))
	link := idIn(t, c.post(t, "/links", `{"destination_url": "https://example.com/?a=1&b=2", "title": "It's", "tags": ["Spring"]}`))
	page := idIn(t, c.post(t, "/links", `{"kind": "page", "title": "Page", "body": "<p>Hello.</p>", "form": {"fields": [{"name": "email", "type": "email"}]}}`))
	persona := idIn(t, c.post(t, "/personas", `{"name": "Ada", "description": "An engineer."}`))
	c.post(t, "/content-creation/drafts", `{"title": "Draft", "content": "Body."}`)
	c.post(t, "/auto-tags", `{"name": "`+model.NewID("n")+`", "tag_type": "topic"}`)
	return []string{"/workspace", "/documents", "/documents/" + document, "/documents/" + file,
		"/documents/" + file + "/original", "/documents?q=tidal", "/links", "/links/" + link, "/links/" + page, "/links?q=it", "/webhooks", "/personas", "/personas/" + persona, "/content-creation/drafts",
		"/auto-tags", "/auth/keys", "/signals", "/sources", "/jobs"}
}

// TestBackup archives each kind of database while it is written to, and restores it in both kinds: the API tells the
// same of it, stored figures are right, and the jobs that had not ended run.
func TestBackup(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		config.SealKey, config.PublicURL = testSealKey, "https://rostrum.test"
		c := newClient(t, config)
		hook := idIn(t, c.post(t, "/webhooks", `{"url": "https://hooks.example/x"}`))
		c.do(t, http.MethodPatch, "/webhooks/"+hook, "application/json", `{"is_active": false}`) // queues a task
		backupBesideWrites(t, c, config)
		paths := fillWorkspace(t, c)
		whole := filepath.Join(t.TempDir(), "whole.zip")
		if err := (backupCommand{File: whole}).Run(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		if err := (backupCommand{File: whole}).Run(t.Context(), config); err == nil {
			t.Error("an archive is overwritten")
		}
		before := map[string]string{}
		for _, path := range paths {
			before[path] = c.do(t, http.MethodGet, path, "", "")
		}
		for _, b := range dbtest.Backends(t) {
			t.Run("to "+b.Name, func(t *testing.T) {
				restored := workspaceClient{restoreInto(t, b, whole), c.key}
				for _, path := range paths {
					if after := restored.do(t, http.MethodGet, path, "", ""); after != before[path] {
						t.Errorf("%s was\n%s\nand is\n%s", path, before[path], after)
					}
				}
				if tasks, err := job.OpenTasks(t.Context(), restored.app.db); err != nil || len(tasks) != 1 {
					t.Errorf("the tasks are %v, want that of the webhook (%v)", tasks, err)
				}
				fillWorkspace(t, restored) // sequences go on
				if err := restored.app.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				poll.Until(t, func() bool {
					return !strings.Contains(restored.do(t, http.MethodGet, "/jobs?status=queued", "", ""), `"queued"`)
				}, "jobs that had not ended do not run")
			})
		}
	})
}

const testSealKey = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

func newClient(t *testing.T, config Config) workspaceClient {
	t.Helper()
	a, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	_, key, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Test", Plan: model.PlanTeam})
	if err != nil {
		t.Fatal(err)
	}
	return workspaceClient{a, key}
}

// restoreInto restores an archive in a new database and data directory, and returns an app of it. A second time is
// refused.
func restoreInto(t *testing.T, b dbtest.Backend, archive string) *App {
	t.Helper()
	config := testConfig(t)
	config.SealKey, config.PublicURL = testSealKey, "https://rostrum.test"
	if b.Name != "sqlite" {
		config.Database = b.EmptyAddress(t)
	}
	if err := (restoreCommand{File: archive}).Run(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if err := (restoreCommand{File: archive}).Run(t.Context(), config); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a database in use is filled: %v", err)
	}
	a, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// backupBesideWrites archives the database while documents and links are made, and restores it: every stored figure
// is that of the same moment as the rows.
func backupBesideWrites(t *testing.T, c workspaceClient, config Config) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for ctx.Err() == nil {
				fillWorkspace(t, c)
			}
		})
	}
	for i := range 2 {
		archive := filepath.Join(t.TempDir(), fmt.Sprintf("%d.zip", i))
		if err := (backupCommand{File: archive}).Run(t.Context(), config); err != nil {
			t.Error(err)
			break
		}
		restoreInto(t, dbtest.Backends(t)[0], archive)
	}
	stop()
	writers.Wait()
}

// TestRestore_of_a_part refuses files that are not whole archives, and changes nothing.
func TestRestore_of_a_part(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	c := newClient(t, config)
	fillWorkspace(t, c)
	whole := filepath.Join(t.TempDir(), "whole.zip")
	if err := (backupCommand{File: whole}).Run(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string][]byte{"none": nil, "half": text[:len(text)/2], "all but the end": text[:len(text)-1], "text": []byte("text")} {
		path := filepath.Join(t.TempDir(), "part.zip")
		if err := os.WriteFile(path, part, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := (restoreCommand{File: path}).Run(t.Context(), testConfig(t)); !errs.Is(err, errs.BadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
