package integration

import (
	"net/http"
	"testing"
)

// bulkText is a mutation that runs for each line of a file.
const bulkText = "mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }"

func init() {
	addArea(map[string]call{
		"getDocument": {method: "GET", path: "/documents/$doc", variables: `{"doc_id": "$doc"}`},
		"listDocuments": {method: "GET", path: "/documents?per_page=2&order_by=-title&light=true&q=words&created_from=2020-01-01&states=ready,hidden",
			variables: `{"per_page": 2, "order_by": {"field": "TITLE", "direction": "DESC"}, "light": true, "q": "words",
				"created_from": "2020-01-01T00:00:00Z", "states": ["READY", "HIDDEN"]}`},
		"countDocuments": {method: "GET", path: "/documents/count?tag=a&languages=en,de&has_reactions=false",
			variables: `{"tag": "a", "languages": ["en", "de"], "has_reactions": false}`},
		"createDocument": {method: "POST", path: "/documents",
			body:      `{"title": "t", "content": "c", "content_type": "note"}`,
			variables: `{"body": {"title": "t", "content": "c", "contentType": "note"}}`},
		"createDocuments": {method: "POST", path: "/documents", variables: `{"body": {"files": [null]}}`, file: "files",
			variable: "body.files.0", order: 1},
		"updateDocument": {method: "PATCH", path: "/documents/$doc",
			body:      `{"title": "new", "extracted_date": null}`,
			variables: `{"body": {"documentId": "$doc", "title": "new", "extractedDate": null}}`},
		"deleteDocument": {method: "DELETE", path: "/documents/$doc", variables: `{"doc_id": "$doc"}`,
			order: 2},
		"listDocumentVersions": {method: "GET", path: "/documents/$doc/versions", variables: `{"doc_id": "$doc"}`},
		"listDeletedDocuments": {method: "GET", path: "/documents/deleted", variables: `{}`},
		"restoreDocument": {method: "POST", path: "/documents/$deleted/restore", variables: `{"doc_id": "$deleted"}`,
			order: 1},
		"eraseDocument": {method: "POST", path: "/documents/$erased/erase", variables: `{"doc_id": "$erased"}`, order: 1},
		"startBulkUpdate": {method: "POST", path: "/documents/bulk",
			body:      `{"document_ids": ["$doc"], "set": {"company": "Tidewall", "visibility": "internal"}}`,
			variables: `{"body": {"documentIds": ["$doc"], "set": {"company": "Tidewall", "visibility": "INTERNAL"}, "dryRun": false}}`,
			order:     1},
		"tryBulkUpdate": {method: "POST", path: "/documents/bulk?dry_run=true",
			body:      `{"filter": {"states": ["ready"]}, "set": {"company": "Tidewall"}}`,
			variables: `{"body": {"filter": {"states": ["READY"]}, "set": {"company": "Tidewall"}, "dryRun": true}}`},
		"startBulkQuery": {method: "POST", path: "/bulk-queries", body: `{"query": "{ documents { nodes { id } } }"}`,
			variables: `{"body": {"query": "{ documents { nodes { id } } }"}}`, alone: true},
		"startBulkMutation": {method: "POST", path: "/bulk-mutations", file: "file", variable: "body.file",
			fields:    map[string]string{"mutation": bulkText},
			variables: `{"body": {"mutation": "` + bulkText + `", "file": null}}`, alone: true},
		"undoBulkUpdate": {method: "POST", path: "/documents/bulk/$bulk/undo", variables: `{"job_id": "$bulk"}`,
			order: 1},
		"ingestDocument": {method: "POST", path: "/documents/ingest",
			body: `{"source_url": "http://10.9.9.9/x"}`, variables: `{"body": {"sourceUrl": "http://10.9.9.9/x"}}`,
			order: 1},
		"ingestAuto": {method: "POST", path: "/documents/ingest/auto", body: `{"url": "http://10.9.9.9/y"}`,
			variables: `{"body": {"url": "http://10.9.9.9/y"}}`, order: 1},
		"estimateIngestDocument": {method: "POST", path: "/documents/ingest?estimate=true",
			body: `{"source_url": "http://10.9.9.9/x"}`, variables: `{"body": {"sourceUrl": "http://10.9.9.9/x"}}`},
		"estimateIngestAuto": {method: "POST", path: "/documents/ingest/auto?estimate=true",
			body: `{"url": "http://10.9.9.9/y"}`, variables: `{"body": {"url": "http://10.9.9.9/y"}}`},
		"backload": {method: "POST", path: "/documents/backload/async",
			body:      `{"source_urls": ["http://10.9.9.9/x", "$site/missing.html"], "since": "2026-01-02"}`,
			variables: `{"body": {"sourceUrls": ["http://10.9.9.9/x", "$site/missing.html"], "since": "2026-01-02"}}`,
			alone:     true},
		"extractText": {method: "POST", path: "/documents/extract-text", variables: `{"file": null}`,
			file: "file"},
		"retryDocument": {method: "POST", path: "/documents/$failed/retry", body: `{"content": "text"}`,
			variables: `{"body": {"documentId": "$failed", "content": "text"}}`, order: 1},
		"listJobs": {method: "GET", path: "/jobs?statuses=completed&job_type=ingest&finished_from=2020-01-01&order_by=finished_at",
			variables: `{"statuses": ["COMPLETED"], "job_type": "ingest", "finished_from": "2020-01-01T00:00:00Z",
				"order_by": {"field": "FINISHED_AT", "direction": "ASC"}}`},
		"getJob": {method: "GET", path: "/jobs/$job", variables: `{"job_id": "$job"}`},
		"cancelJob": {method: "POST", path: "/jobs/$running/cancel", body: `{"reason": "r"}`,
			variables: `{"body": {"jobId": "$running", "reason": "r"}}`, alone: true},
		"retryJob":   {method: "POST", path: "/jobs/$job/retry", variables: `{"job_id": "$job"}`, order: 1},
		"dismissJob": {method: "POST", path: "/jobs/$job/dismiss", variables: `{"job_id": "$job"}`},
		"watchJob": {method: "GET", path: "/jobs/$job/events?after=1",
			variables: `{"job_id": "$job", "after": 1}`, accept: stream},
		"listJobEvents": {method: "GET", path: "/jobs/$job/events?after=1",
			variables: `{"job_id": "$job", "after": 1}`, accept: "application/json"},
	}, prepareDocuments)
}

