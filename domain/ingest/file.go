package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

const (
	// maxFiles is the largest number of files of a request.
	maxFiles = 100
	// maxDocuments is the largest number of documents of a request, with the files in ZIPs and mails.
	maxDocuments = 200
	// maxUnpacking is how many archives a process unpacks at the same time, each with up to
	// extract.MaxUnpacked bytes in memory.
	maxUnpacking = 2
	// maxMails is how deep mails may be attached to one another.
	maxMails = 3
	// nameLength is the longest name of a file in code points; further ones are cut.
	nameLength = 255
)

// CreateDocuments creates a document and its job for each file. A file that is refused is named in
// the payload, and the others are created; so are those for which the request had no time. It returns validation_failed without a file, and unless
// an embargo and its end are given together.
func (s *Service) CreateDocuments(ctx context.Context, in api.CreateDocumentsInput) (*api.CreateDocumentsPayload,
	error) {
	p := principal.Must(ctx)
	r := ingestRequest{
		operation: opFiles, workspaceID: p.WorkspaceID, userID: p.UserID, declared: model.IngestContentTypeAuto,
		provenance: in.MediaProvenance.Value(),
	}
	if err := r.setVisibility(in.Visibility, in.EmbargoedUntil); err != nil {
		return nil, err
	}
	if len(in.Files) == 0 {
		return nil, errs.Invalid(errs.BodyField("missing", "at least one file is required", "files"))
	}
	b := newFileBatch(s, r)
	working, cancel := withReserve(ctx)
	defer cancel()
	for i, upload := range in.Files {
		if i >= maxFiles {
			b.refuse(fileName(upload.Filename), errManyFiles)
			continue
		}
		err := b.addUpload(working, upload)
		if err != nil && ctx.Err() != nil {
			return nil, fmt.Errorf("create documents: %w", err)
		}
		if err != nil {
			b.refuse(fileName(upload.Filename), errLate)
		}
	}
	return b.out, nil
}

// answerReserve is how long before the end of its time a request stops to create documents. An answer
// that comes too late names none of those that it has created.
const answerReserve = 3 * time.Second

func withReserve(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, end.Add(-answerReserve))
	}
	return context.WithCancel(ctx)
}

var (
	errManyFiles = errs.New(errs.LimitExceeded, "a request has at most %d files, and %d with those in ZIPs and mails: send it in another request",
		maxFiles, maxDocuments)
	errLate      = errs.New(errs.Unavailable, "the time of the request was up before all of it was read: send what is not listed here in another request")
	errEmptyFile = errs.New(errs.NoText, "the file is empty")
	errLargeFile = errs.New(errs.TooLarge, "the file is over 50 MB")
	errNested    = errs.New(errs.UnsupportedMediaType, "an archive in an archive or a mail is not unpacked: send it as a file of its own")
	errManyMails = errs.New(errs.LimitExceeded, "mails are attached to one another too deeply: send it as a file of its own")
)

// fileBatch is the files of a request.
type fileBatch struct {
	*Service
	request ingestRequest
	out     *api.CreateDocumentsPayload
	// keep stores a document that has its file
	keep func(ctx context.Context, doc *model.Document) error
	// failure is why the last file that should have become a document was not stored
	failure error
}

func newFileBatch(s *Service, r ingestRequest) *fileBatch {
	b := &fileBatch{Service: s, request: r, out: &api.CreateDocumentsPayload{
		Files: []*api.FileOutcome{}, Skipped: []string{},
	}}
	b.keep = b.insert
	return b
}

// givenFile is a file of the request, of an archive, or of a mail.
type givenFile struct {
	path  string // its name, with what it is in
	body  []byte
	level int // how many files it is in
	// what the mail that it is attached to says of who may know it
	restriction extract.Restriction
}

// source returns the file as the extractor reads it.
func (f givenFile) source() extract.Source {
	return extract.Source{Body: f.body, Filename: path.Base(f.path)}
}

