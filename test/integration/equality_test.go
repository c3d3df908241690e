package integration

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rostrum/rest/stored"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// call is one operation in both APIs: the REST request, and the variables of the stored operation.
type call struct {
	method, path, body string
	variables          string
	accept             string            // the requested media type; a stream's frames are compared as a list
	file               string            // the form field and variable of an upload
	fields             map[string]string // the other fields of its form
	variable           string            // the path of the variable of an upload, if it is another
	refusal            string            // the code with which both APIs refuse it, for example without a text model
	frames             int               // the number of frames with data to read from an endless stream; 0 for a stream that ends
	// the place of a call that changes its workspace among those of its area; calls of one place are ordered by name
	order int
	// whether a call is refused, or answered in time, after others of its area: it has workspaces of its own
	alone bool
}

// area is the operations of one area, and the func that prepares a workspace for them.
type area struct {
	calls   map[string]call
	prepare func(t *testing.T, s *state)
}

// areas are what the equality_*_test.go files cover.
var areas []area

// addArea adds an area; every stored operation has a call in exactly one.
func addArea(calls map[string]call, prepare func(t *testing.T, s *state)) {
	areas = append(areas, area{calls, prepare})
}

// areaOf returns the area of a stored operation, or nil; a new operation without an area fails the
// test.
func areaOf(name string) *area {
	for i, a := range areas {
		if _, ok := a.calls[name]; ok {
			return &areas[i]
		}
	}
	return nil
}

// TestEquality/NAME runs a stored operation through REST and through GraphQL, and compares the
// data. Operations that change nothing share a workspace for each area. The others share two, which
// start in the same state and stay so: they run one after another, each through REST in the first
// and through GraphQL in the second.
func TestEquality(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		operations := app.Operations()
		shared, first, second := map[*area]*state{}, map[*area]*state{}, map[*area]*state{}
		for i := range areas {
			for _, states := range []map[*area]*state{shared, first, second} {
				states[&areas[i]] = prepareState(t, app.Tenant(t), &areas[i])
			}
		}
		for _, name := range slices.SortedFunc(maps.Keys(operations), compareOrder) {
			t.Run(name, func(t *testing.T) {
				a := areaOf(name)
				switch {
				case a == nil:
					t.Fatal("the operation has no call; add a call in the equality test of its area")
				case a.calls[name].alone:
					t.Parallel()
					compareAPIs(t, name, a.calls[name], prepareState(t, app.Tenant(t), a),
						prepareState(t, app.Tenant(t), a))
				case changesState(name, operations[name]):
					compareAPIs(t, name, a.calls[name], first[a], second[a])
				default:
					t.Parallel()
					compareAPIs(t, name, a.calls[name], shared[a], shared[a])
				}
			})
		}
	})
}

// compareOrder compares the places of two operations among those that share a workspace.
func compareOrder(x, y string) int {
	order := func(name string) int {
		if a := areaOf(name); a != nil {
			return a.calls[name].order
		}
		return 0
	}
	return cmp.Or(cmp.Compare(order(x), order(y)), cmp.Compare(x, y))
}

// compareAPIs runs a call through REST in the first workspace and through GraphQL in the second.
func compareAPIs(t *testing.T, name string, c call, first, second *state) {
	t.Helper()
	byREST, byGraph := first.rest(t, name, c), second.graph(t, name, second.app.Stored()[name].Text, c)
	if byREST != byGraph {
		t.Errorf("REST returns\n%s\nGraphQL returns\n%s", byREST, byGraph)
	}
}

// changesState reports whether an operation may change its workspace: it is a mutation and not an
// estimate. A dry run keeps its verdicts for later runs.
func changesState(name, text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "mutation") && !strings.HasPrefix(name, "estimate")
}

// state is a prepared workspace: ids by the names that its calls use.
type state struct {
	app  *kit.App
	site string // the address of a site to fetch from; separate, as requests to a host are limited
	ids  map[string]string
}

func prepareState(t *testing.T, app *kit.App, a *area) *state {
	t.Helper()
	site := kit.NewSite(t, map[string]string{"site/words.txt": "A few words that will do.",
		"site/feed.xml": `<rss version="2.0"><channel><title>News</title></channel></rss>`})
	s := &state{app: app, site: site, ids: map[string]string{}}
	a.prepare(t, s)
	return s
}

// until waits for a job to reach a status and, when it is running, the progress, so that both calls
// meet the same state.
func (s *state) until(t *testing.T, job, status string, progress int) {
	t.Helper()
	poll.Until(t, func() bool {
		var got struct {
			Status   string
			Progress int
		}
		answer := s.app.Do(t, http.MethodGet, "/api/v1/jobs/"+s.ids[job], nil, "")
		if err := json.Unmarshal(answer.Body, &got); err != nil {
			t.Fatal(err)
		}
		return got.Status == status && (status != "running" || got.Progress == progress)
	}, "%s is not %s", job, status)
}

