package link

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gabriel-vasile/mimetype"

	"rostrum/errs"
	"rostrum/model"
)

// maxFile is the largest file that a link gives (shared/spec/operations.md, "Sizes").
const maxFile = 50_000_000

// keep writes an uploaded file to the disk, under a name that says nothing of it.
func (s *Service) keep(upload *graphql.Upload) (*model.LinkFile, error) {
	kept := &model.LinkFile{Name: fileName(upload.Filename), Stored: model.NewID("file")}
	if err := os.MkdirAll(s.config.Folder, 0o750); err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the file could not be kept")
	}
	size, err := write(s.stored(kept), upload.File)
	kept.Size = int(size)
	if err == nil && size > maxFile {
		err = errs.New(errs.TooLarge, "the file is over 50 MB")
	}
	if err == nil {
		kept.MediaType, err = mediaType(s.stored(kept))
	}
	if err == nil {
		return kept, nil
	}
	s.drop(kept)
	if _, ok := errors.AsType[*errs.Error](err); !ok {
		err = errs.Wrap(err, errs.Internal, "the file could not be kept")
	}
	return nil, err
}

// write copies at most one byte more than a file may have, and returns when the bytes are safe.
func write(path string, from io.Reader) (int64, error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(out, io.LimitReader(from, maxFile+1))
	if err == nil {
		err = out.Sync()
	}
	return size, errors.Join(err, out.Close())
}

// mediaType tells a file's type by its bytes: what its sender calls it does not count.
func mediaType(path string) (string, error) {
	found, err := mimetype.DetectFile(path)
	if err != nil {
		return "", err
	}
	return found.String(), nil
}

func (s *Service) stored(f *model.LinkFile) string { return filepath.Join(s.config.Folder, f.Stored) }

// drop removes a file, if there is one.
func (s *Service) drop(f *model.LinkFile) {
	if f == nil {
		return
	}
	if err := os.Remove(s.stored(f)); err != nil && !errors.Is(err, os.ErrNotExist) {
		slog.Error("a hosted file could not be removed", "file", f.Stored, "error", err)
	}
}

// shown are the types that a browser may show in place; anything else, above all what can run scripts in this server's name, is saved.
var shown = []string{
	"application/pdf", "text/plain", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
	"audio/mpeg", "audio/ogg", "audio/wav", "audio/mp4", "video/mp4", "video/webm", "video/ogg",
}

// serveFile sends a link's file, or the range of it that is asked for.
func (s *Service) serveFile(w http.ResponseWriter, r *http.Request, t *target) error {
	file, err := os.Open(s.stored(t.link.File))
	if err != nil {
		return errs.Wrap(err, errs.Internal, "the file could not be read")
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", t.link.File.MediaType)
	header.Set("Content-Disposition", disposition(t.link.File))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+t.link.File.Stored+`"`)
	http.ServeContent(w, r, "", t.link.CreatedAt, file)
	return nil
}

// disposition names the file as RFC 6266 asks.
func disposition(f *model.LinkFile) string {
	kind, _, _ := strings.Cut(f.MediaType, ";")
	how := "attachment"
	if slices.Contains(shown, kind) {
		how = "inline"
	}
	return mime.FormatMediaType(how, map[string]string{"filename": f.Name})
}
