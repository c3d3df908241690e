package e2e

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// TestWatch ingests a web page and a PDF, watches each job over the REST stream, graphql-ws and
// graphql-sse while it runs, and reads the document through REST and GraphQL.
func TestWatch(t *testing.T) {
	needNode(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		for _, src := range []source{newPage(1), newPDF(t, 2)} {
			t.Run(strings.TrimLeft(src.path, "/"), func(t *testing.T) {
				site := newPausedSite(t, src)
				made := g.ingest(t, site.url)
				if made.ProcessingStatus == nil || *made.ProcessingStatus != "fetching" {
					t.Errorf("the placeholder is %v, want fetching", made.ProcessingStatus)
				}
				site.awaitRequest(t)
				compareClients(t, g, made.JobID, site.open)
				sameDocument(t, g, g.awaitDocument(t, made.DocumentID), src)
			})
		}
	})
}

// compareClients follows a job with three clients, all of which subscribe before its source is
// served, and compares their events.
func compareClients(t *testing.T, g *gateway, jobID string, open func()) {
	t.Helper()
	all := []*jobFollower{
		startFollower(t, "curl -N", g.sse(jobID, "")),
		startFollower(t, "graphql-ws", g.runNodeClient("socket.mjs", jobID)),
		startFollower(t, "graphql-sse", g.runNodeClient("sse.mjs", jobID)),
	}
	for _, f := range all {
		f.awaitFirst(t)
	}
	open()
	var heard [][]event
	common := 0
	for _, f := range all {
		events := f.awaitEnd(t)
		heard, common = append(heard, events), max(common, events[0].Position)
		if last := events[len(events)-1]; last.Job.Status != "COMPLETED" || last.Job.ID != jobID {
			t.Errorf("%s: the job ended as %v", f.name, last)
		}
	}
	want := eventsAfter(heard[0], common)
	if len(want) < 2 {
		t.Errorf("the job was watched for %d events only: %v", len(want), want)
	}
	for i, f := range all[1:] {
		if diff := cmp.Diff(want, eventsAfter(heard[i+1], common)); diff != "" {
			t.Errorf("curl -N (-) and %s (+) received different events: %s", f.name, diff)
		}
	}
}

// document is a document in REST's form.
type document map[string]any

// awaitDocument polls a document, as clients without subscriptions do, until its processing status
// is null.
func (g *gateway) awaitDocument(t *testing.T, id string) document {
	t.Helper()
	var read struct{ Document document }
	awaitSuccess(t, startTimeout, "the document is done", func() error {
		read.Document = nil
		g.rest(t, http.MethodGet, "/api/v1/documents/"+id, nil, &read)
		if status := read.Document["processing_status"]; status != nil {
			return fmt.Errorf("the status is %v: %v", status, read.Document["processing_error"])
		}
		return nil
	})
	return read.Document
}

// sameDocument checks that the document has the source's text and that REST and GraphQL return the
// same data.
func sameDocument(t *testing.T, g *gateway, viaREST document, src source) {
	t.Helper()
	content, _ := viaREST["content"].(string)
	if !strings.Contains(content, src.wantText) || strings.Contains(content, "All rights reserved") {
		t.Errorf("the document's text is not the article's: %q", content)
	}
	if count := len([]rune(content)); viaREST["character_count"] != float64(count) {
		t.Errorf("character_count is %v of %d characters", viaREST["character_count"], count)
	}
	var read struct{ Document map[string]any }
	g.graph(t, documentQuery, map[string]any{"id": viaREST["id"]}, &read)
	viaGraph := document(snakeCase(read.Document).(map[string]any))
	for _, closed := range []string{"media_provenance", "processing_status", "visibility"} {
		if value, ok := viaGraph[closed].(string); ok {
			viaGraph[closed] = strings.ToLower(value)
		}
	}
	if !reflect.DeepEqual(viaREST, viaGraph) {
		t.Errorf("REST (-) and the graph (+) differ: %s", cmp.Diff(viaREST, viaGraph))
	}
}

const documentQuery = `query Read($id: ID!) {
  document(id: $id) {
    id workspaceId title content contentType communicationType company: companyName executive: executiveName author language createdAt updatedAt extractedAt
    extractedDate mediaProvenance processingStatus processingError { code message retryable } visibility embargoedUntil sourceUrl url wordCount characterCount
    isNarrativeTestingUpload original { name mediaType size url } tags autoTags { name extractedValue appliedAt confidenceScore tagType }
  }
}`

// snakeCase spells the keys of a JSON value as REST does.
func snakeCase(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, member := range value {
			out[snake(key)] = snakeCase(member)
		}
		return out
	case []any:
		out := slices.Clone(value)
		for i := range out {
			out[i] = snakeCase(out[i])
		}
		return out
	}
	return value
}

func snake(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// TestResume drops the connection after each new position and resumes after it; each position is
// received exactly once.
func TestResume(t *testing.T) {
	needNode(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		for name, resume := range map[string]func(jobID string) jobClient{
			"Last-Event-ID": g.followResuming,
			"after":         func(jobID string) jobClient { return g.runNodeClient("socket.mjs", jobID, "RESUME=1") },
		} {
			t.Run(name, func(t *testing.T) {
				site := newPausedSite(t, newPage(len(name)))
				made := g.ingest(t, site.url)
				whole, pieces := startFollower(t, "the whole", g.sse(made.JobID, "")),
					startFollower(t, name, resume(made.JobID))
				whole.awaitFirst(t)
				pieces.awaitFirst(t)
				site.open()
				all, joined := whole.awaitEnd(t), pieces.awaitEnd(t)
				common := max(all[0].Position, joined[0].Position)
				if diff := cmp.Diff(eventsAfter(all, common), eventsAfter(joined, common)); diff != "" {
					t.Errorf("one connection (-) and many (+) received different events: %s", diff)
				}
			})
		}
	})
}

// followResuming follows a job on the REST route with one connection for each position.
func (g *gateway) followResuming(jobID string) jobClient {
	return func(ctx context.Context, emit func(event) bool) error {
		lastID, position := "", -1
		for ended := false; !ended; {
			cut := false
			err := g.sse(jobID, lastID)(ctx, func(e event) bool {
				emit(e)
				cut, ended = e.Position > position, e.Kind == "END"
				position = max(position, e.Position)
				return !cut
			})
			if err != nil {
				return err
			}
			if !cut && !ended {
				return fmt.Errorf("the stream after %q ended before the job", lastID)
			}
			lastID = strconv.Itoa(position)
		}
		return nil
	}
}
