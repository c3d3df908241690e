package integration

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
)

// publishing is a draft and the people who bring it to the public.
type publishing struct {
	app             *kit.App
	ada, ben, eva   *kit.Browser // author, reviewer and editor
	draft, version  string
	address, linkID string
	source          sourceInput // of setSource
}

func newPublishing(t *testing.T, a *kit.App) *publishing {
	t.Helper()
	p := &publishing{app: a}
	for name, role := range map[string]model.Role{"ada": model.RoleAuthor, "ben": model.RoleReviewer,
		"eva": model.RoleEditor} {
		email := name + "@example.org"
		if _, err := a.AddUser(t.Context(), account.NewUser{Email: email, Name: name, Password: password,
			WorkspaceID: a.WorkspaceID, Role: role}); err != nil {
			t.Fatal(err)
		}
		browser := newSignedIn(t, a, email)
		switch name {
		case "ada":
			p.ada = browser
		case "ben":
			p.ben = browser
		default:
			p.eva = browser
		}
	}
	return p
}

// write saves a text as the author, and lets the reviewer approve it.
func (p *publishing) write(t *testing.T, text string) {
	t.Helper()
	named := ""
	if p.draft != "" {
		named = fmt.Sprintf("draftId: %q,", p.draft)
	}
	saved := queryData[struct {
		SaveDraft struct {
			Draft struct {
				ID             string
				CurrentVersion struct{ ID string }
			}
		}
	}](t, p.ada, fmt.Sprintf(`mutation { saveDraft(input: {%s title: "Letter", contentType: "markdown", content: %q}) {
		draft { id currentVersion { id } } } }`, named, text)).SaveDraft.Draft
	p.draft, p.version = saved.ID, saved.CurrentVersion.ID
	answerOf(t, p.ada, fmt.Sprintf(`mutation { requestDraftReview(input: {draftId: %q}) { draft { state } } }`, p.draft),
		`"IN_REVIEW"`)
	answerOf(t, p.ben, fmt.Sprintf(`mutation { approveDraft(input: {draftId: %q, versionId: %q}) { draft { state } } }`,
		p.draft, p.version), `"APPROVED"`)
}

// mutation returns the query that publishes the draft with more fields of the input.
func (p *publishing) mutation(more string) string {
	return fmt.Sprintf(`mutation { publishDraft(input: {draftId: %q, versionId: %q%s}) {
		draft { state } link { id shortUrl } } }`, p.draft, p.version, more)
}

// publish publishes the draft as the editor.
func (p *publishing) publish(t *testing.T, more string) {
	t.Helper()
	link := queryData[struct {
		PublishDraft struct {
			Link struct{ ID, ShortURL string }
		}
	}](t, p.eva, p.mutation(more)).PublishDraft.Link
	_, slug, _ := strings.Cut(link.ShortURL, "/l/")
	p.address, p.linkID = "/l/"+slug, link.ID
}

// page returns what a viewer gets at the address.
func (p *publishing) page(t *testing.T) (int, string) {
	t.Helper()
	answer := (&linkViewer{app: p.app, agent: chrome}).do(t, "GET", p.address, "")
	return answer.Status, string(answer.Body)
}

