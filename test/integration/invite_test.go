package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

const (
	invitePath = "/api/public/auth/invite"
	acceptPath = invitePath + "/accept"
)

// invitation is an invite over REST with the secret of its link.
type invitation struct {
	Invite struct{ ID, Email, Role string }
	Link   string
}

func (i invitation) secret() string { return i.Link[strings.Index(i.Link, "#")+1:] }

// invite invites a person as the owner of the browser.
func invite(t *testing.T, b *kit.Browser, email string, role model.Role) (made invitation) {
	t.Helper()
	answer := b.Do(t, "POST", "/api/v1/invites", fmt.Sprintf(`{"email": %q, "role": %q}`, email, role)).Want(t, 201)
	if err := json.Unmarshal(answer.Body, &made); err != nil || !strings.Contains(made.Link, "/console/invite#rsi_") {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	return made
}

// join invites a new person and accepts as them; the browser is signed in.
func join(t *testing.T, a *kit.App, owner *kit.Browser, email string, role model.Role) *kit.Browser {
	t.Helper()
	made := invite(t, owner, email, role)
	b := a.NewBrowser(t)
	b.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q, "name": "Ola", "password": %q}`, made.secret(), password)).
		Want(t, 200, `"email":"`+made.Invite.Email+`"`)
	return b
}

// TestInvites invites new and known people, and uses, renews and revokes links.
func TestInvites(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		t.Run("a_new_person_joins_once", func(t *testing.T) { testNewPerson(t, a, owner) })
		t.Run("a_known_person_proves_the_account", func(t *testing.T) { testKnownPerson(t, a, owner) })
		t.Run("a_link_is_replaced_and_revoked", func(t *testing.T) { testReplacedLink(t, a, owner) })
		t.Run("wrong_input_names_its_field", func(t *testing.T) {
			for body, want := range map[string]string{
				`{"email": "nobody", "role": "viewer"}`:             `"pointer":"#/email"`,
				`{"email": "\u212a@example.org", "role": "viewer"}`: `"pointer":"#/email"`,
				`{"email": "a@example.org", "role": "emperor"}`:     `"pointer":"#/role"`,
				`{"role": "viewer"}`:                                `"pointer":"#/email"`,
			} {
				owner.Do(t, "POST", "/api/v1/invites", body).Want(t, 422, want)
			}
			owner.Do(t, "POST", "/api/v1/invites", `{"email": "INES@example.org", "role": "viewer"}`).
				Want(t, 409, "is a member")
		})
	})
}

func testNewPerson(t *testing.T, a *kit.App, owner *kit.Browser) {
	made := invite(t, owner, "Ola@Example.org", model.RoleAuthor)
	if made.Invite.Email != "ola@example.org" || made.Invite.Role != "author" {
		t.Errorf("the invite is %+v", made)
	}
	owner.Do(t, "POST", "/api/v1/invites", `{"email": "ola@example.org", "role": "viewer"}`).
		Want(t, 409, "invited already")
	guest, secret := a.NewBrowser(t), made.secret()
	guest.Do(t, "POST", invitePath, fmt.Sprintf(`{"secret": %q}`, secret)).
		Want(t, 200, `"has_account":false`, a.WorkspaceID, `"role":"author"`)
	guest.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q}`, secret)).Want(t, 422, `"pointer":"#/password"`)
	guest.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q, "password": "short"}`, secret)).
		Want(t, 422, `"pointer":"#/password"`)
	accept := fmt.Sprintf(`{"secret": %q, "name": "Ola", "password": %q}`, secret, password)
	guest.Do(t, "POST", acceptPath, accept, "Sec-Fetch-Site: cross-site").Want(t, 403, `"code":"cross_origin"`)
	guest.Do(t, "POST", acceptPath, accept).Want(t, 200, `"name":"Ola"`)
	guest.Do(t, "POST", graphPath, `{"query": "{ viewer { role can scopes } }"}`).
		Want(t, 200, `"role":"AUTHOR","can":["READ","ASK","WRITE"],"scopes":["READ"]`)
	a.NewBrowser(t).Do(t, "POST", acceptPath, accept).Want(t, 404, "does not work")
	owner.Do(t, "GET", "/api/v1/invites", "").Want(t, 200, `"invites":[]`)
	owner.Do(t, "POST", graphPath, `{"query": "{ auditLog(first: 2) { nodes { action actorKind } } }"}`).
		Want(t, 200, `"action":"member.joined","actorKind":"USER"`)
	newSignedIn(t, a, "ola@example.org")
}

func testKnownPerson(t *testing.T, a *kit.App, owner *kit.Browser) {
	other, _, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{"bo@example.org", "cy@example.org"} {
		if _, err := a.AddUser(t.Context(), account.NewUser{Email: email, Password: password, WorkspaceID: other,
			Role: model.RoleOwner}); err != nil {
			t.Fatal(err)
		}
	}
	secret := invite(t, owner, "bo@example.org", model.RoleViewer).secret()
	guest := a.NewBrowser(t)
	guest.Do(t, "POST", invitePath, fmt.Sprintf(`{"secret": %q}`, secret)).Want(t, 200, `"has_account":true`)
	guest.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q}`, secret)).Want(t, 422, "account")
	guest.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q, "password": "a wrong one"}`, secret)).
		Want(t, 401, `"code":"unauthenticated"`)
	cy := newSignedIn(t, a, "cy@example.org") // somebody else, who found the link
	cy.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q}`, secret)).Want(t, 422)
	guest.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q, "password": %q}`, secret, password)).Want(t, 200)
	guest.Do(t, "GET", "/api/public/auth/workspaces", "").Want(t, 200, other, a.WorkspaceID, `"role":"viewer"`)
	secret = invite(t, owner, "cy@example.org", model.RoleViewer).secret()
	cy.Do(t, "POST", acceptPath, fmt.Sprintf(`{"secret": %q}`, secret)).Want(t, 200) // is signed in
	cy.Do(t, "POST", graphPath, whoami, "X-Workspace-Id: "+a.WorkspaceID).Want(t, 200, a.WorkspaceID)
}

func testReplacedLink(t *testing.T, a *kit.App, owner *kit.Browser) {
	first := invite(t, owner, "dag@example.org", model.RoleEditor)
	var renewed invitation
	answer := owner.Do(t, "POST", "/api/v1/invites/"+first.Invite.ID+"/renew", "").Want(t, 200)
	if err := json.Unmarshal(answer.Body, &renewed); err != nil || renewed.Link == first.Link {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	show := func(of invitation, status int) {
		t.Helper()
		a.NewBrowser(t).Do(t, "POST", invitePath, fmt.Sprintf(`{"secret": %q}`, of.secret())).Want(t, status)
	}
	show(first, 404)
	show(renewed, 200)
	owner.Do(t, "GET", "/api/v1/invites", "").Want(t, 200, first.Invite.ID, `"name":"ines"`)
	owner.Do(t, "DELETE", "/api/v1/invites/"+first.Invite.ID, "").Want(t, 204)
	owner.Do(t, "DELETE", "/api/v1/invites/"+first.Invite.ID, "").Want(t, 404)
	show(renewed, 404)
}

// TestMemberChanges changes roles, removes a member whose stream is open, and keeps the last owner.
func TestMemberChanges(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		guest := join(t, a, owner, "ola@example.org", model.RoleViewer)
		members := memberIDs(t, owner)
		const save = `{"query": "mutation { saveDraft(input: {title: \"A\", content: \"We listen.\", contentType: \"text\"}) { draft { id } } }"}`
		guest.Do(t, "POST", graphPath, save, "Accept: application/graphql-response+json").
			Want(t, 403, `"code":"insufficient_scope"`, `"ability":"write"`)
		guest.Do(t, "POST", graphPath, `{"query": "{ workspace { members { nodes { user { email } } } } }"}`,
			"Accept: application/graphql-response+json").Want(t, 403)
		role := func(member, role string) *kit.Response {
			return owner.Do(t, "PATCH", "/api/v1/members/"+members[member], fmt.Sprintf(`{"role": %q}`, role))
		}
		role("ola@example.org", "author").Want(t, 200, `"role":"author"`)
		guest.Do(t, "POST", graphPath, save).Want(t, 200, `"drf_`)
		checkOwnDrafts(t, owner, guest)
		role("ines@example.org", "viewer").Want(t, 409, "last owner")
		owner.Do(t, "DELETE", "/api/v1/members/"+members["ines@example.org"], "").Want(t, 409, "last owner")
		role("ola@example.org", "member").Want(t, 200, `"role":"editor"`) // the former name
		owner.Do(t, "GET", "/api/v1/members", "").Want(t, 200, `"last_seen_at"`)
		ended := awaitStreamEnd(t, a, guest)
		owner.Do(t, "DELETE", "/api/v1/members/"+members["ola@example.org"], "").Want(t, 204)
		if text := <-ended; !strings.Contains(text, "unauthenticated") {
			t.Errorf("the stream ends with %q", text)
		}
		guest.Do(t, "POST", graphPath, whoami).Want(t, 401, `"code":"unauthenticated"`)
		owner.Do(t, "GET", "/api/v1/members", "").Want(t, 200, `"total_count":1`)
		owner.Do(t, "POST", graphPath, `{"query": "{ drafts { totalCount } }"}`).Want(t, 200, `"totalCount":2`)
	})
}

