package ingest_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

func upload(name string, body []byte) *graphql.Upload {
	return &graphql.Upload{File: bytes.NewReader(body), Filename: name, Size: int64(len(body))}
}

func packFiles(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		file, err := w.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(file, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// outcomes returns a line for each file: its name, and "job" or the code of its refusal.
func outcomes(out *api.CreateDocumentsPayload) string {
	var lines []string
	for _, file := range out.Files {
		state := "job"
		if file.Refusal != nil {
			state = file.Refusal.Code
		}
		lines = append(lines, file.Name+" "+state)
	}
	return strings.Join(lines, "\n")
}

const mailOfTwo = "From: Ana <ana@a.example>\r\nSubject: Quay\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nThe quay opens.\r\n" +
	"--b\r\nContent-Disposition: attachment; filename=notes.txt\r\n\r\nNotes of the quay.\r\n--b\r\nContent-Type: application/x-thing\r\nContent-Disposition: attachment; filename=a.exe\r\n\r\nMZ\x90\x00\x03\x00\r\n--b--\r\n"

func TestCreateDocuments(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		internal := model.VisibilityInternal
		out, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{
			Visibility: graphql.OmittableOf(&internal),
			Files: []*graphql.Upload{upload(`C:\quay\tide.txt`, []byte("The tide rises, said the mayor.")), upload("empty.pdf", nil),
				upload("run.exe", []byte("MZ\x90\x00\x03\x00\x00\x00")), upload("large.txt", make([]byte, 50_000_001)),
				upload("folder.zip", packFiles(t, "2026/a.md", "# Spring\n\nThe quay opens.", "__MACOSX/a.md", "x",
					"inner.zip", string(packFiles(t, "b.txt", "b")), "none.txt", "")),
				upload("bomb.zip", packFiles(t, "a", strings.Repeat("0", 60_000_000), "b", strings.Repeat("0", 60_000_000))),
				upload("mail.eml", []byte(mailOfTwo)), upload("last.txt", []byte("The last text."))},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := "tide.txt job\nempty.pdf no_text\nrun.exe unsupported_media_type\nlarge.txt too_large\n" +
			"folder.zip/2026/a.md job\nfolder.zip/inner.zip unsupported_media_type\nfolder.zip/none.txt no_text\n" +
			"bomb.zip too_large\nmail.eml job\nmail.eml/a.exe unsupported_media_type\nmail.eml/notes.txt job\nlast.txt job"
		if got := outcomes(out); got != want || fmt.Sprint(out.Skipped) != "[folder.zip/__MACOSX/a.md]" {
			t.Fatalf("got\n%s\nskipped %v, want\n%s", got, out.Skipped, want)
		}
		if n, err := b.documents.Count(b.ctx, nil); n != 5 || err != nil {
			t.Errorf("%d documents, %v", n, err)
		}
		b.startJobs(t)
		texts := map[string]string{"tide.txt": "The tide rises, said the mayor.", "folder.zip/2026/a.md": "# Spring\n\nThe quay opens.",
			"mail.eml": "From: Ana <ana@a.example>\nSubject: Quay\n\nThe quay opens.", "mail.eml/notes.txt": "Notes of the quay.",
			"last.txt": "The last text."}
		for _, file := range out.Files {
			if file.DocumentID == nil {
				continue
			}
			doc := b.waitForIngestion(t, *file.DocumentID)
			if doc.Content == nil || *doc.Content != texts[file.Name] || doc.Visibility != internal || doc.SourceURL != nil || doc.URL != nil {
				t.Errorf("%s is %+v", file.Name, doc)
			}
		}
	})
}

// TestCreateDocuments_restricted keeps the attachments of a confidential mail from the public, and
// those of a mail in it.
func TestCreateDocuments_restricted(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		inner := strings.ReplaceAll(mailOfTwo, "boundary=b\r\n", "boundary=c\r\n")
		inner = strings.ReplaceAll(inner, "--b", "--c")
		mail := strings.Replace(mailOfTwo, "The quay opens.", "STRICTLY CONFIDENTIAL\r\n\r\nThe quay opens.", 1)
		mail = strings.Replace(mail, "--b\r\nContent-Type: application/x-thing",
			"--b\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename=inner.eml\r\n\r\n"+inner+
				"\r\n--b\r\nContent-Type: application/x-thing", 1)
		out, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{
			Files: []*graphql.Upload{upload("mail.eml", []byte(mail)), upload("open.eml", []byte(mailOfTwo))}})
		if err != nil {
			t.Fatal(err)
		}
		b.startJobs(t)
		restricted := 0
		for _, file := range out.Files {
			if file.DocumentID == nil {
				continue
			}
			doc, want := b.waitForIngestion(t, *file.DocumentID), model.VisibilityPublic
			if strings.HasPrefix(file.Name, "mail.eml") {
				want = model.VisibilityInternal
				restricted++
			}
			if doc.Visibility != want || (want == model.VisibilityInternal) != doc.Origins.Visibility.IsOfText() {
				t.Errorf("%s is %s", file.Name, doc.Visibility)
			}
		}
		if restricted != 4 {
			t.Errorf("%d documents of the mail in %s", restricted, outcomes(out))
		}
	})
}