// fileName returns the last part of the name that a client sends.
func fileName(given string) string {
	name := []rune(path.Base(strings.ReplaceAll(strings.ToValidUTF8(given, "\uFFFD"), `\`, "/")))
	return string(name[max(0, len(name)-nameLength):])
}

// refuse adds a file that becomes no document.
func (b *fileBatch) refuse(name string, cause error) {
	refusal := errs.From(cause)
	b.out.Files = append(b.out.Files, &api.FileOutcome{
		Name: name, Refusal: &api.FileRefusal{Code: string(refusal.Code), Message: refusal.Message},
	})
}

// addUpload adds a file of the request. It returns an error only if the request ended.
func (b *fileBatch) addUpload(ctx context.Context, upload *graphql.Upload) error {
	name := fileName(upload.Filename)
	body, err := io.ReadAll(io.LimitReader(upload.File, maxUpload+1))
	if err != nil {
		b.refuse(name, errs.Wrap(err, errs.BadRequest, "the file could not be read to its end"))
		return nil
	}
	return b.add(ctx, givenFile{path: name, body: body})
}

// add creates the documents of a file. It returns an error only if the request ended.
func (b *fileBatch) add(ctx context.Context, f givenFile) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	kind := ""
	if len(f.body) > 0 && len(f.body) <= maxUpload {
		kind = extract.DetectType(f.source())
	}
	switch {
	case len(b.out.Files) >= maxDocuments:
		b.refuse(f.path, errManyFiles)
	case len(f.body) == 0:
		b.refuse(f.path, errEmptyFile)
	case len(f.body) > maxUpload:
		b.refuse(f.path, errLargeFile)
	case kind == "":
		b.refuse(f.path, uploadError(extract.Refusal(f.source())))
	case kind == extract.Archive && f.level > 0:
		b.refuse(f.path, errNested)
	case kind == extract.Archive:
		return b.addContents(ctx, f)
	default:
		b.create(ctx, f)
		if kind == extract.Mail {
			return b.addContents(ctx, f)
		}
	}
	return nil
}

// addContents creates the documents of the files in an archive or a mail. An archive that cannot be
// unpacked is refused; of a mail that cannot, the job says so.
func (b *fileBatch) addContents(ctx context.Context, f givenFile) error {
	if f.level >= maxMails {
		b.refuse(f.path, errManyMails)
		return nil
	}
	if f.level == 0 { // those within have its slot
		select {
		case b.unpacking <- struct{}{}:
			defer func() { <-b.unpacking }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	isMail := extract.DetectType(f.source()) == extract.Mail
	files, err := b.extract.Unpack(ctx, f.source())
	failure, refused := errors.AsType[*extract.Failure](err)
	switch {
	case refused && isMail:
		return nil // its job fails with the reason
	case refused:
		b.refuse(f.path, uploadError(failure))
		return nil
	case err != nil:
		return err
	}
	if !isMail && slices.ContainsFunc(files, isOfficePart) {
		b.create(ctx, f)
		return nil
	}
	if len(files) == 0 && !isMail {
		b.refuse(f.path, errs.New(errs.NoText, "the archive has no files"))
	}
	if isMail && len(files) > 0 {
		f.restriction = b.restrictionOf(ctx, f)
	}
	for _, file := range files {
		if err := b.addContent(ctx, f, file); err != nil {
			return err
		}
	}
	return nil
}

// restrictionOf returns what the head of a mail, or of the mail that it is attached to, says of who may
// know it. Of a mail that cannot be read its job says so.
func (b *fileBatch) restrictionOf(ctx context.Context, f givenFile) extract.Restriction {
	if text, err := b.extract.Text(ctx, f.source()); err == nil {
		if found := extract.RestrictionOf(text.Title, text.Content); found.IsMarked {
			return found
		}
	}
	return f.restriction
}

// isOfficePart reports whether a file shows that its archive is an office file, whose parts have
// other names than usual.
func isOfficePart(file extract.PackedFile) bool { return file.Name == "[Content_Types].xml" }

func (b *fileBatch) addContent(ctx context.Context, in givenFile, file extract.PackedFile) error {
	inner := givenFile{path: in.path + "/" + file.Name, body: file.Body, level: in.level + 1,
		restriction: in.restriction}
	switch {
	case file.Hidden:
		b.out.Skipped = append(b.out.Skipped, inner.path)
		return nil
	case file.Failure != nil:
		b.refuse(inner.path, uploadError(file.Failure))
		return nil //nolint:nilerr // the answer has the refusal
	}
	return b.add(ctx, inner)
}

// create stores a file, its document and the job that reads it.
func (b *fileBatch) create(ctx context.Context, f givenFile) {
	doc, err := b.createDocument(ctx, f)
	if err != nil {
		if refusal := errs.From(err); refusal.Code == errs.Internal {
			slog.ErrorContext(ctx, "cannot create the document of a file", "error", err)
		}
		b.refuse(f.path, err)
		b.failure = err
		return
	}
	b.out.Files = append(b.out.Files, &api.FileOutcome{Name: f.path, DocumentID: &doc.ID, JobID: doc.ScrapeJobID})
}

func (b *fileBatch) createDocument(ctx context.Context, f givenFile) (*model.Document, error) {
	r := b.request
	doc := newPlaceholder(r)
	name := path.Base(f.path)
	doc.Title, doc.SourceURL, doc.CanonicalURL = name, nil, nil
	if f.restriction.IsMarked {
		visibility.Restrict(doc, f.restriction.Until, b.db.Now())
	}
	media, _ := extract.MediaOf(f.source())
	original, err := b.documents.StoreOriginal(ctx, r.workspaceID, doc.ID,
		model.OriginalFile{Name: name, MediaType: media, Body: f.body})
	if err != nil {
		return nil, err
	}
	doc.Original = original
	return doc, b.keep(ctx, doc)
}

// insert stores the document of a file, which is discarded if that fails.
func (b *fileBatch) insert(ctx context.Context, doc *model.Document) error {
	err := b.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return b.insertTx(ctx, tx, doc) })
	if err != nil {
		b.documents.DiscardOriginal(ctx, doc.Original, err)
	}
	return err
}

// insertTx stores the document of a file and the job that reads it.
func (b *fileBatch) insertTx(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	r := b.request
	started, err := b.enqueueJob(ctx, tx, r.operation, r.workspaceID, r.userID,
		jobParameters{DocumentID: doc.ID, Filename: doc.Original.Name})
	if err != nil {
		return err
	}
	doc.ScrapeJobID = &started.ID
	return b.documents.Insert(ctx, tx, doc)
}
