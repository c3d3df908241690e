package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/ingest"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/mailtest"
)

// mailBundle is a sourceBundle with a mailbox.
type mailBundle struct {
	*sourceBundle
	server *mailtest.Server
}

func eachMailbox(t *testing.T, test func(t *testing.T, b *mailBundle)) {
	t.Helper()
	eachSource(t, func(t *testing.T, b *sourceBundle) { test(t, &mailBundle{b, mailtest.New(t)}) })
}

func (b *mailBundle) input() *api.MailboxInput {
	return &api.MailboxInput{Host: "127.0.0.1", Port: graphql.OmittableOf(&b.server.Port), Username: mailtest.Username,
		Password: mailtest.Password}
}

func (b *mailBundle) createMailbox(change func(*api.CreateSourceInput)) *model.Source {
	b.t.Helper()
	in := api.CreateSourceInput{Mailbox: graphql.OmittableOf(b.input())}
	if change != nil {
		change(&in)
	}
	out, err := b.CreateSource(b.ctx, in)
	if err != nil {
		b.t.Fatal(err)
	}
	return out.Source
}

// deliver adds a mail that came some time before or after the source was added.
func (b *mailBundle) deliver(after time.Duration, subject, id string) {
	b.t.Helper()
	if id != "" {
		id = "Message-ID: <" + id + ">\r\n"
	}
	b.server.Deliver(b.t, model.Now().Add(after), fmt.Sprintf("From: Ana <ana@a.example>\r\nSubject: %s\r\n%s\r\n%s opens on Monday.\r\n",
		subject, id, subject))
}

const twoAttachments = "From: Ana <ana@a.example>\r\nSubject: Quarterly report\r\nMessage-ID: <q@a.example>\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nInternal: the report is attached.\r\n" +
	"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nThe first text.\r\n" +
	"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=b.txt\r\n\r\nThe second text.\r\n--b--\r\n"

// documentsOf returns the documents in the order of their creation, and checks how they came.
func (b *mailBundle) titles(src *model.Source) (titles []string) {
	b.t.Helper()
	var docs []*model.Document
	if err := b.db.NewSelect().Model(&docs).Order("created_at", "id").Scan(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	for _, doc := range docs {
		if doc.SourceID == nil || *doc.SourceID != src.ID || doc.Original == nil || doc.SourceURL != nil {
			b.t.Errorf("the document of a mail is %+v", doc)
		}
		titles = append(titles, strings.TrimSuffix(doc.Title, ".eml"))
	}
	slices.Sort(titles)
	return titles
}

func (b *mailBundle) wantTitles(src *model.Source, want ...string) {
	b.t.Helper()
	if got := b.titles(src); !slices.Equal(got, want) {
		b.t.Errorf("the documents are %q, want %q", got, want)
	}
}

func TestMailbox_brings_in_mails(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		for n := range 22 {
			b.deliver(-time.Hour, fmt.Sprintf("Old %02d", n), fmt.Sprint("old", n))
		}
		src := b.createMailbox(func(in *api.CreateSourceInput) {
			in.TitleExcludes = graphql.OmittableOf([]string{"advert"})
			in.Tags = graphql.OmittableOf([]string{"press"})
		})
		if src.Kind != model.SourceKindMailbox || src.Visibility != model.VisibilityInternal || src.Name != mailtest.Username ||
			src.URL != fmt.Sprintf("imaps://press%%40example.com@127.0.0.1:%d/INBOX", b.server.Port) {
			t.Errorf("the source is %+v", src)
		}
		first := b.poll(src.ID, 0)
		if first.LastError != nil || first.EntriesSeen != 20 || first.DocumentsCreated != 20 || first.WaitingCount != 0 {
			t.Fatalf("after the first poll: %+v, %+v", first, first.LastError)
		}
		if got := b.titles(src); len(got) != 20 || got[0] != "Old 02" {
			t.Errorf("the first documents are %q", got)
		}
		b.deliver(0, "An advert", "advert")
		b.server.Deliver(t, model.Now(), twoAttachments)
		second := b.poll(src.ID, time.Hour)
		if second.EntriesSeen != 22 || second.DocumentsCreated != 23 || second.LastError != nil {
			t.Errorf("after the second poll: %+v", second)
		}
		if got := b.titles(src); !slices.Equal(got[20:], []string{"Quarterly report", "a.txt", "b.txt"}) {
			t.Errorf("the documents of a mail are %q", got[20:])
		}
		if third := b.poll(src.ID, time.Hour); third.EntriesSeen != 22 || b.server.Unseen(t) != 24 {
			t.Errorf("after the third poll %d mails are unseen: %+v", b.server.Unseen(t), third)
		}
		b.startJobs(t)
		var docs []*model.Document
		if err := b.db.NewSelect().Model(&docs).Where("title IN ('a.txt', 'Quarterly report.eml')").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			if read := b.waitForIngestion(t, doc.ID); read.ProcessingStatus != nil || read.Visibility != model.VisibilityInternal ||
				!slices.Equal(read.Tags, []string{"press"}) {
				t.Errorf("the read document is %+v", read)
			}
		}
	})
}