func TestCreateDocuments_refused(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		if _, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{}); !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("no files: %v", err)
		}
		embargoed := model.VisibilityEmbargoed
		_, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{Visibility: graphql.OmittableOf(&embargoed),
			Files: []*graphql.Upload{upload("a.txt", []byte("a"))}})
		if !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("an embargo without its end: %v", err)
		}
		if _, err := db.NewUpdate().Model((*model.Workspace)(nil)).Set("run_limit = 1").Where("id = 'w'").Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		out, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{
			Files: []*graphql.Upload{upload("a.txt", []byte("text a")), upload("b.txt", []byte("text b"))}})
		if err != nil || outcomes(out) != "a.txt job\nb.txt budget_exhausted" {
			t.Fatalf("%v, %v", outcomes(out), err)
		}
		if n, err := b.documents.SweepOriginals(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
			t.Errorf("%d originals without a document, %v", n, err)
		}
	})
}

// TestCreateDocuments_retry retries a file that had no text with the stored original, and deletes it
// with its document.
func TestCreateDocuments_retry(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		out, err := b.CreateDocuments(b.ctx, api.CreateDocumentsInput{
			Files: []*graphql.Upload{upload("tide.txt", []byte("The tide rises."))}})
		if err != nil {
			t.Fatal(err)
		}
		id := *out.Files[0].DocumentID
		b.cancelJob(t, *out.Files[0].JobID)
		if doc := b.waitForIngestion(t, id); doc.ProcessingError == nil || doc.ProcessingError.Code != model.ProcessingErrorCodeCancelled {
			t.Fatalf("canceled: %+v", doc)
		}
		if _, err := b.Retry(b.ctx, api.RetryDocumentInput{DocumentID: id}); err != nil {
			t.Fatal(err)
		}
		b.startJobs(t)
		doc := b.waitForIngestion(t, id)
		if doc.Content == nil || *doc.Content != "The tide rises." || doc.Original == nil || doc.Original.Size != 15 {
			t.Fatalf("retried: %+v", doc)
		}
		b.checkOriginal(t, doc)
		if _, err := b.documents.Delete(b.ctx, id); err != nil {
			t.Fatal(err)
		}
		future := time.Now().Add(time.Hour)
		if n, err := b.documents.SweepOriginals(context.WithoutCancel(t.Context()), future); n != 0 || err != nil {
			t.Errorf("swept %d originals of documents that can be restored, %v", n, err)
		}
		if _, err := b.documents.Erase(b.ctx, id); err != nil {
			t.Fatal(err)
		}
		if _, err := b.files.Read(t.Context(), doc.Original.Key); !errs.Is(err, errs.NotFound) {
			t.Errorf("the original of an erased document: %v", err)
		}
	})
}

func (b *testBundle) checkOriginal(t *testing.T, doc *model.Document) {
	t.Helper()
	bytes, err := b.documents.StoredBytes(t.Context(), "w")
	if err != nil || bytes != 30 {
		t.Errorf("%d bytes are stored, %v", bytes, err)
	}
	urls, err := b.documents.OriginalURLs(t.Context(), []*model.DocumentOriginal{doc.Original})
	if err != nil || *urls[0] != "http://rostrum.example/api/v1/documents/"+doc.ID+"/original" {
		t.Errorf("the address is %v, %v", *urls[0], err)
	}
	if err := b.files.Put(t.Context(), "original/w/doc_none.file_1", "text/plain", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if n, err := b.documents.SweepOriginals(context.WithoutCancel(t.Context()), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	original, reader, err := b.documents.OpenOriginal(b.ctx, doc.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if text, err := io.ReadAll(reader); err != nil || string(text) != "The tide rises." || original.Name != "tide.txt" {
		t.Errorf("the original is %q, %+v, %v", text, original, err)
	}
}

// nearlyOver is a context whose deadline comes soon and that never ends.
type nearlyOver struct{ context.Context }

func (nearlyOver) Deadline() (time.Time, bool) { return time.Now().Add(time.Second), true }

// TestCreateDocuments_late checks that files for which a request has no time are named, and create
// nothing.
func TestCreateDocuments_late(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		out, err := b.CreateDocuments(nearlyOver{b.ctx}, api.CreateDocumentsInput{Files: []*graphql.Upload{
			upload("tide.txt", []byte("The tide rises, said the mayor.")), upload("all.zip", packFiles(t, "a.txt", "a"))}})
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomes(out); got != "tide.txt unavailable\nall.zip unavailable" {
			t.Error(got)
		}
		if n, err := db.NewSelect().Model((*model.Document)(nil)).Count(t.Context()); err != nil || n != 0 {
			t.Errorf("%d documents, %v", n, err)
		}
	})
}
