package rest

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// setTableHeaders sets what a table cannot have in its lines: the name of the file, the number of
// rows of all pages, and the address of the next page (RFC 8288).
func setTableHeaders(header http.Header, body []byte, r *http.Request) {
	header.Set("Content-Disposition", contentDisposition(path.Base(r.URL.Path)+".csv"))
	told := gjson.ParseBytes(body)
	for _, name := range []string{"pagination.total_count", "total", "count"} {
		if count := told.Get(name); count.Type == gjson.Number {
			header.Set(openapi.TotalCount, count.Raw)
			break
		}
	}
	if name, value := nextPage(told, r.URL.Query()); name != "" {
		header.Set("Link", "<"+r.URL.EscapedPath()+"?"+withParameter(r.URL.RawQuery, name, value)+`>; rel="next"`)
	}
}

// withParameter returns a query with another value of a parameter. The others stay as they are
// written, because an encoded comma is not one that separates.
func withParameter(query, name, value string) string {
	parts := slices.DeleteFunc(strings.Split(query, "&"), func(part string) bool {
		key, _, _ := strings.Cut(part, "=")
		decoded, err := url.QueryUnescape(key)
		return part == "" || err == nil && decoded == name
	})
	return strings.Join(append(parts, url.QueryEscape(name)+"="+url.QueryEscape(value)), "&")
}

// nextPage returns the query parameter that leads to the page after the body, and its value. The name
// is empty on the last page.
func nextPage(body gjson.Result, query url.Values) (name, value string) {
	pages, cursors := body.Get("pagination"), body.Get("page_info")
	byCursor := !pages.IsObject() || query.Has("first") || query.Has("after")
	switch offset, limit, total := body.Get("offset").Int(), body.Get("limit").Int(), body.Get("total").Int(); {
	case cursors.Get("has_next_page").Bool() && byCursor:
		return "after", cursors.Get("end_cursor").String()
	case pages.Get("page").Int() < pages.Get("total_pages").Int():
		return "page", strconv.FormatInt(pages.Get("page").Int()+1, 10)
	case limit > 0 && offset+limit < total:
		return "offset", strconv.FormatInt(offset+limit, 10)
	case body.Get("next_cursor").Exists() && body.Get("next_cursor").String() != query.Get("after"):
		return "after", body.Get("next_cursor").String()
	}
	return "", ""
}

// renderedBody returns the body in the media type that the client prefers, and the header
// Content-Type; as is nil for JSON.
func renderedBody(as *stored.Rendering, body []byte) (text []byte, contentType string) {
	if as == nil {
		return body, stored.MediaJSON
	}
	return as.Render(body), as.ContentType()
}