func (s *state) post(t *testing.T, path, body string, field ...string) string {
	t.Helper()
	answer := s.app.Do(t, http.MethodPost, "/api/v1"+path, nil, body)
	var value any
	if err := json.Unmarshal(answer.Body, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range field {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	id, ok := value.(string)
	if !ok {
		t.Fatalf("POST %s has no %v: %s", path, field, answer.Body)
	}
	return id
}

func (s *state) fill(text string) string {
	for name, id := range s.ids {
		text = strings.ReplaceAll(text, name, id)
	}
	return text
}

func (s *state) rest(t *testing.T, name string, c call) string {
	t.Helper()
	header, body := http.Header{}, s.fill(c.body)
	if c.file != "" {
		body = multipartBody(t, header, c.fields, c.file)
	}
	if c.accept != "" {
		header.Set("Accept", c.accept)
	}
	answer := s.app.Read(t, c.frames, c.method, "/api/v1"+s.fill(c.path), header, body)
	s.checkServed(t, name, answer)
	if c.refusal != "" && answer.Status >= http.StatusBadRequest &&
		bytes.Contains(answer.Body, []byte(`"code":"`+c.refusal+`"`)) {
		return c.refusal
	}
	if answer.Status >= 300 || c.refusal != "" {
		t.Fatalf("%s %s %s: %d %s", name, c.method, c.path, answer.Status, answer.Body)
	}
	if c.accept == stream {
		return normalize(t, events(t, answer.Body))
	}
	if disposition := answer.Header.Get("Content-Disposition"); disposition != "" {
		return normalize(t, encoded(t, download(t, disposition, answer)))
	}
	return normalize(t, answer.Body)
}

// download returns the fields with which GraphQL describes a file that REST sent.
func download(t *testing.T, disposition string, answer *kit.Response) map[string]any {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(disposition)
	if err != nil {
		t.Fatal(err)
	}
	var warning any
	if said := answer.Header.Get("X-Export-Warning"); said != "" {
		warning = said
	}
	return map[string]any{
		"name": parameters["filename"], "warning": warning, "media_type": answer.Header.Get("Content-Type"),
		"size":    len(answer.Body),
		"content": base64.StdEncoding.EncodeToString(answer.Body),
	}
}

// stream is the media type of a subscription's response.
const stream = "text/event-stream"

func (s *state) graph(t *testing.T, name, text string, c call) string {
	t.Helper()
	request, err := json.Marshal(map[string]any{"query": text, "variables": json.RawMessage(s.fill(c.variables))})
	if err != nil {
		t.Fatal(err)
	}
	header, body := http.Header{}, string(request)
	if c.file != "" {
		body = multipartBody(t, header, map[string]string{"operations": body, "map": `{"0": ["variables.` +
			cmp.Or(c.variable, c.file) + `"]}`}, "0")
	}
	if c.accept == stream {
		header.Set("Accept", stream)
	}
	answer := s.app.Read(t, c.frames, http.MethodPost, "/graphql", header, body)
	if c.refusal != "" && bytes.Contains(answer.Body, []byte(`"code":"`+c.refusal+`"`)) {
		return c.refusal
	}
	if c.refusal != "" || answer.Status != http.StatusOK || bytes.Contains(answer.Body, []byte(`"errors"`)) {
		t.Fatalf("%s: %d %s", name, answer.Status, answer.Body)
	}
	op := s.app.Stored()[name]
	if c.accept == stream {
		var all []any
		for _, event := range list(t, events(t, answer.Body)) {
			all = append(all, restBody(t, op, event))
		}
		return normalize(t, encoded(t, all))
	}
	return normalize(t, encoded(t, restBody(t, op, answer.Body)))
}

// restBody returns the REST body that corresponds to a GraphQL response.
func restBody(t *testing.T, op *stored.Operation, answer []byte) any {
	t.Helper()
	var full struct{ Data map[string]any }
	if err := json.Unmarshal(answer, &full); err != nil || len(full.Data) != 1 {
		t.Fatalf("%s (%v)", answer, err)
	}
	var value any
	for _, v := range full.Data {
		value = reshaped(t, op, v)
	}
	if op.Rule.Status == http.StatusNoContent {
		return nil
	}
	if op.Rule.Unwrap != "" {
		value = value.(map[string]any)[op.Rule.Unwrap]
	}
	if op.Rule.Wrap != "" {
		value = map[string]any{op.Rule.Wrap: value}
	}
	return value
}

// reshaped returns the value of a root field as REST writes it.
func reshaped(t *testing.T, op *stored.Operation, value any) (out any) {
	t.Helper()
	if err := json.Unmarshal(op.Reshape(encoded(t, value)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func list(t *testing.T, text []byte) (all []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// events joins the data of a stream's frames into a list and omits frames without data, such as a
// completion.
func events(t *testing.T, stream []byte) []byte {
	t.Helper()
	var all []json.RawMessage
	for line := range strings.Lines(string(stream)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && strings.HasPrefix(data, "{") {
			all = append(all, json.RawMessage(data))
		}
	}
	return encoded(t, all)
}

// multipartBody writes a multipart body with the fields and one small file.
func multipartBody(t *testing.T, header http.Header, fields map[string]string, file string) string {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(fields))) { // operations stands before map
		if err := w.WriteField(name, fields[name]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile(file, "a.txt")
	if err == nil {
		_, err = part.Write([]byte("Nine members were present."))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	header.Set("Content-Type", w.FormDataContentType())
	return body.String()
}

var (
	changing = regexp.MustCompile(`http://127\.0\.0\.1:\d+|\b(vis_[0-9a-z]+|[a-z]{3}_[0-9a-z]{26}|rs[kip]_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z)|"(slug|short_url)": "[^"]*"`)
	measured = regexp.MustCompile(`"(latency_ms|duration_ms)": \d+|"last_used_at": (null|"[^"]*")|"end_cursor": "[^"]*"`)
	word     = regexp.MustCompile(`"[A-Z_]+"`)
)

// normalize replaces the values that differ between two workspaces, and writes enums as REST does.
func normalize(t *testing.T, body []byte) string {
	t.Helper()
	if len(bytes.TrimSpace(body)) == 0 {
		return "null"
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	fixed := measured.ReplaceAllString(changing.ReplaceAllString(string(text), "*"), "*")
	return word.ReplaceAllStringFunc(fixed, strings.ToLower)
}