// checkOwnDrafts checks that an author deletes own drafts only.
func checkOwnDrafts(t *testing.T, owner, author *kit.Browser) {
	t.Helper()
	save := func(b *kit.Browser) string {
		t.Helper()
		const text = `mutation { saveDraft(input: {title: "B", content: "We listen.", contentType: "text"}) { draft { id } } }`
		return queryData[struct {
			SaveDraft struct{ Draft struct{ ID string } }
		}](t, b, text).SaveDraft.Draft.ID
	}
	remove := func(id string) *kit.Response {
		return author.Do(t, "POST", graphPath, fmt.Sprintf(`{"query": "mutation { deleteDraft(input: {draftId: \"%s\"}) { deletedId } }"}`, id))
	}
	remove(save(owner)).Want(t, 200, `"code":"insufficient_scope"`)
	own := save(author)
	remove(own).Want(t, 200, `"deletedId":"`+own)
}

// memberIDs returns the ids of the members by their emails.
func memberIDs(t *testing.T, owner *kit.Browser) map[string]string {
	t.Helper()
	data := queryData[struct {
		Workspace struct{ Members struct{ Nodes []memberRow } }
	}](t, owner, `{ workspace { members { nodes { id role user { email } } } } }`)
	ids := map[string]string{}
	for _, member := range data.Workspace.Members.Nodes {
		ids[member.User.Email] = member.ID
	}
	return ids
}

