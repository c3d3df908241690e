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

// TestWatch ingests a web page and a PDF, watches each job over the REST stream, graphql-ws and graphql-sse while it runs, and
// reads the document through both doors.
func TestWatch(t *testing.T) {
	needNode(t)
	eachPlace(t, func(t *testing.T, p place) {
		g := p.start(t)
		for _, src := range []source{newPage(1), newPDF(t, 2)} {
			t.Run(strings.TrimLeft(src.path, "/"), func(t *testing.T) {
				site := newHeldSite(t, src)
				made := g.ingest(t, site.url)
				if made.ProcessingStatus == nil || *made.ProcessingStatus != "fetching" {
					t.Errorf("the placeholder is %v, want fetching", made.ProcessingStatus)
				}
				site.await(t)
				watchThrice(t, g, made.JobID, site.open)
				sameDocument(t, g, g.ready(t, made.DocumentID), src)
			})
		}
	})
}

// watchThrice follows a job with three clients, all of which listen before its source is given out, and compares what they heard.
func watchThrice(t *testing.T, g *process, jobID string, open func()) {
	t.Helper()
	all := []*following{
		follow(t, "curl -N", g.sse(jobID, "")),
		follow(t, "graphql-ws", g.node("socket.mjs", jobID)),
		follow(t, "graphql-sse", g.node("sse.mjs", jobID)),
	}
	for _, f := range all {
		f.begin(t)
	}
	open()
	var heard [][]event
	common := 0
	for _, f := range all {
		events := f.end(t)
		heard, common = append(heard, events), max(common, events[0].Position)
		if last := events[len(events)-1]; last.Job.Status != "COMPLETED" || last.Job.ID != jobID {
			t.Errorf("%s: the job ended as %v", f.name, last)
		}
	}
	want := behind(heard[0], common)
	if len(want) < 2 {
		t.Errorf("the job was watched for %d events only: %v", len(want), want)
	}
	for i, f := range all[1:] {
		if diff := cmp.Diff(want, behind(heard[i+1], common)); diff != "" {
			t.Errorf("curl -N (-) and %s (+) heard different events: %s", f.name, diff)
		}
	}
}

// document is a document as REST shows it.
type document map[string]any

// ready polls a document, as clients do that do not watch, until its processing status is null.
func (g *process) ready(t *testing.T, id string) document {
	t.Helper()
	var read struct{ Document document }
	eventually(t, startTime, "the document is done", func() error {
		read.Document = nil
		g.rest(t, http.MethodGet, "/api/v1/documents/"+id, nil, &read)
		if status := read.Document["processing_status"]; status != nil {
			return fmt.Errorf("it is %v: %v", status, read.Document["processing_error"])
		}
		return nil
	})
	return read.Document
}

// sameDocument checks that the document has the source's text and that both doors show the same.
func sameDocument(t *testing.T, g *process, viaREST document, src source) {
	t.Helper()
	content, _ := viaREST["content"].(string)
	if !strings.Contains(content, src.says) || strings.Contains(content, "All rights reserved") {
		t.Errorf("the document's text is not the article's: %q", content)
	}
	if count := len([]rune(content)); viaREST["character_count"] != float64(count) {
		t.Errorf("character_count is %v of %d characters", viaREST["character_count"], count)
	}
	var read struct{ Document map[string]any }
	g.graph(t, documentQuery, map[string]any{"id": viaREST["id"]}, &read)
	viaGraph := document(snakeCase(read.Document).(map[string]any))
	for _, closed := range []string{"media_provenance", "processing_status"} {
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
    id workspaceId title content contentType communicationType company executive author language createdAt updatedAt extractedAt
    extractedDate mediaProvenance processingStatus processingError { code message retryable } sourceUrl url wordCount characterCount
    isNarrativeTestingUpload tags autoTags { name extractedValue appliedAt confidenceScore tagType }
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

// TestResume drops the connection after each new position and reconnects behind it; each position comes exactly once.
func TestResume(t *testing.T) {
	needNode(t)
	eachPlace(t, func(t *testing.T, p place) {
		g := p.start(t)
		for name, resume := range map[string]func(jobID string) client{
			"Last-Event-ID": g.resumed,
			"after":         func(jobID string) client { return g.node("socket.mjs", jobID, "RESUME=1") },
		} {
			t.Run(name, func(t *testing.T) {
				site := newHeldSite(t, newPage(len(name)))
				made := g.ingest(t, site.url)
				whole, pieces := follow(t, "the whole", g.sse(made.JobID, "")), follow(t, name, resume(made.JobID))
				whole.begin(t)
				pieces.begin(t)
				site.open()
				all, joined := whole.end(t), pieces.end(t)
				common := max(all[0].Position, joined[0].Position)
				if diff := cmp.Diff(behind(all, common), behind(joined, common)); diff != "" {
					t.Errorf("one connection (-) and many (+) heard different events: %s", diff)
				}
			})
		}
	})
}

// resumed follows a job on the REST route with one connection for each position.
func (g *process) resumed(jobID string) client {
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
				return fmt.Errorf("the stream behind %q ended before the job", lastID)
			}
			lastID = strconv.Itoa(position)
		}
		return nil
	}
}
