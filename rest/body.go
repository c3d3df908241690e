package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"rostrum/errs"
)

// The limits of shared/spec/operations.md.
const (
	maxBody   = 10 << 20
	maxUpload = 50 << 20
	maxDepth  = 100 // arrays and objects within each other
)

// fromBody reads the JSON body, checks it against the body's schema and keeps it in the schema's spelling.
func (in *input) fromBody(p *parameter, w http.ResponseWriter, r *http.Request) error {
	text, err := readAll(w, r)
	if err != nil {
		return err
	}
	at := place(inBody, "")
	if len(bytes.TrimSpace(text)) == 0 {
		if p.variable.Type.NonNull {
			in.bad = append(in.bad, at("missing", "a JSON body is required"))
		}
		return nil
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return errs.New(errs.UnsupportedMediaType, "send the body as %s", mediaJSON)
	}
	value, err := decodeJSON(text)
	if err != nil {
		return err
	}
	if value == nil && !p.variable.Type.NonNull {
		return nil
	}
	bad := check(p.schema.Value, value, at)
	if bytes.Contains(text, []byte(`\u0000`)) {
		bad = append(bad, nulTexts(value, at, nil)...)
	}
	if len(bad) > 0 {
		in.bad = append(in.bad, bad...)
		return nil
	}
	in.values[p.name] = p.coder.decode(value)
	return nil
}

func readAll(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		return text, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errs.Wrap(err, errs.TooLarge, "the body is over %s", megabytes(maxBody))
	}
	return nil, errs.Wrap(err, errs.BadRequest, "the body could not be read to its end")
}

// isJSON accepts JSON and what is written in it, such as application/merge-patch+json; a body without a type counts as JSON.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == mediaJSON || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json"))
}

// decodeJSON reads exactly one JSON value and keeps the text of its numbers.
func decodeJSON(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errs.New(errs.MalformedJSON, "the body is not valid UTF-8")
	}
	if depth(text) > maxDepth {
		return nil, errs.New(errs.MalformedJSON, "the body nests deeper than %d levels", maxDepth)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, malformed(err, decoder)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errs.New(errs.MalformedJSON, "something follows the JSON value that the body should be")
	}
	return value, nil
}

func malformed(err error, decoder *json.Decoder) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: it ends too early")
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: it breaks at byte %d", syntax.Offset)
	}
	return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: it breaks at byte %d", decoder.InputOffset())
}

// depth is how deep arrays and objects stand within each other; texts are skipped.
func depth(text []byte) int {
	deepest, level, inText := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '[' || c == '{':
			level++
			deepest = max(deepest, level)
		case c == ']' || c == '}':
			level--
		}
	}
	return deepest
}

// nulTexts names every text that contains a NUL character, which no database here can hold.
func nulTexts(value any, at locate, path []any) []errs.Field {
	var bad []errs.Field
	switch v := value.(type) {
	case string:
		if msg := badText(v); msg != "" {
			bad = append(bad, at("string_type", msg, path...))
		}
	case []any:
		for i, element := range v {
			bad = append(bad, nulTexts(element, at, append(path[:len(path):len(path)], i))...)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			bad = append(bad, nulTexts(v[key], at, append(path[:len(path):len(path)], key))...)
		}
	}
	return bad
}