// TestMailbox_that_starts_over has a folder whose UIDs changed.
func TestMailbox_that_starts_over(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		b.deliver(-time.Hour, "A", "a")
		src := b.createMailbox(nil)
		b.poll(src.ID, 0)
		b.deliver(time.Hour, "B", "")
		b.deliver(time.Hour, "B", "") // the same bytes again
		b.poll(src.ID, time.Hour)
		b.wantTitles(src, "A", "B")
		b.server.Renew(t)
		b.deliver(-2*time.Hour, "Never read", "older")
		b.deliver(-time.Hour, "A", "a")
		b.deliver(time.Hour, "B", "")
		b.deliver(time.Hour, "C", "c")
		if got := b.poll(src.ID, time.Hour); got.DocumentsCreated != 3 || got.LastError != nil {
			t.Errorf("%+v, %+v", got, got.LastError)
		}
		b.wantTitles(src, "A", "B", "C")
		b.deliver(-time.Hour, "Moved here", "moved")
		b.poll(src.ID, time.Hour)
		b.wantTitles(src, "A", "B", "C", "Moved here")
	})
}

// TestMailbox_of_a_killed_process reads the mails twice, and has a mail for which there are no runs.
func TestMailbox_of_a_killed_process(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		if _, err := b.accounts.SetBudget(t.Context(), "w", account.BudgetSettings{Limit: 3}); err != nil {
			t.Fatal(err)
		}
		src := b.createMailbox(nil)
		b.deliver(0, "A", "a")
		if err := b.ReadDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.server.Deliver(t, model.Now(), twoAttachments)
		waiting := b.poll(src.ID, ingest.PollLease)
		if waiting.WaitingCount != 1 || waiting.LastError == nil || waiting.LastError.Code != string(errs.BudgetExhausted) ||
			waiting.IsFailing {
			t.Errorf("without runs: %+v, %+v", waiting, waiting.LastError)
		}
		b.wantTitles(src, "A")
		if _, err := b.accounts.SetBudget(t.Context(), "w", account.BudgetSettings{Limit: 100}); err != nil {
			t.Fatal(err)
		}
		done := b.poll(src.ID, time.Hour)
		if done.WaitingCount != 0 || done.LastError != nil || done.DocumentsCreated != 4 || done.EntriesSeen != 2 {
			t.Errorf("with runs: %+v", done)
		}
		b.wantTitles(src, "A", "Quarterly report", "a.txt", "b.txt")
	})
}