// TestDraftPublish lets an author, a reviewer and an editor bring a text to the public: only the
// editor publishes and withdraws, and the address stays the same.
func TestDraftPublish(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		p := newPublishing(t, a)
		p.write(t, "# Letter\n\nWe open in **March**.")
		answerOf(t, p.ada, p.mutation(""), `publishDraft needs the ability edit`)
		answerOf(t, p.ben, p.mutation(""), `publishDraft needs the ability edit`)
		p.publish(t, `, language: "de"`)
		first := p.address
		status, shown := p.page(t)
		if status != http.StatusOK || !strings.Contains(shown, "We open in <strong>March</strong>.") ||
			strings.Count(shown, ">Letter<") != 2 || !strings.Contains(shown, `<html lang="de">`) {
			t.Errorf("%d %s", status, shown)
		}
		p.write(t, "We open in April.")
		if _, shown = p.page(t); !strings.Contains(shown, "March") {
			t.Errorf("the page changes before it is published again: %s", shown)
		}
		p.publish(t, "")
		if _, shown = p.page(t); p.address != first || !strings.Contains(shown, "April") ||
			!strings.Contains(shown, `<html lang="de">`) {
			t.Errorf("%s %s: %s", first, p.address, shown)
		}
		withdraw := fmt.Sprintf(`mutation { withdrawDraft(input: {draftId: %q, reason: "The <month> is wrong."}) {
			draft { state publishedVersion { id } link { id } } } }`, p.draft)
		answerOf(t, p.ada, withdraw, `withdrawDraft needs the ability edit`)
		answerOf(t, p.eva, withdraw, fmt.Sprintf(`{"state":"APPROVED","publishedVersion":null,"link":{"id":%q}}`, p.linkID))
		status, shown = p.page(t)
		if status != http.StatusGone || !strings.Contains(shown, "The &lt;month&gt; is wrong.") ||
			!strings.Contains(shown, "Diese Seite wurde zurückgezogen") || strings.Contains(shown, "April") {
			t.Errorf("%d %s", status, shown)
		}
		p.app.Do(t, "PATCH", "/api/v1/links/"+p.linkID, nil, `{"password": "Tide and tables"}`).Want(t, http.StatusOK)
		if status, shown = p.page(t); status != http.StatusForbidden || strings.Contains(shown, "month") {
			t.Errorf("the reason before the password: %d %s", status, shown)
		}
		p.app.Do(t, "PATCH", "/api/v1/links/"+p.linkID, nil, `{"password": null, "is_active": false}`).Want(t, http.StatusOK)
		p.publish(t, "")
		if status, _ = p.page(t); status != http.StatusOK || p.address != first {
			t.Errorf("%d at %s", status, p.address)
		}
	})
}

// TestDraftPublish_embargo opens a page when the embargo ends.
func TestDraftPublish_embargo(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		p := newPublishing(t, a)
		p.write(t, "We open in March.")
		end := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Minute)
		answerOf(t, p.eva, fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, visibility: EMBARGOED, embargoedUntil: %q}) {
			draft { state } } }`, p.draft, end.Format(time.RFC3339)), `"APPROVED"`)
		answerOf(t, p.eva, p.mutation(`, embargoedUntil: null`), "must not be before the embargo of the draft, or of the document that it was made from, ends at")
		p.publish(t, "")
		status, shown := p.page(t)
		if status != http.StatusNotFound || strings.Contains(shown, "March") ||
			!strings.Contains(shown, end.Format("2006-01-02 15:04 UTC")) {
			t.Errorf("%d %s", status, shown)
		}
		end = end.Add(time.Hour)
		answerOf(t, p.eva, fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, embargoedUntil: %q}) { draft { state } } }`,
			p.draft, end.Format(time.RFC3339)), `"PUBLISHED"`)
		if _, shown = p.page(t); !strings.Contains(shown, end.Format("2006-01-02 15:04 UTC")) {
			t.Errorf("the page does not wait for the later end: %s", shown)
		}
		answerOf(t, p.eva, fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, visibility: PUBLIC}) { draft { state } } }`,
			p.draft), `"PUBLISHED"`)
		if status, _ = p.page(t); status != http.StatusNotFound {
			t.Errorf("the page opens by a change of the draft: %d", status)
		}
		p.publish(t, `, embargoedUntil: null`)
		if status, shown = p.page(t); status != http.StatusOK || !strings.Contains(shown, "March") {
			t.Errorf("%d %s", status, shown)
		}
		for _, p.source = range []sourceInput{{"sourceDocumentId: %q", "sourceDocumentId: null"}, {"moreSourceDocumentIds: [%q]", "moreSourceDocumentIds: []"}} {
			p.publish(t, `, embargoedUntil: null`)
			checkSourceEmbargo(t, p, end)
			answerOf(t, p.eva, fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, visibility: PUBLIC, %s}) { draft { state } } }`,
				p.draft, p.source.without), `"PUBLISHED"`)
		}
	})
}

// sourceInput is an input that makes a document a source of a draft, and one that takes it away.
type sourceInput struct{ with, without string }

// setSource makes a document under embargo a source of the draft.
func (p *publishing) setSource(t *testing.T, end time.Time) (id string) {
	t.Helper()
	id = queryData[struct {
		CreateDocument struct{ Document struct{ ID string } }
	}](t, p.eva, fmt.Sprintf(`mutation { createDocument(input: {title: "Plan", content: "A plan.", visibility: EMBARGOED,
		embargoedUntil: %q}) { document { id } } }`, end.Format(time.RFC3339))).CreateDocument.Document.ID
	answerOf(t, p.eva, fmt.Sprintf(`mutation { saveDraft(input: {draftId: %q, `+p.source.with+`}) { draft { state } } }`,
		p.draft, id), `"PUBLISHED"`)
	return id
}

