package rostrum

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"mime/multipart"
	"strconv"

	"github.com/Khan/genqlient/graphql"

	"rostrum/clients/go/graph"
)

// DocumentsOptions says which documents a list has; without values all, the newest first.
type DocumentsOptions struct {
	Filter  *graph.DocumentFilter
	OrderBy *graph.DocumentOrder
	// PageSize is how many documents a request reads, up to 100; 50 when 0.
	PageSize int
}

// sparse sends inputs without their absent members, which genqlient writes as null.
type sparse struct{ *Client }

func (c sparse) MakeRequest(ctx context.Context, request *graphql.Request, response *graphql.Response) error {
	variables, err := withoutNulls(request.Variables)
	if err != nil {
		return err
	}
	own := *request
	own.Variables = variables
	return c.Client.MakeRequest(ctx, &own, response)
}

func withoutNulls(input any) (map[string]any, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return nil, fmt.Errorf("write the variables: %w", err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, fmt.Errorf("write the variables: %w", err)
	}
	removeNulls(members)
	return members, nil
}

func removeNulls(members map[string]any) {
	for name, value := range members {
		if value == nil {
			delete(members, name)
		} else if inner, ok := value.(map[string]any); ok {
			removeNulls(inner)
		}
	}
}

// Documents yields the documents that match, page by page as they are needed.
func (c *Client) Documents(ctx context.Context, options DocumentsOptions) iter.Seq2[graph.DocumentFields, error] {
	size := cmp.Or(options.PageSize, 50)
	return func(yield func(graph.DocumentFields, error) bool) {
		for after := (*string)(nil); ; {
			data, err := graph.Documents(ctx, sparse{c}, &size, after, options.Filter, options.OrderBy)
			if err != nil {
				yield(graph.DocumentFields{}, err)
				return
			}
			for _, document := range data.Documents.Nodes {
				if !yield(document, nil) {
					return
				}
			}
			if !data.Documents.PageInfo.HasNextPage {
				return
			}
			after = data.Documents.PageInfo.EndCursor
		}
	}
}

// Document returns a document with its text, or nil.
func (c *Client) Document(ctx context.Context, id string) (*graph.FullDocument, error) {
	data, err := graph.Document(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return data.Document, nil
}

// EventCursor returns the position of the newest event. Read it before a list that is to be kept up
// to date.
func (c *Client) EventCursor(ctx context.Context) (string, error) {
	data, err := graph.EventCursor(ctx, c)
	if err != nil {
		return "", err
	}
	return data.EventCursor, nil
}

// DocumentChanges yields the changes of a list of documents after a position. After the kind STALE
// the list must be read again. An empty position begins with the next change.
func (c *Client) DocumentChanges(ctx context.Context, filter *graph.DocumentFilter,
	after string) iter.Seq2[graph.DocumentChange, error] {
	return func(yield func(graph.DocumentChange, error) bool) {
		var err error
		if after == "" {
			after, err = c.EventCursor(ctx)
		}
		variables := map[string]any{"after": after}
		if filter != nil && err == nil {
			variables["filter"], err = withoutNulls(filter)
		}
		if err != nil {
			yield(graph.DocumentChange{}, err)
			return
		}
		changes := Subscribe[graph.DocumentChangesResponse](ctx, c, graph.DocumentChanges_Operation, variables)
		for data, err := range changes {
			if err != nil {
				yield(graph.DocumentChange{}, err)
				return
			}
			if !yield(data.DocumentChanges, nil) {
				return
			}
		}
	}
}

// Ingest makes a document of an address. JobId is the job to watch, nil for a known document.
func (c *Client) Ingest(ctx context.Context, input graph.IngestDocumentInput) (graph.Ingested, error) {
	data, err := graph.IngestDocument(ctx, sparse{c}, input)
	if err != nil {
		return graph.Ingested{}, err
	}
	return data.IngestDocument, nil
}

// File is a file to upload. It is read again from its start for each try.
type File struct {
	Name    string
	Content io.ReadSeeker
}

// Upload makes documents of files; Files of the input is not used. Those that were refused have a
// Refusal.
func (c *Client) Upload(ctx context.Context, input graph.CreateDocumentsInput, files ...File) (graph.Uploaded, error) {
	variables, err := withoutNulls(input)
	if err != nil {
		return graph.Uploaded{}, err
	}
	variables["files"] = make([]any, len(files))
	paths := map[string][]string{}
	for i := range files {
		paths[strconv.Itoa(i)] = []string{fmt.Sprintf("variables.input.files.%d", i)}
	}
	form := map[string]any{"map": paths, "operations": map[string]any{
		"query": graph.CreateDocuments_Operation, "variables": map[string]any{"input": variables}}}
	boundary := multipart.NewWriter(io.Discard)
	var data graph.CreateDocumentsResponse
	err = c.post(ctx, boundary.FormDataContentType(), func() (io.Reader, error) {
		return openForm(boundary.Boundary(), form, files)
	}, &data)
	return data.CreateDocuments, err
}

// openForm returns a form of the GraphQL multipart request specification, with the files as they
// are read.
func openForm(boundary string, fields map[string]any, files []File) (io.Reader, error) {
	var parts []io.Reader
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	if err := form.SetBoundary(boundary); err != nil {
		return nil, err
	}
	flush := func() { parts = append(parts, bytes.NewReader(bytes.Clone(head.Bytes()))); head.Reset() }
	for _, name := range []string{"operations", "map"} {
		text, err := json.Marshal(fields[name])
		if err != nil {
			return nil, err
		}
		if err := form.WriteField(name, string(text)); err != nil {
			return nil, err
		}
	}
	for i, file := range files {
		if _, err := file.Content.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if _, err := form.CreateFormFile(strconv.Itoa(i), file.Name); err != nil {
			return nil, err
		}
		flush()
		parts = append(parts, io.NopCloser(file.Content))
	}
	if err := form.Close(); err != nil {
		return nil, err
	}
	flush()
	return io.MultiReader(parts...), nil
}
