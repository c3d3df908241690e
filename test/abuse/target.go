package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/test/kit/harness"
	"rostrum/test/kit/process"
)

const (
	gatewayMemory = 1 << 30   // the hard limit of the gateway's data (RLIMIT_DATA)
	workerMemory  = 512 << 20 // the hard limit of the data of each process that extracts text
	softMemory    = "GOMEMLIMIT=700MiB"
)

// target is a gateway with two workspaces: the attacker has a key of one, and no response to it may
// have data of the other.
type target struct {
	*process.Server
	postgres   *process.Server
	folder     string
	key, other string   // keys of the two workspaces
	own        []string // ids of the attacker's workspace
	foreign    []string // ids of the other workspace
	marker     string   // occurs in texts of the other workspace
	limiters   sync.WaitGroup
	stopLimits context.CancelFunc
	workers    atomic.Int64 // number of processes that were limited
	client     *http.Client
}

// startTarget starts a gateway with limited memory, and a server of the database if it is Postgres.
func startTarget(ctx context.Context, program, folder, database string) (t *target, err error) {
	t = &target{folder: folder, marker: "marker-" + rand.Text(), client: harness.NewClient(0), stopLimits: func() {}}
	defer func() {
		if err != nil {
			t.stop()
		}
	}()
	if err := os.MkdirAll(filepath.Join(folder, "data"), 0o755); err != nil {
		return t, err
	}
	settings := []string{"ROSTRUM_DATA_DIR=" + filepath.Join(folder, "data"), softMemory}
	if database == "Postgres" {
		if t.postgres, err = harness.StartPostgres(ctx, folder); err != nil {
			return t, err
		}
		settings = append(settings, "DATABASE_URL="+harness.DatabaseURL(t.postgres.Address))
	}
	if t.Server, err = harness.NewGateway(func() string { return program }, folder, settings...); err != nil {
		return t, err
	}
	if err := t.Start(ctx); err != nil {
		return t, err
	}
	return t, t.limitMemory(ctx)
}

func (t *target) stop() {
	t.stopLimits()
	t.limiters.Wait()
	t.Server.Stop()
	t.postgres.Stop()
}

// createWorkspaces creates two workspaces with the same resources, as an operator and as their
// clients.
func (t *target) createWorkspaces(ctx context.Context) (err error) {
	if _, t.key, err = harness.CreateWorkspace(ctx, t.Server, "Attacker"); err != nil {
		return err
	}
	if _, t.other, err = harness.CreateWorkspace(ctx, t.Server, "Other"); err != nil {
		return err
	}
	if t.own, err = t.createResources(ctx, t.key, "ours"); err != nil {
		return err
	}
	if t.foreign, err = t.createResources(ctx, t.other, t.marker); err != nil {
		return err
	}
	return t.awaitIngest(ctx)
}

// awaitIngest waits until the ingestion of the other workspace has failed, so that its document
// does not change any more.
func (t *target) awaitIngest(ctx context.Context) error {
	for deadline := time.Now().Add(process.ReadyTimeout); time.Now().
		Before(deadline); time.Sleep(50 * time.Millisecond) {
		body, err := t.call(ctx, t.other, http.MethodGet, "/api/v1/documents", "")
		if err != nil {
			return err
		}
		if strings.Contains(string(body), `"processing_status":"failed"`) {
			return nil
		}
	}
	return errors.New("the ingestion of the other workspace does not end")
}

// resources are requests that create a resource of each kind. MARK is replaced by a text, and
// {prefix} by the last id with the prefix.
var resources = [][2]string{
	{"documents", `{"title":"MARK","content":"We say MARK to nobody else.","executive":"MARK"}`},
	{"auth/keys", `{"name":"MARK"}`},
	{"webhooks", `{"url":"https://example.com/MARK"}`},
	{"links", `{"destination_url":"https://example.com/MARK"}`},
	{"auto-tags", `{"name":"MARK","tag_type":"topic"}`},
	{"comms-filters/tags", `{"name":"MARK"}`},
	{"personas", `{"name":"MARK"}`},
	{"content-creation/drafts", `{"content":"A draft of MARK."}`},
	{"executive-voices/toggle", `{"executive":"MARK","enabled":true}`},
	{"documents/ingest", `{"source_url":"http://127.0.0.1:1/MARK"}`},
}

