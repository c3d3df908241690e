package integration

import (
	"fmt"
	"strings"
	"testing"

	"rostrum/model"
	"rostrum/test/kit"
)

// rowEventQuery follows the changes of rows, which are null once they were deleted.
const rowEventQuery = `subscription ($after: ID) { workspaceEvents(after: $after, types: [DRAFT_CREATED, DRAFT_UPDATED, DRAFT_DELETED, LINK_CREATED, LINK_UPDATED,
	LINK_DELETED, PERSONA_CREATED, PERSONA_UPDATED, PERSONA_DELETED]) { eventName
	... on DraftChanged { rowId: draftId draft { name: title } } ... on LinkChanged { rowId: linkId link { name: title } }
	... on PersonaChanged { rowId: personaId persona { name } } } }`

// changedRows are the kinds of rows whose changes are events, with the mutations that create,
// update and delete one; the first has the row's id as id.
var changedRows = []struct{ kind, create, update, remove string }{
	{
		"draft", `saveDraft(input: {title: \"First\", content: \"A text.\"}) { draft { id } }`,
		`saveDraft(input: {draftId: \"%s\", title: \"Second\"}) { draft { id } }`,
		`deleteDraft(input: {draftId: \"%s\"}) { deletedId }`,
	},
	{
		"link", `createLink(input: {title: \"First\", destinationUrl: \"https://example.com/\"}) { link { id } }`,
		`updateLink(input: {linkId: \"%s\", title: \"Second\"}) { link { id } }`,
		`deleteLink(input: {linkId: \"%s\"}) { deletedId }`,
	},
	{
		"persona", `createPersona(input: {name: \"First\"}) { persona { id } }`,
		`updatePersona(input: {personaId: \"%s\", name: \"Second\"}) { persona { id } }`,
		`deletePersona(input: {personaId: \"%s\"}) { deletedId }`,
	},
}

// mutate runs a mutation, whose quotes are escaped.
func mutate(t *testing.T, app *kit.App, mutation string) *kit.Response {
	t.Helper()
	answer := app.Do(t, "POST", "/graphql", nil, `{"query": "mutation { `+mutation+` }"}`)
	if strings.Contains(string(answer.Body), `"errors"`) {
		t.Fatalf("%s: %s", mutation, answer.Body)
	}
	return answer
}

// TestRowEvents changes drafts, links and personas: subscribers receive the changes with the rows,
// and once more from the same position; other workspaces, the list of events and webhooks do not.
func TestRowEvents(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		mine, theirs := a.Tenant(t), a.Tenant(t)
		mine.SetWorkspacePlan(t, model.PlanPro)
		mutate(t, mine, `createWebhook(input: {url: \"https://example.com/hook\"}) { webhook { id } }`)
		after := map[string]any{"after": field(t, mine.Do(t, "POST", "/graphql", nil, `{"query": "{ eventCursor }"}`),
			"data", "eventCursor")}
		live, other := openEventSocket(t, mine, rowEventQuery, after), openEventSocket(t, theirs, rowEventQuery, nil)
		var names []string
		for _, row := range changedRows {
			names = append(names, checkRowEvents(t, mine, live, row.kind, row.create, row.update, row.remove)...)
		}
		again := openEventSocket(t, mine, rowEventQuery, after)
		for _, name := range names {
			if got := again.next(t); !strings.Contains(got, name) {
				t.Errorf("from the same position again %s, want %s", got, name)
			}
		}
		mutate(t, theirs, `createPersona(input: {name: \"Theirs\"}) { persona { id } }`)
		if got := other.next(t); !strings.Contains(got, `"name":"Theirs"`) {
			t.Errorf("the other workspace received %s", got)
		}
		answer := mine.Do(t, "POST", "/graphql", nil,
			`{"query": "{ events { totalCount } webhooks { nodes { deliveries { totalCount } } } }"}`)
		if got, want := string(answer.Body), `{"data":{"events":{"totalCount":0},"webhooks":{"nodes":[{"deliveries":{"totalCount":0}}]}}}`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// checkRowEvents creates, updates and deletes a row, compares the event of each with the socket's,
// and returns the names of the events.
func checkRowEvents(t *testing.T, app *kit.App, live eventSocket, kind, create, update,
	remove string) (names []string) {
	t.Helper()
	created := mutate(t, app, create)
	name, _, _ := strings.Cut(create, "(")
	id := field(t, created, "data", name, kind, "id")
	steps := []struct{ mutation, event, row string }{
		{"", "_CREATED", `{"name":"First"}`},
		{fmt.Sprintf(update, id), "_UPDATED", `{"name":"Second"}`},
		{fmt.Sprintf(remove, id), "_DELETED", "null"},
	}
	for _, step := range steps {
		if step.mutation != "" {
			mutate(t, app, step.mutation)
		}
		name := strings.ToUpper(kind) + step.event
		want := fmt.Sprintf(`{"data":{"workspaceEvents":{"eventName":%q,"rowId":%q,%q:%s}}}`, name, id, kind, step.row)
		if got := live.next(t); got != want {
			t.Errorf("received %s, want %s", got, want)
		}
		names = append(names, name)
	}
	return names
}

// TestObjectEvents changes what no other event tells: each change is one event with the object's id.
func TestObjectEvents(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		app := a.Tenant(t)
		after := map[string]any{"after": field(t, app.Do(t, "POST", "/graphql", nil, `{"query": "{ eventCursor }"}`),
			"data", "eventCursor")}
		live := openEventSocket(t, app,
			`subscription ($after: ID) { workspaceEvents(after: $after, types: [OBJECT_CHANGED]) { ... on ObjectChanged { objectId } } }`,
			after)
		check := func(id string) {
			t.Helper()
			if got, want := live.next(t), fmt.Sprintf(`{"data":{"workspaceEvents":{"objectId":%q}}}`, id); got != want {
				t.Errorf("received %s, want %s", got, want)
			}
		}
		created := mutate(t, app, `createAutoTag(input: {name: \"Theme\", tagType: \"topic\"}) { autoTag { id } }`)
		check(field(t, created, "data", "createAutoTag", "autoTag", "id"))
		minted := mutate(t, app, `mintKey(input: {name: \"Second\"}) { key { id } }`)
		check(field(t, minted, "data", "mintKey", "key", "id"))
		text := mutate(t, app,
			`createDocument(input: {title: \"Plan\", content: \"Emissions fall by a third, said Ada Example.\"}) { document { id } }`)
		document := field(t, text, "data", "createDocument", "document", "id")
		mutate(t, app, `extractSignals(input: {documentId: \"`+document+`\"}) { totalSignals }`)
		check(document)
	})
}
