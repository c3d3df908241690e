package integration

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// jobRows is what a job's result leads to: each row that the job has stored.
const jobRows = `id jobType status result { __typename
	... on IngestResult { document { title content wordCount processingStatus author language versions { totalCount } } }
	... on BackloadResult { sources { status documentId document { title } } }
	... on ApplyAutoTagsResult { document { autoTags { name extractedValue } } values { name extractedValue } }
	... on BackfillFilterResult { checkedCount hiddenDocumentIds }
	... on SignalResult { totalSignals signals { statement theme } document { signals { totalCount nodes { statement } } } }
	... on ComparisonResult { stored { id } }
	... on InteractionResult { interaction { outputContent } persona { interactions { totalCount } } }
	... on PersonaBuildResult { persona { name description } }
	... on ReactionResult { reacted reactions { text status } document { reactions { totalCount nodes { text } } } }
	... on NarrativeTestResult { verdicts { reaction { text status } } document { reactions { totalCount } } }
	... on AudienceSummaryResult { summary { reactionCount isStale } }
	... on BulkUpdateResult { changedCount unchangedCount }
	... on BulkQueryResult { rowCount byteCount } }`

// jobStart is a mutation that starts a job of the kind; {name} is replaced by the id that an earlier
// step had.
type jobStart struct {
	kind     model.JobType
	mutation string
}

// jobStarts are in an order in which each finds what the one before it has left.
var jobStarts = []jobStart{
	{model.JobTypeIngest, `ingestDocument(input: {sourceUrl: "{page}"}) { job: scrapeJob { id } }`},
	{model.JobTypeBackload, `startBackload(input: {sourceUrls: ["{page}?second"]}) { job { id } }`},
	{model.JobTypeWorkspaceSignals, `startSignalExtraction(input: {documentId: "{document}"}) { job { id } }`},
	{model.JobTypeBackfillFilter, `startFilterBackfill(input: {tagId: "{tag}"}) { job { id } }`},
	{model.JobTypeAutoTags, `startAutoTagging(input: {documentId: "{document}"}) { job { id } }`},
	{model.JobTypeCompareInsights, `startComparison(input: {theme: "plant", executives: ["Ana Ruiz", "Tom Berg"]}) { job { id } }`},
	{model.JobTypePersonaInteract, `startInteraction(input: {personaId: "{persona}", inputContent: "When does the plant open?", documentId: "{document}"}) { job { id } }`},
	{model.JobTypePersonaBuild, `startPersonaBuild(input: {name: "Tom Berg", documentIds: ["{document}"]}) { job { id } }`},
	{model.JobTypePersonaReactions, `startReactions(input: {documentId: "{document}", personaIds: ["{persona}"]}) { job { id } }`},
	{model.JobTypeNarrativeTest, `startNarrativeTest(input: {documentId: "{document}", personaIds: ["{persona}"]}) { job { id } }`},
	{model.JobTypeAudienceSummary, `startAudienceSummary(input: {category: "neighbours"}) { job { id } }`},
	{model.JobTypeBulkUpdate, `startBulkUpdate(input: {documentIds: ["{document}"], set: {visibility: INTERNAL}}) { job { id } }`},
	{model.JobTypeBulkUndo, `undoBulkUpdate(input: {jobId: "{update}"}) { job { id } }`},
	{model.JobTypeBulkQuery, `startBulkQuery(input: {query: "{ documents { nodes { title reactions { nodes { text } } } } }"}) { job { id } }`},
}

// withoutRows are the jobs whose result is all that they store, and the one that stores what its
// mutation does.
var withoutRows = map[model.JobType]bool{
	model.JobTypeContentGenerate: true, model.JobTypeContentEnhance: true, model.JobTypePersonaDraft: true,
	model.JobTypePersonaContent: true, model.JobTypePersonaHealth: true, model.JobTypeBulkMutation: true,
}

// runningJobs counts the jobs that have not ended.
const runningJobs = `{ queued: jobs(filter: {status: QUEUED}) { totalCount } running: jobs(filter: {status: RUNNING}) { totalCount }
	retrying: jobs(filter: {status: RETRYING}) { totalCount } }`

var endStates = []string{"COMPLETED", "FAILED", "CANCELLED"}