// anyID matches the ids of resources.
var anyID = regexp.MustCompile(`"[a-z]+_[0-9A-Za-z]{26}"`)

// createResources creates the resources in the workspace of a key and returns the ids in the
// responses.
func (t *target) createResources(ctx context.Context, key, mark string) (ids []string, err error) {
	known := map[string]bool{}
	for _, r := range resources {
		body, err := t.call(ctx, key, http.MethodPost, "/api/v1/"+r[0], strings.ReplaceAll(r[1], "MARK", mark))
		if err != nil {
			return nil, err
		}
		for _, quoted := range anyID.FindAllString(string(body), -1) {
			if id := strings.Trim(quoted, `"`); !known[id] {
				known[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) < len(resources)-1 {
		return nil, fmt.Errorf("only the ids %v were found", ids)
	}
	return ids, nil
}

// otherLists are the lists that are compared before and after the requests.
var otherLists = []string{"documents", "links", "webhooks", "personas", "auto-tags", "comms-filters",
	"content-creation/drafts"}

// readOther returns lists of the other workspace by their path. It returns an error if none has the
// marker, which no check could find then.
func (t *target) readOther(ctx context.Context) (map[string]string, error) {
	lists, found := map[string]string{}, false
	for _, path := range otherLists {
		body, err := t.call(ctx, t.other, http.MethodGet, "/api/v1/"+path, "")
		if err != nil {
			return nil, err
		}
		lists[path] = string(body)
		found = found || strings.Contains(lists[path], t.marker)
	}
	if !found {
		return nil, errors.New("the marker is in no list of the other workspace")
	}
	return lists, nil
}

func compareOther(before, after map[string]string, r *report) {
	for path, list := range after {
		if list != before[path] {
			r.AddProblem("the list %s of the other workspace has changed\nfrom %.500s\nto   %.500s", path, before[path],
				list)
		}
	}
}

// generateInputs returns the inputs for the schema and the OpenAPI document of the running gateway.
func (t *target) generateInputs(ctx context.Context) ([]input, error) {
	schema, err := process.Operate(ctx, t.Command(), "schema")
	if err != nil {
		return nil, err
	}
	document, err := t.call(ctx, t.key, http.MethodGet, "/openapi/openapi.json", "")
	if err != nil {
		return nil, err
	}
	ofGraph, err := graphInputs(schema, t.own, t.foreign)
	if err != nil {
		return nil, err
	}
	ofREST, err := restInputs(document, t.own, t.foreign)
	texts := textInputs()
	return slices.Concat(ofGraph, ofREST, texts, anonymousInputs(ofREST), anonymousInputs(texts)), err
}

// anonymousInputs returns the inputs of routes that need no key, to be sent without one: anyone on
// the network may send them.
func anonymousInputs(inputs []input) []input {
	var public []input
	for _, in := range inputs {
		if in.path == "/graphql" || strings.HasPrefix(in.path, "/api/public/") {
			in.kind, in.anonymous = in.kind+", no key", true
			public = append(public, in)
		}
	}
	return public
}

// call sends a request that must succeed.
func (t *target) call(ctx context.Context, key, method, path, body string) ([]byte, error) {
	in := input{method: method, path: path, body: []byte(body), header: http.Header{"X-Api-Key": {key}}}
	if body != "" {
		in.header.Set("Content-Type", "application/json")
	}
	out := t.send(ctx, in)
	if out.Err != nil {
		return nil, out.Err
	}
	if out.Status >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s returns %d: %.300s", method, path, out.Status, out.Body)
	}
	return out.Body, nil
}

// encode returns the JSON of a value that can be encoded.
func encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