// awaitStreamEnd opens a stream of the browser's user and returns what it sends until its end.
func awaitStreamEnd(t *testing.T, a *kit.App, b *kit.Browser) <-chan string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+graphPath,
		strings.NewReader(`{"query": "subscription { workspaceEvents { __typename } }"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cookie", "rostrum_login="+b.Cookie(t))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() {
		defer response.Body.Close()
		var text strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := response.Body.Read(buffer)
			text.Write(buffer[:n])
			if err != nil {
				ended <- text.String()
				return
			}
		}
	}()
	return ended
}

// TestPasswords changes a password, ends sessions, and sets a password by a link of an owner.
func TestPasswords(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		const next = "another long password"
		guest := join(t, a, owner, "ola@example.org", model.RoleViewer)
		second, third := newSignedIn(t, a, "ola@example.org"), newSignedIn(t, a, "ola@example.org")
		sessions := endableSessions(t, guest)
		if len(sessions) != 2 {
			t.Fatalf("the other sessions are %v", sessions)
		}
		owner.Do(t, "DELETE", "/api/v1/auth/sessions/"+sessions[0], "").Want(t, 404) // another's
		guest.Do(t, "DELETE", "/api/v1/auth/sessions/"+sessions[0], "").Want(t, 204)
		third.Do(t, "POST", graphPath, whoami).Want(t, 401)
		change := func(current, next string) *kit.Response {
			return guest.Do(t, "PUT", "/api/v1/auth/password", fmt.Sprintf(`{"current_password": %q, "new_password": %q}`,
				current, next))
		}
		change("a wrong one", next).Want(t, 422, `"pointer":"#/current_password"`)
		change(password, "short").Want(t, 422, `"pointer":"#/new_password"`)
		change(password, next).Want(t, 200, `"name":"Ola"`)
		second.Do(t, "POST", graphPath, whoami).Want(t, 401)
		guest.Do(t, "POST", graphPath, whoami).Want(t, 200)
		a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ola@example.org", password)).Want(t, 401)
		checkPasswordLink(t, a, owner, guest)
	})
}

// endableSessions returns the ids of the user's other sessions, the latest seen first.
func endableSessions(t *testing.T, b *kit.Browser) (ids []string) {
	t.Helper()
	data := queryData[struct {
		Viewer struct {
			Sessions []struct {
				ID        string
				IsCurrent bool
			}
		}
	}](t, b, `{ viewer { sessions { id isCurrent agent lastSeenAt } } }`)
	for _, session := range data.Viewer.Sessions {
		if !session.IsCurrent {
			ids = append(ids, session.ID)
		}
	}
	return ids
}

func checkPasswordLink(t *testing.T, a *kit.App, owner, guest *kit.Browser) {
	t.Helper()
	member := memberIDs(t, owner)["ola@example.org"]
	var made struct{ Link string }
	answer := owner.Do(t, "POST", "/api/v1/members/"+member+"/password-link", "").Want(t, 201)
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(made.Link, "#")
	use := func(b *kit.Browser, status int) {
		t.Helper()
		b.Do(t, "POST", "/api/public/auth/password", fmt.Sprintf(`{"secret": %q, "password": "a third password"}`, secret)).
			Want(t, status)
	}
	fresh := a.NewBrowser(t)
	use(fresh, 200)
	use(a.NewBrowser(t), 404)
	guest.Do(t, "POST", graphPath, whoami).Want(t, 401)
	fresh.Do(t, "POST", graphPath, whoami).Want(t, 200)
	other, _, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.AddUser(t.Context(), account.NewUser{Email: "ola@example.org", WorkspaceID: other,
		Role: model.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	owner.Do(t, "POST", "/api/v1/members/"+member+"/password-link", "").Want(t, 409, "several workspaces")
}

// TestLastSeen waits until a member's use is stored.
func TestLastSeen(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		poll.Until(t, func() bool {
			answer := owner.Do(t, "POST", graphPath, `{"query": "{ workspace { members { nodes { lastSeenAt } } } }"}`)
			return !strings.Contains(string(answer.Body), `"lastSeenAt":null`)
		}, "the owner was never seen")
	})
}
