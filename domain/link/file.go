package link

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gabriel-vasile/mimetype"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

// maxFileSize is the largest file of a link in bytes.
const maxFileSize = 50_000_000

// filePrefix is the beginning of the keys of files, which is followed by the workspace, a slash, the
// link, a dot and the file's random name.
const filePrefix = "link/"

func filesOf(workspaceID string) string { return filePrefix + workspaceID + "/" }

// fileKey returns the key of a link's file in the store.
func fileKey(l *model.Link) string { return filesOf(l.WorkspaceID) + l.ID + "." + l.File.Stored }

// storeFile stores the uploaded file of a link and sets its File. Call it before the transaction
// that stores the link, and deleteFile if that fails. It returns errs.TooLarge above maxFileSize,
// and errs.Unavailable on a full disk.
func (s *Service) storeFile(ctx context.Context, l *model.Link, upload *graphql.Upload) error {
	size, err := upload.File.Seek(0, io.SeekEnd)
	if err != nil {
		return unreadable(err)
	}
	if size > maxFileSize {
		return errs.New(errs.TooLarge, "the file is over 50 MB")
	}
	stored := &model.LinkFile{Name: fileName(upload.Filename), Stored: model.NewID("file"), Size: int(size)}
	if stored.MediaType, err = detectMediaType(upload.File); err != nil {
		return unreadable(err)
	}
	if _, err := upload.File.Seek(0, io.SeekStart); err != nil {
		return unreadable(err)
	}
	l.File = stored
	return s.config.Files.Put(ctx, fileKey(l), stored.MediaType, upload.File)
}

func unreadable(err error) error { return web.DiskError(err, "the uploaded file cannot be read") }

// detectMediaType returns a file's type from its content, because the uploader's declaration is not
// trusted.
func detectMediaType(file io.ReadSeeker) (string, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	found, err := mimetype.DetectReader(file)
	if err != nil {
		return "", err
	}
	return found.String(), nil
}

// deleteTime is how long a response waits for the deletion of a file.
const deleteTime = 5 * time.Second

// deleteFile deletes the file of a link that was deleted, or not created after all; a link without
// one is ignored. An error is logged, as SweepFiles deletes the file later.
func (s *Service) deleteFile(ctx context.Context, l *model.Link) {
	if l.File == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTime)
	defer cancel()
	if err := errors.Join(s.config.Files.Delete(ctx, fileKey(l)), s.removeOldFile(l.File)); err != nil {
		slog.WarnContext(ctx, "cannot delete the file of a link; it is deleted within days", "key", fileKey(l), "error", err)
	}
}

// StoredBytes returns how many bytes the files of a workspace's links have.
func (s *Service) StoredBytes(ctx context.Context, workspaceID string) (bytes int64, err error) {
	links, err := s.linksWithFiles(ctx, workspaceID)
	for _, l := range links {
		bytes += int64(l.File.Size)
	}
	return bytes, err
}

func (s *Service) linksWithFiles(ctx context.Context, workspaceID string) ([]*model.Link, error) {
	var links []*model.Link
	err := s.db.NewSelect().Model(&links).Column("file").Where("workspace_id = ? AND file IS NOT NULL", workspaceID).
		Scan(ctx)
	return slices.DeleteFunc(links, func(l *model.Link) bool { return l.File == nil }), dbx.Err(err)
}

// RemoveFiles returns a function that deletes the files of a workspace's links. The operator calls
// it after the rows are deleted.
func (s *Service) RemoveFiles(ctx context.Context, workspaceID string) (remove func() error, err error) {
	links, err := s.linksWithFiles(ctx, workspaceID)
	return func() error {
		failed := []error{s.config.Files.DeleteAll(ctx, filesOf(workspaceID))}
		for _, l := range links {
			failed = append(failed, s.removeOldFile(l.File))
		}
		return errors.Join(failed...)
	}, err
}

// inlineTypes are the types that browsers may display. All others are downloaded, above all types
// that can run scripts on this origin.
var inlineTypes = []string{
	"application/pdf", "text/plain", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
	"audio/mpeg", "audio/ogg", "audio/wav", "audio/mp4", "video/mp4", "video/webm", "video/ogg",
}

// openFile opens the file of a link, which the caller closes. It returns errs.Internal if the file
// is lost, and errs.Unavailable if the store does not answer.
func (s *Service) openFile(ctx context.Context, l *model.Link) (io.ReadSeekCloser, error) {
	file, err := s.config.Files.Open(ctx, fileKey(l))
	if !errs.Is(err, errs.NotFound) {
		return file, err
	}
	old, err := s.openOldFile(l.File)
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the file cannot be read")
	}
	return old, nil
}

// serveFile serves a link's file or the requested range of it.
func (s *Service) serveFile(w http.ResponseWriter, r *http.Request, t *linkTarget) error {
	file, err := s.openFile(r.Context(), t.link)
	if err != nil {
		return err
	}
	defer file.Close()
	header := w.Header()
	media := servedType(t.link.File)
	header.Set("Content-Type", media)
	header.Set("Content-Disposition", contentDisposition(t.link.File, media))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", filePolicy)
	if media != "application/pdf" { // browsers show no PDF in a sandbox
		header.Set("Content-Security-Policy", filePolicy+"; sandbox")
	}
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+t.link.File.Stored+`"`)
	http.ServeContent(w, r, "", t.link.CreatedAt, file)
	return nil
}

// filePolicy is the Content-Security-Policy of a file that is opened as a page.
const filePolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

// servedType returns the media type that a file is served with. A page of this origin could load
// any other file as a script or a style, whatever its Content-Disposition.
func servedType(f *model.LinkFile) string {
	media, params, err := mime.ParseMediaType(f.MediaType)
	if err != nil || !slices.Contains(inlineTypes, media) {
		return "application/octet-stream"
	}
	return mime.FormatMediaType(media, params)
}

// contentDisposition returns the header's value (RFC 6266) of a file that is served as media.
func contentDisposition(f *model.LinkFile, media string) string {
	disposition := "inline"
	if media == "application/octet-stream" {
		disposition = "attachment"
	}
	return mime.FormatMediaType(disposition, map[string]string{"filename": f.Name})
}
