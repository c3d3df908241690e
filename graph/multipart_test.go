package graph

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

func TestUpload(t *testing.T) {
	t.Parallel()
	const operations = `{"query":"mutation($file: Upload!) { extractText(input: {file: $file}) { content filename characterCount } }","variables":{"file":null}}`
	type field struct{ name, value string }
	for _, c := range []struct {
		name   string
		fields []field
		file   string
		status int
		want   string
	}{
		{"a file reaches the resolver", []field{{"operations", operations}, {"map", `{"0":["variables.file"]}`}},
			"hello", 200,
			`{"data":{"extractText":{"content":"hello","filename":"a.txt","characterCount":5}}}`},
		{"a file over its limit", []field{{"operations", operations}, {"map", `{"0":["variables.file"]}`}},
			strings.Repeat("x", 2000), 413, `"code":"too_large"`},
		{"a form over its limit", []field{{"operations", operations}, {"map", `{"0":["variables.file"]}`}},
			strings.Repeat("x", 2<<20), 413, `"code":"too_large"`},
		{"no map", []field{{"operations", operations}}, "x", 400, `"code":"bad_request"`},
		{"no operations", []field{{"map", `{}`}}, "x", 400, `"code":"bad_request"`},
		{"bad operations", []field{{"operations", `{`}, {"map", `{}`}}, "x", 400, `"code":"malformed_json"`},
		{"a batch", []field{{"operations", `[]`}, {"map", `{}`}}, "x", 400, "batches"},
		{"a missing file", []field{{"operations", operations}, {"map", `{"1":["variables.file"]}`}}, "x", 400,
			`"code":"bad_request"`},
		{"a path outside the variables", []field{{"operations", operations}, {"map", `{"0":["query"]}`}}, "x", 400,
			`"code":"bad_request"`},
		{"a path whose value is not null", []field{{"operations", operations}, {"map", `{"0":["variables.file.0.x"]}`}},
			"x", 400, `"code":"bad_request"`},
		{"an undeclared path", []field{{"operations", operations}, {"map", `{"0":["variables.other"]}`}}, "x", 400,
			`"code":"bad_request"`},
		{"an empty list of paths", []field{{"operations", operations}, {"map", `{}`}}, "x", 200,
			`"code":"validation_failed"`},
		{"a text field instead of a file", []field{{"operations", strings.Replace(operations, "null", `"text"`, 1)},
			{"map", `{}`}}, "x", 200, `"pointer":"#/file"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var body bytes.Buffer
			form := multipart.NewWriter(&body)
			for _, f := range c.fields {
				_ = form.WriteField(f.name, f.value)
			}
			part, _ := form.CreateFormFile("0", "a.txt")
			_, _ = part.Write([]byte(c.file))
			_ = form.Close()
			b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Upload = 1000 })
			b.do(t, http.MethodPost, "", body.String(), "Content-Type", form.FormDataContentType(), keyHeader,
				writeKey).want(t, c.status, c.want)
		})
	}
	t.Run("an invalid form", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t).do(t, http.MethodPost, "", "x", "Content-Type", "multipart/form-data; boundary=b", keyHeader,
			writeKey).want(t, 400, `"code":"bad_request"`)
	})
}
