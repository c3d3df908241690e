package graph

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// restOnly lists the elements that exist for stored operations only. A new one needs a reason,
// because rest/operations makes what other fields can give.
var restOnly = []string{
	"AskPersonaInput.message",                         // REST's older name of inputContent
	"AskPersonaPayload.translationTargetLanguageName", // REST names the language in English
	"CommsFilterTag.examples.all",                     // REST's list has no pages
	"CommsFilters.tags.all",                           // the same
	"CommunicationConnection.showFiltered",            // REST repeats the parameter
	"DeleteFilterTagPayload.message",                  // REST's sentence depends on whether the filter was manual
	// REST writes the labels as a text; the list is too hot to write them anew
	"Document.tagsJson",
	"Draft.knowledgebase",           // REST's name of a draft's folder
	"DraftConnection.knowledgebase", // REST repeats the parameter, or its default
	"DraftFilter.knowledgebaseId",   // REST's name of a draft's folder
	// REST's events have it, which is null or the mark of a test; JobChanged has that of jobs typed
	"Event.data",
	"EventType.UNKNOWN",               // REST names the event types in errors of its own
	"ExecutiveVoices.voices.all",      // REST's list has no pages
	"ExtractSignalsInput.userId",      // REST accepts a label of the caller
	"ExtractSignalsInput.workspaceId", // REST accepts the workspace of the key
	// the document as it was when its job was queued; the document itself may have changed since
	"IngestDocumentPayload.characterCount",
	"IngestDocumentPayload.message",          // it depends on the outcome
	"IngestDocumentPayload.processingStatus", // the document as it was
	"IngestDocumentPayload.sourceUrl",        // the same
	"IngestDocumentPayload.success",          // it is the opposite of an error
	"IngestDocumentPayload.title",            // the document as it was
	"IngestDocumentPayload.url",              // the same
	"IngestDocumentPayload.wordCount",        // the same
	"IngestSourcePayload.message",            // it depends on the outcome
	"IngestSourcePayload.placeholder",        // the document as it was
	// REST sends the stored text byte for byte, which a typed value does not keep
	"Job.parametersText",
	"Job.resultText", // the same
	// REST's events have the whole job as it was then
	"JobEvent.then",
	"JobEventPage",                   // the answer of Query.jobEvents
	"JobFilter.jobTypeText",          // REST accepts any text as a filter
	"LinkSession.deviceText",         // REST writes an empty text where the graph has null
	"Pagination",                     // REST's pages have numbers
	"Persona.entityKindResolvedText", // REST writes an empty text where the graph has null
	"Persona.entityKindText",         // the same
	"PersonaConnection.limit",        // REST repeats the parameter
	"PersonaConnection.offset",       // the same
	"Query.audienceGroups.all",       // REST's list has no pages
	"Query.audienceSummaries.limit",  // REST has the 200 latest summaries
	// REST counts a job's events by position; clients have Job.events and jobProgress
	"Query.jobEvents",
	"Query.keys.all",                   // REST's list has no pages
	"Query.linkableTags.all",           // the same
	"Query.personas.limit",             // REST's pages of personas start at any row
	"Query.personas.offset",            // the same
	"Query.webhooks.all",               // REST's list has no pages
	"SaveDraftInput.knowledgebaseId",   // REST's name of a draft's folder
	"SaveDraftPayload.message",         // REST's sentence depends on whether the draft is new
	"SaveDraftPayload.projectAttached", // REST tells whether the draft has a project id
	"StartFilterBackfillPayload.limit", // REST returns the limit of the request, or its default
	"UnhideDocumentPayload.message",    // REST's sentence depends on whether the filter hid the document
}

// isNumberedPage reports whether an element belongs to REST's pages by number. Clients have
// cursors.
func isNumberedPage(name string) bool {
	return strings.HasSuffix(name, ".page") || strings.HasSuffix(name, ".perPage") ||
		strings.HasSuffix(name, "Connection.pagination")
}

func TestInaccessible(t *testing.T) {
	t.Parallel()
	full, api := FullSchema(), Schema()
	var found []string
	for _, def := range full.Types {
		if def.Directives.ForName(inaccessible) != nil {
			found = append(found, def.Name)
		}
		for _, value := range def.EnumValues {
			if isInaccessibleValue(value) {
				found = append(found, def.Name+"."+value.Name)
			}
		}
		for _, field := range def.Fields {
			if name := def.Name + "." + field.Name; field.Directives.ForName(inaccessible) != nil {
				found = append(found, name)
				if api.Types[def.Name].Fields.ForName(field.Name) != nil {
					t.Errorf("clients see %s", name)
				}
			}
			for _, argument := range field.Arguments {
				if isInaccessible(argument) {
					found = append(found, def.Name+"."+field.Name+"."+argument.Name)
				}
			}
		}
	}
	found = slices.DeleteFunc(found, isNumberedPage)
	slices.Sort(found)
	if !slices.Equal(found, restOnly) {
		t.Errorf("the schema has for REST alone\n%s\nand not\n%s", strings.Join(found, "\n"),
			strings.Join(restOnly, "\n"))
	}
	if strings.Contains(SDL(), inaccessible) || strings.Contains(SDL(), "resultText") {
		t.Error("the printed schema has inaccessible elements")
	}
	if api.Query == nil || api.Types["Job"] != api.PossibleTypes["Job"][0] ||
		!slices.Contains(api.PossibleTypes["Node"], api.Types["Job"]) {
		t.Error("the types of the clients' schema are not those of its indexes")
	}
}

func TestInaccessible_refused(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	for query, name := range map[string]string{
		`{ job(id: "job_1") { resultText } }`:                                `"resultText\" on type`,
		`{ job(id: "job_1") { parametersText } }`:                            `"parametersText\" on type`,
		`{ jobs(filter: {jobTypeText: "ingest"}) { totalCount } }`:           `"jobTypeText\" is not defined`,
		`{ events(types: [UNKNOWN]) { totalCount } }`:                        `"UNKNOWN\" does not exist in \"EventType`,
		`query($f: JobFilter) { jobs(filter: $f) { nodes { resultText } } }`: `"resultText\" on type`,
	} {
		if r := b.post(t, adminKey, query); !strings.Contains(r.body, name) || strings.Contains(r.body, `"data":{`) {
			t.Errorf("%s is answered with %d %s", query, r.status, r.body)
		}
	}
	described := b.post(t, "", `{ __type(name: "Job") { fields { name } } directives: __schema { directives { name } } }`)
	described.want(t, http.StatusOK, `"name":"jobTypeText"`)
	if strings.Contains(described.body, "resultText") || strings.Contains(described.body, inaccessible) {
		t.Errorf("introspection describes %s", described.body)
	}
}