func TestMailbox_that_refuses_the_password(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		src := b.createMailbox(func(in *api.CreateSourceInput) {
			box := b.input()
			box.Password = "wrong secret"
			in.Mailbox = graphql.OmittableOf(box)
		})
		for n := range 3 {
			src = b.poll(src.ID, 24*time.Hour)
			if src.LastError == nil || !strings.Contains(src.LastError.Message, "refused") || src.ConsecutiveFailures != n+1 {
				t.Fatalf("after %d polls: %+v, %+v", n+1, src, src.LastError)
			}
			if src.IsPaused() != (n == 2) || n < 2 && !src.NextPollAt.Equal(b.at.Add(5*time.Minute<<n)) {
				t.Errorf("after %d polls it is due at %v, paused %v", n+1, src.NextPollAt, src.PausedReason)
			}
		}
		if *src.PausedReason != model.SourcePausedReasonRefused || !src.IsFailing || b.changes.lastEvent() != model.EventSourceFailing ||
			b.server.Connections() != 3 {
			t.Errorf("%+v after %d connections", src, b.server.Connections())
		}
		stored, _ := json.Marshal(src)
		if strings.Contains(string(stored), "secret") || strings.Contains(string(src.Password), "secret") {
			t.Error("the password is stored in clear text")
		}
		out, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID, IsPaused: graphql.OmittableOf(new(false)),
			Mailbox: graphql.OmittableOf(&api.MailboxPatchInput{Password: graphql.OmittableOf(new(mailtest.Password))})})
		if err != nil || out.Source.IsPaused() {
			t.Fatal(out, err)
		}
		if src = b.poll(src.ID, 0); src.LastError != nil || src.IsFailing || b.changes.lastEvent() != model.EventSourceRecovered {
			t.Errorf("with the right password: %+v, %+v", src, src.LastError)
		}
	})
}

// TestMailbox_refused_between_other_failures counts refusals since the last success, whatever else failed.
func TestMailbox_refused_between_other_failures(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		src := b.createMailbox(nil)
		if src = b.poll(src.ID, 0); src.LastError != nil {
			t.Fatalf("%+v", src.LastError)
		}
		enter := func(password string, port int) {
			patch := &api.MailboxPatchInput{Password: graphql.OmittableOf(&password), Port: graphql.OmittableOf(&port)}
			if _, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID, Mailbox: graphql.OmittableOf(patch),
				IsPaused: graphql.OmittableOf(new(false))}); err != nil {
				t.Fatal(err)
			}
		}
		pollTo := func(refusals int, isPaused bool) {
			t.Helper()
			if src = b.poll(src.ID, 24*time.Hour); src.Refusals != refusals || src.IsPaused() != isPaused {
				t.Errorf("%d refusals, paused %v, want %d and %v: %+v", src.Refusals, src.IsPaused(), refusals, isPaused, src.LastError)
			}
		}
		enter("wrong secret", b.server.Port)
		pollTo(1, false)
		pollTo(2, false)
		enter("wrong secret", 1) // nothing listens there
		pollTo(2, false)
		enter("wrong secret", b.server.Port)
		pollTo(3, true)
		enter("wrong secret", b.server.Port)
		pollTo(4, true)
		enter(mailtest.Password, b.server.Port)
		pollTo(0, false)
		enter("wrong secret", b.server.Port)
		pollTo(1, false)
	})
}

func TestMailbox_leaves_out_what_cannot_be_read(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		src := b.createMailbox(nil)
		b.server.Deliver(t, model.Now(), "Subject: Large\r\n\r\n"+strings.Repeat("large text\r\n", 4_200_000))
		b.server.Deliver(t, model.Now(), "no header at all")
		b.server.Deliver(t, model.Now(), "From: Ana <ana@a.example>\r\nSubject: Torn\r\nMIME-Version: 1.0\r\n"+
			"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the archive.\r\n"+
			"--b\r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\n\r\nPK\x03\x04 torn\r\n--b--\r\n")
		b.deliver(0, "Small", "small")
		src = b.poll(src.ID, 0)
		if src.EntriesSeen != 4 || src.ConsecutiveFailures != 0 || src.LastError == nil ||
			!strings.Contains(src.LastError.Message, `2 mails were left out, the first "Large": it is over 50 MB`) {
			t.Errorf("%+v, %+v", src, src.LastError)
		}
		if got := b.titles(src); !slices.Equal(got, []string{"Small", "Torn"}) {
			t.Errorf("the documents are %q", got)
		}
	})
}

