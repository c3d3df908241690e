package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Variables are the values of a query's variables.
type Variables struct {
	Workspace string
	ID        string // of one document
	Offset    int    // of a list
}

// Body returns the body of the request for the answer: the text of the query in the source folder
// with its variables, or its name if the server has the queries. The error is os.ErrNotExist if the
// peer has no query for the answer.
func (p *Peer) Body(source string, answer Answer, v Variables) (map[string]any, error) {
	text, err := os.ReadFile(filepath.Join(source, p.folder, "queries", string(answer)+p.extension))
	if err != nil {
		return nil, err
	}
	variables := map[string]any{"workspace": v.Workspace, "offset": v.Offset}
	if answer == OneDocument { // PostGraphile's query for it ignores the workspace
		variables = map[string]any{"workspace": v.Workspace, "id": v.ID}
	}
	if p.storesText {
		return map[string]any{"operationName": string(answer), "variables": variables}, nil
	}
	return map[string]any{"query": string(text), "variables": variables}, nil
}

// Canonical returns a peer's response in the form of the gateway's: a list that is asked for one
// document becomes the document, and a count that a second list has becomes the total of the first.
func Canonical(body []byte) ([]byte, error) {
	var response struct {
		Data   map[string]any   `json:"data"`
		Errors []map[string]any `json:"errors"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}
	data := response.Data
	if len(response.Errors) > 0 || data == nil {
		return nil, fmt.Errorf("the answer has errors: %.300s", body)
	}
	if list, ok := data["document"].([]any); ok {
		if len(list) != 1 {
			return nil, fmt.Errorf("the answer has %d documents instead of one", len(list))
		}
		data["document"] = list[0]
	}
	if counts, ok := data["total"].([]any); ok {
		count, ok := singleCount(counts)
		if !ok {
			return nil, errors.New("the answer has no count")
		}
		data["documents"] = map[string]any{"documents": data["documents"], "totalCount": count}
		delete(data, "total")
	}
	return json.Marshal(map[string]any{"data": data})
}

// singleCount returns the count of a list of one row.
func singleCount(rows []any) (count float64, ok bool) {
	if len(rows) != 1 {
		return 0, false
	}
	row, _ := rows[0].(map[string]any)
	count, ok = row["count_id"].(float64)
	return count, ok
}