// TestJobEnds follows jobs of all kinds: what a subscriber reads through the event that ends a job is
// what is there when nothing runs any more, so the end never precedes the rows.
func TestJobEnds(t *testing.T) {
	started := map[model.JobType]bool{}
	for _, start := range jobStarts {
		started[start.kind] = true
	}
	for _, kind := range model.KnownJobTypes() {
		if started[kind] == withoutRows[kind] {
			t.Errorf("%s: started %t, without rows %t", kind, started[kind], withoutRows[kind])
		}
	}
	page := kit.NewSite(t, map[string]string{"site/page.html": servePage}) + "/page.html"
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		app := a.Tenant(t)
		ids := prepareJobs(t, app)
		ids["page"] = page
		after := map[string]any{"after": field(t, runQuery(t, app, `{ eventCursor }`), "data", "eventCursor")}
		ends := openEventSocket(t, app, `subscription ($after: ID) { workspaceEvents(after: $after, types: [JOB_CHANGED]) {
			... on JobChanged { state: status job { `+jobRows+` } } } }`, after)
		for _, start := range jobStarts {
			checkJobEnd(t, app, ends, start, ids)
		}
	})
}

// prepareJobs creates what the jobs work on.
func prepareJobs(t *testing.T, app *kit.App) map[string]string {
	t.Helper()
	ids := map[string]string{}
	create := func(name, mutation string, path ...string) {
		ids[name] = field(t, runQuery(t, app, "mutation { "+mutation+" }"), append([]string{"data"}, path...)...)
	}
	create("document", `createDocument(input: {title: "The plant", content: "“We open the plant in spring,” said Ana Ruiz, chief executive of Acme. “We hire two hundred people for the plant,” said Tom Berg, chief executive of Bolt."}) { document { id } }`,
		"createDocument", "document", "id")
	create("persona", `createPersona(input: {name: "Neighbour", category: "neighbours", concerns: "noise of the plant"}) { persona { id } }`,
		"createPersona", "persona", "id")
	create("tag", `createAutoTag(input: {name: "Topic", tagType: "topic", allowedValues: ["plant"]}) { autoTag { id } }`,
		"createAutoTag", "autoTag", "id")
	runQuery(t, app, `mutation { linkTag(input: {autoTagId: "`+ids["tag"]+`", values: ["plant"]}) { tag { id } } }`)
	return ids
}

// checkJobEnd starts a job and compares what the event of its end leads to with what is there once no
// job runs.
func checkJobEnd(t *testing.T, app *kit.App, ends eventSocket, start jobStart, ids map[string]string) {
	t.Helper()
	mutation := start.mutation
	for name, id := range ids {
		mutation = strings.ReplaceAll(mutation, "{"+name+"}", id)
	}
	id := field(t, runQuery(t, app, "mutation { start: "+mutation+" }"), "data", "start", "job", "id")
	if start.kind == model.JobTypeBulkUpdate {
		ids["update"] = id
	}
	atEnd := awaitEnd(t, ends, id)
	poll.Until(t, func() bool {
		return strings.Count(string(runQuery(t, app, runningJobs).Body), `"totalCount":0`) == 3
	}, "%s: jobs still run", start.kind)
	later := jobText(t, runQuery(t, app, fmt.Sprintf(`{ job(id: %q) { %s } }`, id, jobRows)).Body, "data", "job")
	if atEnd != later {
		t.Errorf("%s: its end leads to\n%s\nand later there is\n%s", start.kind, atEnd, later)
	}
	if !strings.Contains(atEnd, `"status":"COMPLETED"`) || strings.Contains(atEnd, `"result":null`) {
		t.Errorf("%s: %s", start.kind, atEnd)
	}
}

// awaitEnd returns the job of the event that says that it has ended.
func awaitEnd(t *testing.T, ends eventSocket, id string) string {
	t.Helper()
	for {
		frame := []byte(ends.next(t))
		var event struct {
			Data struct {
				WorkspaceEvents struct {
					State string
					Job   struct{ ID string }
				}
			}
		}
		if err := json.Unmarshal(frame, &event); err != nil {
			t.Fatalf("%s: %v", frame, err)
		}
		if got := event.Data.WorkspaceEvents; got.Job.ID == id && slices.Contains(endStates, got.State) {
			return jobText(t, frame, "data", "workspaceEvents", "job")
		}
	}
}

// jobText returns the JSON of the member at the path.
func jobText(t *testing.T, text []byte, path ...string) string {
	t.Helper()
	for _, name := range path {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		text = members[name]
	}
	return string(text)
}

// runQuery runs an operation, which must have no errors.
func runQuery(t *testing.T, app *kit.App, query string) *kit.Response {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	answer := app.Do(t, "POST", "/graphql", nil, string(body))
	if strings.Contains(string(answer.Body), `"errors"`) {
		t.Fatalf("%s: %s", query, answer.Body)
	}
	return answer
}
