package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
)

// TestDraftComments_members lets a reviewer comment on an author's draft: a viewer reads only, nobody
// changes another's words, the author who is mentioned finds it, and another workspace sees nothing.
func TestDraftComments_members(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		people, browsers := map[string]string{}, map[string]*kit.Browser{}
		for name, role := range map[string]model.Role{"Ada": model.RoleAuthor, "Ben": model.RoleReviewer,
			"Vik": model.RoleViewer} {
			email := strings.ToLower(name) + "@example.org"
			user, err := a.AddUser(t.Context(), account.NewUser{Email: email, Name: name, Password: password,
				WorkspaceID: a.WorkspaceID, Role: role})
			if err != nil {
				t.Fatal(err)
			}
			people[name], browsers[name] = user.ID, newSignedIn(t, a, email)
		}
		draft := queryData[struct {
			SaveDraft struct{ Draft struct{ ID string } }
		}](t, browsers["Ada"],
			`mutation { saveDraft(input: {content: "We open in March."}) { draft { id } } }`).SaveDraft.Draft.ID
		create := fmt.Sprintf(`mutation { createDraftComment(input: {draftId: %q, text: "Sure?", mentionedUserIds: [%q],
			passage: {start: 11, end: 16, quote: "March"}}) { comment { id } } }`, draft, people["Ada"])
		answerOf(t, browsers["Vik"], create, `createDraftComment needs the ability ask`)
		comment := queryData[struct {
			CreateDraftComment struct{ Comment struct{ ID string } }
		}](t, browsers["Ben"], create).CreateDraftComment.Comment.ID
		answerOf(t, browsers["Vik"], fmt.Sprintf(
			`{ draft(id: %q) { comments(first: 5) { nodes { text author { name } start } } } }`, draft),
			`[{"text":"Sure?","author":{"name":"Ben"},"start":11}]`)
		answerOf(t, browsers["Ada"], `{ draftMentions(first: 5) { nodes { text draft { id } } } }`, draft)
		answerOf(t, browsers["Ben"], `{ draftMentions(first: 5) { totalCount } }`, `"totalCount":0`)
		answerOf(t, browsers["Ada"], fmt.Sprintf(
			`mutation { updateDraftComment(input: {draftId: %q, commentId: %q, text: "No."}) { comment { id } } }`, draft,
			comment), `only its author may change it`)
		answerOf(t, browsers["Ada"], fmt.Sprintf(
			`mutation { resolveDraftComment(input: {draftId: %q, commentId: %q}) { comment { resolvedBy { name } } } }`,
			draft, comment), `"resolvedBy":{"name":"Ada"}`)
		other := a.Tenant(t)
		other.Do(t, http.MethodGet, "/api/v1/content-creation/drafts/"+draft+"/comments", nil, "").Want(t, 404)
		other.Do(t, http.MethodDelete, "/api/v1/content-creation/drafts/"+draft+"/comments/"+comment, nil, "").Want(t, 404)
		answer := other.Do(t, http.MethodPost, "/graphql", nil, fmt.Sprintf(`{"query": "{ node(id: \"%s\") { id } }"}`, comment))
		if !strings.Contains(string(answer.Body), `"node":null`) {
			t.Errorf("another workspace reads %s", answer.Body)
		}
	})
}