func TestMailbox_validation(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		src := b.createMailbox(nil)
		feed := b.create(nil)
		fieldsOf := func(err error) (fields []string) {
			for _, field := range errs.From(err).Fields {
				fields = append(fields, field.Pointer)
			}
			return fields
		}
		bad := b.input()
		bad.Host, bad.Username = "10.0.0.1", "a\nb"
		for want, in := range map[string]api.CreateSourceInput{
			"#/url":                             {},
			"#/mailbox":                         {URL: graphql.OmittableOf(&feed.URL), Mailbox: graphql.OmittableOf(b.input())},
			"#/mailbox/host #/mailbox/username": {Mailbox: graphql.OmittableOf(bad)},
			"#/kind": {URL: graphql.OmittableOf(new("https://example.com/")),
				Kind: graphql.OmittableOf(new(model.SourceKindMailbox))},
		} {
			if _, err := b.CreateSource(b.ctx, in); strings.Join(fieldsOf(err), " ") != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if _, err := b.CreateSource(b.ctx, api.CreateSourceInput{Mailbox: graphql.OmittableOf(b.input())}); !errs.Is(err, errs.Conflict) {
			t.Errorf("the same mailbox twice: %v", err)
		}
		host := &api.MailboxPatchInput{Host: graphql.OmittableOf(new("mail.example.com"))}
		for want, in := range map[string]api.UpdateSourceInput{
			"#/mailbox/password": {SourceID: src.ID, Mailbox: graphql.OmittableOf(host)},
			"#/url":              {SourceID: src.ID, URL: graphql.OmittableOf(&feed.URL)},
			"#/mailbox":          {SourceID: feed.ID, Mailbox: graphql.OmittableOf(host)},
		} {
			if _, err := b.UpdateSource(b.ctx, in); strings.Join(fieldsOf(err), " ") != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		folder := &api.MailboxPatchInput{Folder: graphql.OmittableOf(new("Press"))}
		out, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID, Mailbox: graphql.OmittableOf(folder)})
		if err != nil || !strings.HasSuffix(out.Source.URL, "/Press") {
			t.Fatalf("another folder: %+v, %v", out, err)
		}
		if polled := b.poll(src.ID, 0); polled.LastError == nil || polled.LastError.Code != string(errs.NotFound) {
			t.Errorf("a folder that does not exist: %+v", polled.LastError)
		}
	})
}

func TestPreviewSource_of_a_mailbox(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		for n := range 12 {
			b.deliver(-time.Hour, fmt.Sprint("Mail ", n), fmt.Sprint(n))
		}
		src := b.createMailbox(nil)
		b.poll(src.ID, 0)
		b.deliver(0, "Newest", "newest")
		out, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{Mailbox: graphql.OmittableOf(b.input())})
		if err != nil {
			t.Fatal(err)
		}
		if *out.Kind != model.SourceKindMailbox || out.EntryCount != 13 || len(out.Entries) != 10 || *out.SourceID != src.ID ||
			*out.Entries[0].Title != "Newest" || out.Entries[0].DocumentID != nil || out.Entries[1].DocumentID == nil ||
			!strings.HasSuffix(out.Entries[0].URL, "/INBOX/;UID=13") {
			t.Errorf("the preview is %+v", out)
		}
		wrong := b.input()
		wrong.Password = "wrong secret"
		_, err = b.PreviewSource(b.ctx, api.PreviewSourceInput{Mailbox: graphql.OmittableOf(wrong)})
		if !errs.Is(err, errs.ValidationFailed) || errs.From(err).Fields[0].Pointer != "#/mailbox/password" ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("a wrong password: %v", err)
		}
	})
}

// TestLostPasswords seals a password for another source, as a lost key leaves it.
func TestLostPasswords(t *testing.T) {
	eachMailbox(t, func(t *testing.T, b *mailBundle) {
		src := b.createMailbox(nil)
		lost := func() (n int, ids []string) {
			err := b.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				sealed, sources, err := b.LostPasswords(ctx, tx)
				n = sealed
				for _, src := range sources {
					ids = append(ids, src.ID)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return n, ids
		}
		if n, ids := lost(); n != 1 || len(ids) != 0 {
			t.Errorf("%d passwords, lost %q", n, ids)
		}
		if _, err := b.db.NewUpdate().Model((*model.Source)(nil)).Set("password = ?", []byte("sealed by another key")).
			Where("id = ?", src.ID).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, ids := lost(); !slices.Equal(ids, []string{src.ID}) {
			t.Errorf("lost are %q", ids)
		}
		if polled := b.poll(src.ID, 0); polled.LastError == nil || !strings.Contains(polled.LastError.Message, "enter the password again") {
			t.Errorf("a lost password: %+v", polled.LastError)
		}
	})
}
