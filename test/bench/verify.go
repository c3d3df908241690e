package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// fetchData returns the candidate's response to its first request as plain values in REST's
// spelling.
func (c *candidate) fetchData(ctx context.Context) (any, error) {
	body, err := c.fetchBody(ctx, c.requests[0])
	if err != nil {
		return nil, err
	}
	return decodeBody(body)
}

// fetchBody returns the candidate's response to a request; it returns an error unless it is a
// success with all documents.
func (c *candidate) fetchBody(ctx context.Context, r request) ([]byte, error) {
	body, err := r.fetch(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if err := checkResponse(http.StatusOK, body, r.documents); err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return body, nil
}

// decodeBody decodes a response of any of the three and removes GraphQL's envelope. Of pages by
// numbers, which the graph does not have, it keeps the total.
func decodeBody(body []byte) (any, error) {
	var root map[string]any
	if err := json.Unmarshal(body, &root); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}
	if data, ok := root["data"].(map[string]any); ok {
		root = data
		if list, ok := data["documents"].(map[string]any); ok {
			root = list
		}
	}
	if pages, ok := root["pagination"].(map[string]any); ok {
		delete(root, "pagination")
		root["total_count"] = pages["total_count"]
	}
	return respellNames(root), nil
}

// enums are the fields whose closed sets GraphQL writes in upper case.
var enums = []string{"media_provenance", "processing_status"}

func respellNames(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = respellNames(v[i])
		}
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UTC().Format(time.RFC3339Nano) // Postgres writes the zone as an offset
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			name = snakeCase(name)
			if text, ok := inner.(string); ok && slices.Contains(enums, name) {
				inner = strings.ToLower(text)
			}
			out[name] = respellNames(inner)
		}
		return out
	}
	return value
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// compareValues compares plain values; for a difference it returns the location, as a JSON pointer,
// and both values.
func compareValues(path string, want, got any) (difference string, same bool) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		names, others := slices.Sorted(maps.Keys(w)), slices.Sorted(maps.Keys(g))
		if !ok || !slices.Equal(names, others) {
			return fmt.Sprintf("%s: fields %v, not %v", path, others, names), false
		}
		for _, name := range names {
			if difference, same := compareValues(path+"/"+name, w[name], g[name]); !same {
				return difference, false
			}
		}
		return "", true
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: %d values, not %d", path, len(g), len(w)), false
		}
		for i := range w {
			if difference, same := compareValues(fmt.Sprintf("%s/%d", path, i), w[i], g[i]); !same {
				return difference, false
			}
		}
		return "", true
	}
	if want != got {
		return fmt.Sprintf("%s: %.80v, not %.80v", path, got, want), false
	}
	return "", true
}
