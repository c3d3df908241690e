package link

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gabriel-vasile/mimetype"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

// maxFileSize is the largest file of a link in bytes.
const maxFileSize = 50_000_000

// storeFile stores an uploaded file under a random name. It returns errs.TooLarge above
// maxFileSize.
func (s *Service) storeFile(upload *graphql.Upload) (*model.LinkFile, error) {
	stored := &model.LinkFile{Name: fileName(upload.Filename), Stored: model.NewID("file")}
	if err := os.MkdirAll(s.config.Folder, 0o700); err != nil {
		return nil, web.DiskError(err, "the file cannot be stored")
	}
	size, err := writeFile(s.filePath(stored), upload.File)
	stored.Size = int(size)
	if err == nil && size > maxFileSize {
		err = errs.New(errs.TooLarge, "the file is over 50 MB")
	}
	if err == nil {
		stored.MediaType, err = detectMediaType(s.filePath(stored))
	}
	if err == nil {
		return stored, nil
	}
	s.deleteFile(stored)
	if _, ok := errors.AsType[*errs.Error](err); !ok {
		err = web.DiskError(err, "the file cannot be stored")
	}
	return nil, err
}

// writeFile writes at most maxFileSize and one byte, and returns after the file is synced to disk.
func writeFile(path string, from io.Reader) (int64, error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(out, io.LimitReader(from, maxFileSize+1))
	if err == nil {
		err = out.Sync()
	}
	return size, errors.Join(err, out.Close())
}

// detectMediaType returns a file's type from its content, because the uploader's declaration is not
// trusted.
func detectMediaType(path string) (string, error) {
	found, err := mimetype.DetectFile(path)
	if err != nil {
		return "", err
	}
	return found.String(), nil
}

func (s *Service) filePath(f *model.LinkFile) string { return filepath.Join(s.config.Folder, f.Stored) }

// deleteFile deletes a file; nil is ignored and an error logged.
func (s *Service) deleteFile(f *model.LinkFile) {
	if f == nil {
		return
	}
	if err := os.Remove(s.filePath(f)); err != nil && !errors.Is(err, os.ErrNotExist) {
		slog.Error("delete a hosted file", "file", f.Stored, "error", err)
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
		var failed []error
		for _, l := range links {
			if err := os.Remove(s.filePath(l.File)); err != nil && !errors.Is(err, os.ErrNotExist) {
				failed = append(failed, err)
			}
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

// serveFile serves a link's file or the requested range of it.
func (s *Service) serveFile(w http.ResponseWriter, r *http.Request, t *linkTarget) error {
	file, err := os.Open(s.filePath(t.link.File))
	if err != nil {
		return errs.Wrap(err, errs.Internal, "the file cannot be read")
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
