package rest

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// Originals opens the files that documents were read from; domain/document implements it.
type Originals interface {
	OpenOriginal(ctx context.Context, documentID string) (*model.DocumentOriginal, blob.Reader, error)
}

// originalTime limits a download.
const originalTime = 10 * time.Minute

// originalHandlers returns the route of a document's original. It is not part of the graph, because
// it serves ranges of bytes.
func (a *Adapter) originalHandlers() []*handlerRoute {
	return []*handlerRoute{{serve: a.serveOriginal, time: originalTime, signedIn: true, Handler: openapi.Handler{
		Method: http.MethodGet, Path: "/api/v1/documents/{doc_id}/original", Name: "getOriginal", Tag: "documents",
		Summary: "Get the file that a document was read from",
		Details: "The uploaded file or the fetched page, as it came, as a download. Ranges are supported.",
		Status:  http.StatusOK, File: "The file with its media type, or application/octet-stream if a browser could run it.",
		Parameters: []*openapi3.Parameter{{Name: "doc_id", In: stored.InPath, Required: true,
			Description: "The document's id.", Schema: openapi.Text("")}},
		Security: openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth"),
			openapi.SessionOnly},
		Fails: []int{400, 401, 403, 404},
	}}}
}

// originalPolicy is the Content-Security-Policy of an original that is opened as a page.
const originalPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

// serveOriginal serves the original of a document or the requested range of it.
func (a *Adapter) serveOriginal(w http.ResponseWriter, r *http.Request) error {
	original, reader, err := a.config.Originals.OpenOriginal(r.Context(), chi.URLParam(r, "doc_id"))
	if err != nil {
		return err
	}
	defer reader.Close()
	header := w.Header()
	header.Set("Content-Type", downloadType(original.MediaType))
	header.Set("Content-Disposition", contentDisposition(original.Name))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", originalPolicy)
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+original.Key[strings.LastIndexByte(original.Key, '.')+1:]+`"`)
	http.ServeContent(w, r, "", reader.ModTime(), reader)
	return nil
}

// downloadTypes are the types, and the beginnings of types, that originals are served with. No
// browser runs them as a page, a script or a style of this origin.
var downloadTypes = []string{"application/pdf", "text/plain", "text/csv", "image/png", "image/jpeg", "image/gif",
	"image/webp", "image/tiff", "audio/", "video/", "application/vnd.openxmlformats-officedocument.",
	"application/vnd.oasis.opendocument."}

// downloadType returns the media type that an original is served with.
func downloadType(stored string) string {
	media, params, err := mime.ParseMediaType(stored)
	if err != nil || !slices.ContainsFunc(downloadTypes, func(known string) bool {
		isBeginning := strings.HasSuffix(known, "/") || strings.HasSuffix(known, ".")
		return media == known || isBeginning && strings.HasPrefix(media, known)
	}) {
		return "application/octet-stream"
	}
	return mime.FormatMediaType(media, params)
}
