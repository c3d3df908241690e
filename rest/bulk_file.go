package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"rostrum/domain/bulk"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// BulkFiles opens the files that bulk jobs have written; domain/bulk implements it.
type BulkFiles interface {
	Open(ctx context.Context, jobID string) (*bulk.File, error)
}

// bulkFileHandlers returns the route of a bulk job's file. It is not part of the graph, because it
// serves ranges of bytes.
func (a *Adapter) bulkFileHandlers() []*handlerRoute {
	return []*handlerRoute{{serve: a.serveBulkFile, time: bulkFileTime, signedIn: true, Handler: openapi.Handler{
		Method: http.MethodGet, Path: "/api/v1/jobs/{job_id}/file", Name: "getBulkFile", Tag: "jobs",
		Summary: "Get the file that a bulk query or a bulk mutation has written",
		Details: "JSON Lines, for the key or the user that started the job, after its end. Ranges are supported.",
		Status:  http.StatusOK, File: "The file, as application/jsonl.",
		Parameters: []*openapi3.Parameter{{Name: "job_id", In: stored.InPath, Required: true,
			Description: "The job's id.", Schema: openapi.Text("")}},
		Security: openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("ApiKeyAuth"),
			openapi.SessionOnly},
		Fails: []int{400, 401, 403, 404, 409},
	}}}
}

// bulkFileTime limits a download: 4 GB at 10 Mbit/s.
const bulkFileTime = 60 * time.Minute

// serveBulkFile serves the file of a job or the requested range of it.
func (a *Adapter) serveBulkFile(w http.ResponseWriter, r *http.Request) error {
	file, err := a.config.BulkFiles.Open(r.Context(), chi.URLParam(r, "job_id"))
	if err != nil {
		return err
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", bulk.MediaLines)
	header.Set("Content-Disposition", contentDisposition(file.Name))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", originalPolicy)
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+file.Tag+`"`)
	http.ServeContent(w, r, "", file.ModTime, file)
	return nil
}
