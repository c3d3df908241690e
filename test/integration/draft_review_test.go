package integration

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestDraftReview_members lets an author ask a reviewer: only who may review approves, and the
// history names who did what.
func TestDraftReview_members(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		people := map[string]string{}
		browsers := map[string]*kit.Browser{}
		for name, role := range map[string]model.Role{"Ada": model.RoleAuthor, "Ben": model.RoleReviewer} {
			email := strings.ToLower(name) + "@example.org"
			user, err := a.AddUser(t.Context(), account.NewUser{Email: email, Name: name, Password: password,
				WorkspaceID: a.WorkspaceID, Role: role})
			if err != nil {
				t.Fatal(err)
			}
			people[name], browsers[name] = user.ID, newSignedIn(t, a, email)
		}
		draft := queryData[struct {
			SaveDraft struct {
				Draft struct {
					ID             string
					CurrentVersion struct {
						ID     string
						Author struct{ Name string }
					}
				}
			}
		}](t, browsers["Ada"],
			`mutation { saveDraft(input: {content: "We open in March."}) { draft { id currentVersion { id author { name } } } } }`).
			SaveDraft.Draft
		if draft.CurrentVersion.Author.Name != "Ada" {
			t.Errorf("the author is %q", draft.CurrentVersion.Author.Name)
		}
		answerOf(t, browsers["Ada"], fmt.Sprintf(
			`mutation { requestDraftReview(input: {draftId: %q, assigneeId: %q}) { draft { assignee { name } } } }`, draft.ID,
			people["Ben"]), `"assignee":{"name":"Ben"}`)
		answerOf(t, browsers["Ben"], fmt.Sprintf(`{ drafts(filter: {assigneeId: %q}) { totalCount } }`, people["Ben"]),
			`"totalCount":1`)
		approve := fmt.Sprintf(`mutation { approveDraft(input: {draftId: %q, versionId: %q}) { draft { state } } }`,
			draft.ID, draft.CurrentVersion.ID)
		answerOf(t, browsers["Ada"], approve, `approveDraft needs the ability review`)
		answerOf(t, browsers["Ben"], fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, content: "Mine."}) { draft { id } } }`,
			draft.ID), `saveDraft needs the ability write`)
		answerOf(t, browsers["Ben"], approve, `"state":"APPROVED"`)
		answerOf(t, browsers["Ada"], fmt.Sprintf(
			`{ draft(id: %q) { stateChanges(first: 5) { nodes { action by { name } version { number } } } } }`, draft.ID),
			`[{"action":"APPROVED","by":{"name":"Ben"},"version":{"number":1}},`+
				`{"action":"REVIEW_REQUESTED","by":{"name":"Ada"},"version":{"number":1}}]`)
	})
}

// answerOf checks that the response to a query contains the words.
func answerOf(t *testing.T, b *kit.Browser, query, words string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	if answer := b.Do(t, "POST", graphPath, string(body)); !strings.Contains(string(answer.Body), words) {
		t.Errorf("%s: %s, want %s", query, answer.Body, words)
	}
}
