package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/errs"
	"rostrum/platform/web"
)

// maxBody is the largest submission in bytes.
const maxBody = 256_000

// readFields returns the fields of a urlencoded, multipart or JSON body.
func readFields(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	body, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	var data map[string]any
	switch media {
	case "application/x-www-form-urlencoded":
		data, err = fromURLEncoded(body)
	case "multipart/form-data":
		data, err = fromMultipart(body, params["boundary"])
	case "application/json":
		data, err = fromJSON(body)
	default:
		return nil, errs.New(errs.UnsupportedMediaType,
			"a form is sent as application/x-www-form-urlencoded, multipart/form-data or application/json")
	}
	if err != nil {
		return nil, err
	}
	return data, checkNames(data)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errs.Wrap(err, errs.TooLarge, "the form is over 256 KB")
	}
	if err != nil {
		return nil, web.BodyError(err)
	}
	return body, nil
}

func fromURLEncoded(body []byte) (map[string]any, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the form is not urlencoded")
	}
	return fromValues(values), nil
}

func fromMultipart(body []byte, boundary string) (map[string]any, error) {
	// in memory, as the body is already
	form, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(2 * maxBody)
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the form is not multipart/form-data, or ends too early")
	}
	defer form.RemoveAll() //nolint:errcheck // nothing is on the disk
	if len(form.File) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(form.File)))
		return nil, errs.Invalid(errs.BodyField("value_error", "is a file; forms do not accept files",
			truncateBytes(StorableText(name), 40)))
	}
	return fromValues(form.Value), nil
}

func fromValues(values map[string][]string) map[string]any {
	data := make(map[string]any, len(values))
	for name, sent := range values {
		name = StorableText(name)
		switch {
		case name == "":
		case len(sent) == 1:
			data[name] = StorableText(sent[0])
		default:
			list := make([]any, len(sent))
			for i, value := range sent {
				list[i] = StorableText(value)
			}
			data[name] = list
		}
	}
	return data
}

func fromJSON(body []byte) (map[string]any, error) {
	if err := web.CheckJSON(body); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errs.Wrap(err, errs.MalformedJSON, "the body is not valid JSON: syntax error at byte %d",
			decoder.InputOffset())
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errs.New(errs.MalformedJSON, "the body has data after the JSON object")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errs.Invalid(errs.BodyField("value_error", "must be an object of fields"))
	}
	data := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		plain, ok := plainValue(object[name], true)
		if !ok {
			return nil, errs.Invalid(errs.BodyField("value_error",
				"must be a text, a number, a boolean, null or a list of these", truncateBytes(StorableText(name), 40)))
		}
		if name = StorableText(name); name != "" {
			data[name] = plain
		}
	}
	return data, nil
}

// plainValue returns a JSON value without NUL and invalid UTF-8; it reports false for an object or
// a nested list.
func plainValue(value any, lists bool) (any, bool) {
	switch value := value.(type) {
	case nil, bool, json.Number:
		return value, true
	case string:
		return StorableText(value), true
	case []any:
		for i, part := range value {
			plain, ok := plainValue(part, false)
			if !ok || !lists {
				return nil, false
			}
			value[i] = plain
		}
		return value, lists
	}
	return nil, false
}

// StorableText returns the text as valid UTF-8 without NUL, which every database accepts.
func StorableText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// truncateBytes returns the first bytes of a text, at limit the limit, without splitting a
// character.
func truncateBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