// prepareDocuments creates a document, a failed document, its job, and a document in fetching.
func prepareDocuments(t *testing.T, s *state) {
	t.Helper()
	s.ids["$doc"] = s.post(t, "/documents", `{"title": "T", "content": "Some words.", "tags": ["a"], "extracted_date": "2026-01-02"}`, "document", "id")
	s.ids["$deleted"] = s.post(t, "/documents", `{"title": "Deleted", "content": "Some words."}`, "document", "id")
	s.app.Do(t, http.MethodDelete, "/api/v1/documents/"+s.ids["$deleted"], nil, "")
	s.ids["$erased"] = s.post(t, "/documents", `{"title": "Erased", "content": "Some words."}`, "document", "id")
	s.ids["$bulk"] = s.post(t, "/documents/bulk", `{"document_ids": ["`+s.ids["$doc"]+`"], "set": {"executive": "Ann Lee"}}`,
		"job_id")
	s.until(t, "$bulk", "completed", 100)
	s.ids["$failed"] = s.post(t, "/documents/ingest", `{"source_url": "http://10.9.9.8/"}`, "document_id")
	s.ids["$job"] = s.post(t, "/documents/ingest", `{"source_url": "`+s.site+`/missing.html"}`, "scrape_job_id")
	s.until(t, "$job", "failed", 100)
	s.ids["$running"] = s.post(t, "/documents/ingest", `{"source_url": "`+s.site+`/slow"}`, "scrape_job_id")
	s.until(t, "$running", "running", 5)
	t.Cleanup(func() { // a host has few slots, and this job holds a slot
		s.app.Do(t, http.MethodPost, "/api/v1/jobs/"+s.ids["$running"]+"/cancel", nil, "")
	})
}