// checkSourceEmbargo publishes a draft that was made from a document under embargo, which is then
// postponed, deleted and exchanged for one with a later end.
func checkSourceEmbargo(t *testing.T, p *publishing, end time.Time) {
	t.Helper()
	document := p.setSource(t, end)
	answerOf(t, p.eva, p.mutation(`, embargoedUntil: null`), "of the document that it was made from, ends at")
	p.publish(t, "")
	end = end.Add(time.Hour)
	answerOf(t, p.eva, fmt.Sprintf(`mutation { updateDocument(input: {documentId: %q, embargoedUntil: %q}) { document { id } } }`,
		document, end.Format(time.RFC3339)), document)
	if _, shown := p.page(t); !strings.Contains(shown, end.Format("2006-01-02 15:04 UTC")) {
		t.Errorf("the page does not wait for the document: %s", shown)
	}
	p.app.Do(t, "DELETE", "/api/v1/documents/"+document, nil, "").Want(t, http.StatusNoContent)
	answerOf(t, p.eva, p.mutation(`, embargoedUntil: null`), "of the document that it was made from, ends at")
	end = end.Add(time.Hour)
	p.setSource(t, end)
	if _, shown := p.page(t); !strings.Contains(shown, end.Format("2006-01-02 15:04 UTC")) {
		t.Errorf("the page does not wait for the new source: %s", shown)
	}
	checkOpenPage(t, p, end)
}

// checkOpenPage puts the source of an open page under embargo again: the link warns, and the draft
// can neither lose the source nor be deleted.
func checkOpenPage(t *testing.T, p *publishing, end time.Time) {
	t.Helper()
	source := p.setSource(t, end.Add(time.Hour))
	put := func(visibility string) {
		t.Helper()
		answerOf(t, p.eva, fmt.Sprintf(`mutation { updateDocument(input: {documentId: %q, %s}) { document { id } } }`, source,
			visibility), source)
	}
	warnings := fmt.Sprintf(`{ node(id: %q) { ... on Link { warnings } } }`, p.linkID)
	answerOf(t, p.eva, warnings, `{"warnings":[]}`)
	put("visibility: PUBLIC")
	p.publish(t, `, embargoedUntil: null`)
	put(fmt.Sprintf("visibility: EMBARGOED, embargoedUntil: %q", end.Format(time.RFC3339)))
	if status, _ := p.page(t); status != http.StatusOK {
		t.Errorf("the open page closes: %d", status)
	}
	answerOf(t, p.eva, warnings, fmt.Sprintf(`{"warnings":["document %s is under embargo until %s"]}`, source, end.Format(time.RFC3339)))
	change := `mutation { saveDraft(input: {draftId: %q, ` + p.source.without + `%s}) { draft { state } } }`
	answerOf(t, p.eva, fmt.Sprintf(change, p.draft, ""), "cannot be taken away from an approved draft")
	answerOf(t, p.eva, fmt.Sprintf(`mutation { deleteDraft(input: {draftId: %q}) { deletedId } }`, p.draft),
		"under embargo until "+end.Format(time.RFC3339)+": withdraw the draft before")
	own := fmt.Sprintf(", visibility: EMBARGOED, embargoedUntil: %q", end.Format(time.RFC3339))
	answerOf(t, p.eva, fmt.Sprintf(change, p.draft, own), `"PUBLISHED"`)
}

// TestDraftPublish_concurrent presses the button many times at once: there is one page.
func TestDraftPublish_concurrent(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		p := newPublishing(t, a)
		p.write(t, "We open in March.")
		var all sync.WaitGroup
		var addresses sync.Map
		for range 8 {
			all.Go(func() {
				answer := a.Do(t, "POST", "/api/v1/content-creation/drafts/"+p.draft+"/publish", nil,
					fmt.Sprintf(`{"version_id": %q}`, p.version))
				if answer.Status != http.StatusOK {
					t.Errorf("%d %s", answer.Status, answer.Body)
					return
				}
				addresses.Store(field(t, answer, "link", "short_url"), true)
			})
		}
		all.Wait()
		count := 0
		addresses.Range(func(any, any) bool { count++; return true })
		links := a.Do(t, "GET", "/api/v1/links", nil, "")
		if pages := len(regexp.MustCompile(`"short_url"`).FindAllString(string(links.Body), -1)); count != 1 || pages != 1 {
			t.Errorf("%d addresses, %d links: %s", count, pages, links.Body)
		}
	})
}
