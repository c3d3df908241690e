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
	"rostrum/platform/web"
	"rostrum/rest/stored"
)

// The largest bodies, in bytes.
const (
	maxBody   = 10 << 20
	maxUpload = 50 << 20
	// maxPublicBody is the largest JSON body of a route without a key.
	maxPublicBody = 64 << 10
)

// fromBody parses the JSON body, validates it against the body's schema and stores it in the
// schema's spelling. It returns an error when the body is not readable JSON; invalid fields are
// collected.
func (in *requestInput) fromBody(p *stored.Parameter, w http.ResponseWriter, r *http.Request) error {
	text, err := web.ReadBody(w, r, maxBody)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		if p.Required {
			in.invalid = append(in.invalid, p.At("missing", "a JSON body is required"))
		}
		return nil
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return errs.New(errs.UnsupportedMediaType, "send the body as %s", stored.MediaJSON)
	}
	value, err := decodeJSON(text)
	if err != nil {
		return err
	}
	if value == nil && !p.Required {
		return nil
	}
	in.unknown = p.Unknown(value)
	decoded, bad := p.Decode(value)
	in.add(p, decoded, bad)
	return nil
}

// isJSON reports whether a Content-Type is JSON or a format based on it, such as
// application/merge-patch+json. An absent type counts as JSON.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == stored.MediaJSON || strings.HasPrefix(media, "application/") &&
		strings.HasSuffix(media, "+json"))
}

// decodeJSON parses exactly one JSON value; numbers stay json.Number. It returns an error with code
// malformed_json for anything else, and with code too_large for too many values.
func decodeJSON(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errs.New(errs.MalformedJSON, "the body is not valid UTF-8")
	}
	if err := web.CheckJSON(text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, malformedError(err, decoder)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errs.New(errs.MalformedJSON, "the body has data after its JSON value")
	}
	return value, nil
}

func malformedError(err error, decoder *json.Decoder) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: unexpected end")
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: invalid at byte %d", syntax.Offset)
	}
	return errs.Wrap(err, errs.MalformedJSON, "the body is not JSON: invalid at byte %d", decoder.InputOffset())
}
