package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// handWrittenConnections equals the connection limit of the gateway's queries.
const handWrittenConnections = 18

// openPool connects to the database with pgx's defaults, regardless of the address's parameters:
// statements are prepared once on each connection.
func openPool(ctx context.Context, address string) (*pgxpool.Pool, error) {
	return openPoolOf(ctx, address, handWrittenConnections)
}

// openPoolOf is openPool with another limit of connections.
func openPoolOf(ctx context.Context, address string, connections int32) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	config.MaxConns = connections
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		return nil
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// handWritten is a careful implementation of these few endpoints alone: net/http, pgx, structs,
// encoding/json. It requires no key and checks only the parts of a request that it needs.
type handWritten struct{ pool *pgxpool.Pool }

func (h handWritten) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /workspaces/{workspace}/documents", h.list)
	mux.HandleFunc("GET /workspaces/{workspace}/documents/{id}", h.one)
	return mux
}

type documentBody struct {
	ID                       string     `json:"id"`
	WorkspaceID              string     `json:"workspace_id"`
	Title                    string     `json:"title"`
	Content                  *string    `json:"content,omitempty"`
	ContentType              *string    `json:"content_type"`
	CommunicationType        *string    `json:"communication_type"`
	Company                  *string    `json:"company"`
	Executive                *string    `json:"executive"`
	Author                   *string    `json:"author"`
	Language                 *string    `json:"language"`
	CreatedAt                time.Time  `json:"created_at"`
	UpdatedAt                time.Time  `json:"updated_at"`
	ExtractedAt              *time.Time `json:"extracted_at"`
	ExtractedDate            *time.Time `json:"extracted_date"`
	MediaProvenance          *string    `json:"media_provenance"`
	ProcessingStatus         *string    `json:"processing_status"`
	ProcessingError          *errorBody `json:"processing_error"`
	SourceURL                *string    `json:"source_url"`
	URL                      *string    `json:"url"`
	WordCount                *int       `json:"word_count"`
	CharacterCount           *int       `json:"character_count"`
	IsNarrativeTestingUpload *bool      `json:"is_narrative_testing_upload"`
	Tags                     []string   `json:"tags"`
	AutoTags                 []tagBody  `json:"auto_tags,omitempty"`
}

type errorBody struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

type tagBody struct {
	Name            string     `json:"name"`
	ExtractedValue  string     `json:"extracted_value"`
	AppliedAt       *time.Time `json:"applied_at"`
	ConfidenceScore *float64   `json:"confidence_score"`
	TagType         *string    `json:"tag_type"`
}

type paginationBody struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	TotalCount int `json:"total_count"`
	TotalPages int `json:"total_pages"`
}

type listBody struct {
	Documents  []*documentBody `json:"documents"`
	Pagination *paginationBody `json:"pagination,omitempty"`
}

const lightColumns = `id, workspace_id, title, content_type, communication_type, company, executive, author, language, created_at,
 updated_at, extracted_at, extracted_date, media_provenance, processing_status, processing_error, source_url, url, word_count,
 character_count, is_narrative_testing_upload, tags`

func (d *documentBody) light() []any {
	return []any{
		&d.ID, &d.WorkspaceID, &d.Title, &d.ContentType, &d.CommunicationType, &d.Company, &d.Executive, &d.Author,
		&d.Language,
		&d.CreatedAt, &d.UpdatedAt, &d.ExtractedAt, &d.ExtractedDate, &d.MediaProvenance, &d.ProcessingStatus,
		&d.ProcessingError,
		&d.SourceURL, &d.URL, &d.WordCount, &d.CharacterCount, &d.IsNarrativeTestingUpload, &d.Tags,
	}
}

func (h handWritten) one(w http.ResponseWriter, r *http.Request) {
	doc, workspace, query := new(documentBody), r.PathValue("workspace"), r.URL.Query()
	columns, into := lightColumns, doc.light()
	if query.Has("text") {
		columns, into = columns+", content", append(into, &doc.Content)
	}
	err := h.pool.QueryRow(r.Context(), "SELECT "+columns+" FROM document WHERE workspace_id = $1 AND id = $2",
		workspace, r.PathValue("id")).Scan(into...)
	if err == nil && query.Has("tags") {
		err = h.autoTags(r.Context(), workspace, []*documentBody{doc})
	}
	answer(w, map[string]*documentBody{"document": doc}, err)
}

func (h handWritten) list(w http.ResponseWriter, r *http.Request) {
	workspace, query := r.PathValue("workspace"), r.URL.Query()
	page, err := strconv.Atoi(query.Get("page"))
	if err != nil || page < 1 {
		http.Error(w, "page must be a number from 1", http.StatusUnprocessableEntity)
		return
	}
	if query.Has("edges") {
		docs, err := h.nested(r.Context(), workspace, page)
		answer(w, map[string]any{"documents": docs}, err)
		return
	}
	var body listBody
	body.Documents, err = h.page(r.Context(), workspace, page)
	if err == nil && query.Has("tags") {
		err = h.autoTags(r.Context(), workspace, body.Documents)
	}
	if err == nil && query.Has("total") {
		body.Pagination, err = h.pagination(r.Context(), workspace, page)
	}
	answer(w, body, err)
}

func (h handWritten) page(ctx context.Context, workspace string, page int) ([]*documentBody, error) {
	found, err := h.pool.Query(ctx, "SELECT "+lightColumns+
		" FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
		workspace, listSize, (page-1)*listSize)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, func(row pgx.CollectableRow) (*documentBody, error) {
		doc := new(documentBody)
		return doc, row.Scan(doc.light()...)
	})
}

// autoTags reads the auto-tags of all documents with one statement.
func (h handWritten) autoTags(ctx context.Context, workspace string, docs []*documentBody) error {
	ids, byID := make([]string, len(docs)), make(map[string]*documentBody, len(docs))
	for i, d := range docs {
		ids[i], byID[d.ID] = d.ID, d
	}
	found, err := h.pool.Query(ctx, `SELECT document_id, name, extracted_value, applied_at, confidence_score, tag_type
		FROM document_auto_tag WHERE workspace_id = $1 AND document_id = ANY($2) ORDER BY applied_at, id`, workspace, ids)
	if err != nil {
		return err
	}
	var id string
	var tag tagBody
	_, err = pgx.ForEachRow(found, []any{&id, &tag.Name, &tag.ExtractedValue, &tag.AppliedAt, &tag.ConfidenceScore,
		&tag.TagType}, func() error {
		byID[id].AutoTags = append(byID[id].AutoTags, tag)
		return nil
	})
	return err
}

func (h handWritten) pagination(ctx context.Context, workspace string, page int) (*paginationBody, error) {
	p := &paginationBody{Page: page, PerPage: listSize}
	err := h.pool.QueryRow(ctx, "SELECT count(*) FROM document WHERE workspace_id = $1", workspace).Scan(&p.TotalCount)
	p.TotalPages = (p.TotalCount + listSize - 1) / listSize
	return p, err
}

func answer(w http.ResponseWriter, body any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write(text)
}
