package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// data is the contender's answer to its first request as plain values in REST's spelling.
func (c *contender) data(ctx context.Context) (any, error) {
	req, err := c.requests[0].http(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.face, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.face, err)
	}
	if err := check(answer.StatusCode, body, c.requests[0].documents); err != nil {
		return nil, fmt.Errorf("%s: %w", c.face, err)
	}
	return plain(body)
}

// plain reads an answer of any of the three; GraphQL's envelope is taken off.
func plain(body []byte) (any, error) {
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
	return respell(root), nil
}

// enums are the fields whose closed sets GraphQL writes in upper case.
var enums = []string{"media_provenance", "processing_status"}

func respell(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = respell(v[i])
		}
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UTC().Format(time.RFC3339Nano) // Postgres writes the zone as an offset
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			name = snake(name)
			if text, ok := inner.(string); ok && slices.Contains(enums, name) {
				inner = strings.ToLower(text)
			}
			out[name] = respell(inner)
		}
		return out
	}
	return value
}

func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// equal compares plain values; where they differ it gives the place, as a JSON pointer, and what stands there.
func equal(path string, want, got any) (difference string, same bool) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		names, others := slices.Sorted(maps.Keys(w)), slices.Sorted(maps.Keys(g))
		if !ok || !slices.Equal(names, others) {
			return fmt.Sprintf("%s: fields %v, not %v", path, others, names), false
		}
		for _, name := range names {
			if difference, same := equal(path+"/"+name, w[name], g[name]); !same {
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
			if difference, same := equal(fmt.Sprintf("%s/%d", path, i), w[i], g[i]); !same {
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
