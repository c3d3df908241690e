package integration

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rostrum/test/kit"
)

// TestOriginal fetches the original of a page under embargo: as a download that no browser runs, for
// its own workspace only, and with an entry of the audit log.
func TestOriginal(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			a := stack.Start(t)
			const form = "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"seite <1>.html\"\r\n\r\n" +
				"<html><body><script>alert(1)</script><p>The pier opens.</p></body></html>\r\n" +
				"--b\r\nContent-Disposition: form-data; name=\"visibility\"\r\n\r\nembargoed\r\n" +
				"--b\r\nContent-Disposition: form-data; name=\"embargoed_until\"\r\n\r\n2199-01-01T00:00:00Z\r\n--b--\r\n"
			answer := a.Do(t, "POST", "/api/v1/documents", http.Header{"Content-Type": {"multipart/form-data; boundary=b"}}, form)
			answer.Want(t, 202, `"name":"seite <1>.html"`)
			var made struct {
				Files []struct {
					DocumentID string `json:"document_id"`
				}
			}
			if err := json.Unmarshal(answer.Body, &made); err != nil {
				t.Fatal(err)
			}
			path := "/api/v1/documents/" + made.Files[0].DocumentID + "/original"
			const audit = `{"query": "{ auditLog(first: 5) { nodes { action subjectId } } }"}`
			if before := a.Do(t, "POST", graphPath, nil, audit); strings.Contains(string(before.Body), "document.read") {
				t.Errorf("read before it was: %s", before.Body)
			}
			got := a.Do(t, "GET", path, nil, "")
			got.Want(t, 200, "<script>alert(1)</script>")
			for name, want := range map[string]string{
				"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
				"Content-Disposition":     `attachment; filename="seite <1>.html"; filename*=UTF-8''seite%20%3C1%3E.html`,
				"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox", "Accept-Ranges": "bytes",
			} {
				if value := got.Header.Get(name); value != want {
					t.Errorf("%s is %q, want %q", name, value, want)
				}
			}
			a.Do(t, "POST", graphPath, nil, audit).Want(t, 200, `"document.read"`, made.Files[0].DocumentID)
			tag := got.Header.Get("ETag")
			a.Do(t, "GET", path, http.Header{"If-None-Match": {tag}}, "").Want(t, 304)
			a.Tenant(t).Do(t, "GET", path, nil, "").Want(t, 404)
			a.Do(t, "DELETE", strings.TrimSuffix(path, "/original"), nil, "").Want(t, 204)
			a.Do(t, "GET", path, nil, "").Want(t, 404)
		})
	}
}
