package main

import (
	"net/http"
	"strings"
)

// The statements that build a whole response in Postgres. {text}, {tags} and {pagination} are
// replaced by parts that the request selects.
const (
	oneInDatabase = `SELECT json_build_object('document', to_json(d)) FROM (
 SELECT ` + lightColumns + `{text}{tags} FROM document WHERE workspace_id = $1 AND id = $2) AS d`
	listInDatabase = `SELECT json_build_object('documents', coalesce(json_agg(d), '[]'){pagination}) FROM (
 SELECT ` + lightColumns + `{tags} FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2::bigint OFFSET $3::bigint) AS d`
	tagsInDatabase = `, (SELECT json_agg(t) FROM (SELECT name, extracted_value, applied_at, confidence_score, tag_type FROM document_auto_tag AS a
 WHERE a.workspace_id = $1 AND a.document_id = document.id ORDER BY applied_at, a.id) AS t) AS auto_tags`
	paginationInDatabase = `, 'pagination', (SELECT json_build_object('page', $3::bigint / $2::bigint + 1, 'per_page', $2::bigint,
 'total_count', count(*), 'total_pages', (count(*) + $2::bigint - 1) / $2::bigint) FROM document WHERE workspace_id = $1)`
)

// inDatabase responds with the JSON that one statement returns.
func (h handWritten) inDatabase(w http.ResponseWriter, r *http.Request, statement string, args ...any) {
	query := r.URL.Query()
	given := func(name, part string) string {
		if query.Has(name) {
			return part
		}
		return ""
	}
	statement = strings.NewReplacer("{text}", given("text", ", content"), "{tags}", given("tags", tagsInDatabase),
		"{pagination}", given("total", paginationInDatabase)).Replace(statement)
	var text []byte
	if err := h.pool.QueryRow(r.Context(), statement, args...).Scan(&text); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answerText(w, text)
}
