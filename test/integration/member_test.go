package integration

import (
	"encoding/json"
	"fmt"
	"testing"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
)

// queryData returns the data of a query that a signed-in browser sends. An error in the response
// ends the test.
func queryData[T any](t *testing.T, b *kit.Browser, query string) T {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	answer := b.Do(t, "POST", graphPath, string(body)).Want(t, 200)
	var response struct {
		Data   T
		Errors json.RawMessage
	}
	if err := json.Unmarshal(answer.Body, &response); err != nil || response.Errors != nil {
		t.Fatalf("%s: %s (%v)", query, answer.Body, err)
	}
	return response.Data
}

// memberRow is a member as clients select it.
type memberRow struct {
	ID, Role string
	User     struct{ Email string }
}

// TestMembers reads members page by page, each of them by its id, and the author of a draft.
func TestMembers(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		guest := account.NewUser{Email: "ola@example.org", Password: password, WorkspaceID: a.WorkspaceID,
			Role: model.RoleEditor}
		if _, err := a.AddUser(t.Context(), guest); err != nil {
			t.Fatal(err)
		}
		b := newSignedIn(t, a, "ines@example.org")
		checkMemberPages(t, b)
		checkDraftAuthor(t, b)
	})
}

func checkMemberPages(t *testing.T, b *kit.Browser) {
	t.Helper()
	const page = `{ workspace { members(first: 1, after: %s) { nodes { id role user { email } } pageInfo { hasNextPage endCursor } } } }`
	after := "null"
	for _, want := range []memberRow{{Role: "OWNER", User: struct{ Email string }{"ines@example.org"}},
		{Role: "EDITOR", User: struct{ Email string }{"ola@example.org"}}} {
		data := queryData[struct {
			Workspace struct {
				Members struct {
					Nodes    []memberRow
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
		}](t, b, fmt.Sprintf(page, after))
		members := data.Workspace.Members
		if len(members.Nodes) != 1 || members.PageInfo.HasNextPage != (after == "null") {
			t.Fatalf("the page after %s has %+v", after, members)
		}
		found := members.Nodes[0]
		byID := queryData[struct{ Node memberRow }](t, b,
			fmt.Sprintf(`{ node(id: %q) { id ... on Member { role user { email } } } }`, found.ID)).Node
		if want.ID = found.ID; found != want || byID != want {
			t.Errorf("the page has %+v and the id leads to %+v, want %+v", found, byID, want)
		}
		after = fmt.Sprintf("%q", members.PageInfo.EndCursor)
	}
}

func checkDraftAuthor(t *testing.T, b *kit.Browser) {
	t.Helper()
	const save = `mutation { saveDraft(input: {title: "A", content: "We listen.", contentType: "text"}) { draft { author { email } } } }`
	data := queryData[struct {
		SaveDraft struct {
			Draft struct{ Author struct{ Email string } }
		}
	}](t, b, save)
	if email := data.SaveDraft.Draft.Author.Email; email != "ines@example.org" {
		t.Errorf("the draft's author is %q", email)
	}
}
