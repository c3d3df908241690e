package kit

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"rostrum/rest"
)

// Browser keeps cookies as a browser does and sends no key; it does not follow redirects.
type Browser struct {
	app    *App
	client *http.Client
}

// NewBrowser opens a browser without cookies on the app.
func (a *App) NewBrowser(t testing.TB) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Browser{app: a, client: &http.Client{Transport: Transport, Jar: jar, CheckRedirect: stay}}
}

// Cookie returns the token of the browser's session.
func (b *Browser) Cookie(t testing.TB) string {
	t.Helper()
	address, err := url.Parse(b.app.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range b.client.Jar.Cookies(address) {
		if cookie.Name == rest.SessionCookie {
			return cookie.Value
		}
	}
	t.Fatal("the browser is not signed in")
	return ""
}

// Do sends a request with headers given as "Name: value", and checks a REST response against the
// OpenAPI document.
func (b *Browser) Do(t testing.TB, method, path, body string, headers ...string) *Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, b.app.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	return b.send(t, request, func(response *http.Response, body []byte) error {
		return b.app.checkREST(request, response, body)
	})
}

func (b *Browser) send(t testing.TB, request *http.Request, check func(*http.Response, []byte) error) *Response {
	t.Helper()
	response, err := b.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(response, read); err != nil {
		t.Errorf("%s %s: the response does not match the OpenAPI document: %v\n%s", request.Method, request.URL.Path,
			err, read)
	}
	return &Response{Status: response.StatusCode, Header: response.Header, Body: read}
}

// Want fails the test unless the response has the status and its body contains the parts.
func (a *Response) Want(t testing.TB, status int, parts ...string) *Response {
	t.Helper()
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	for _, part := range parts {
		if !strings.Contains(string(a.Body), part) {
			t.Errorf("the body lacks %s: %s", part, a.Body)
		}
	}
	return a
}

// Visit requests an address outside the app.
func (b *Browser) Visit(t testing.TB, address string) *Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.send(t, request, func(*http.Response, []byte) error { return nil })
}
