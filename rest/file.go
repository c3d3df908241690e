package rest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// sendFile sends the file that the body describes. It returns an error when the content is not
// base64.
func (a *Adapter) sendFile(op *stored.Operation, body []byte, w http.ResponseWriter, r *http.Request) error {
	told := gjson.ParseBytes(body)
	content, err := base64.StdEncoding.DecodeString(told.Get("content").String())
	if err != nil {
		return fmt.Errorf("read the file of %s: %w", op.Name, err)
	}
	header := w.Header()
	header.Set("Content-Type", told.Get("media_type").String())
	header.Set("Content-Length", strconv.Itoa(len(content)))
	header.Set("Content-Disposition", contentDisposition(told.Get("name").String()))
	header.Set("X-Content-Type-Options", "nosniff")
	if warning := told.Get("warning"); warning.String() != "" {
		header.Set(openapi.FileWarningHeader, warning.String())
	}
	w.WriteHeader(op.Rule.Status)
	if r.Method != http.MethodHead {
		a.writeBody(w, r, content)
	}
	return nil
}

// contentDisposition returns the header that names a download (RFC 6266): in its own script, and in
// ASCII for clients that read no other.
func contentDisposition(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
			return '_'
		}
		return r
	}, name)
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, plain, extendedValue(name))
}

// extendedValue returns a parameter's value as RFC 8187 encodes it: the characters that
// url.PathEscape keeps and a parameter may not contain are escaped too.
func extendedValue(value string) string {
	return strings.NewReplacer("'", "%27", "(", "%28", ")", "%29", "*", "%2A", ":", "%3A", "=", "%3D", "@", "%40", ",",
		"%2C", ";", "%3B").
		Replace(url.PathEscape(value))
}
