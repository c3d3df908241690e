package rest

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

const (
	consolePath = "/console/"
	// consoleMissing is the response without the console's files.
	consoleMissing = "the console is not built: run \"make console\", which needs npm, and start the gateway again\n"
	// oidcMark is the element of the page from which the console knows the address of the sign-in
	// by OpenID Connect. Without one it offers none.
	oidcMark = `<meta name="oidc" content="` + oidcPath + `">`
	// mailMark is the element from which the console knows that mails are sent.
	mailMark = `<meta name="mail" content="on">`
)

// mountConsole adds the console, and a redirect from / to it. Without its files the response names
// the command that builds it. It returns an error when a file cannot be read.
func (a *Adapter) mountConsole(r chi.Router) error {
	toConsole := http.RedirectHandler(consolePath, http.StatusSeeOther).ServeHTTP
	getAndHead(r, "/", toConsole)
	getAndHead(r, strings.TrimSuffix(consolePath, "/"), toConsole)
	names, err := listFiles(a.config.Console)
	if err != nil {
		return fmt.Errorf("read the console's files: %w", err)
	}
	guard := withPolicy("script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
		"font-src 'self'", "connect-src 'self'", "object-src 'none'")
	if !slices.Contains(names, "index.html") {
		getAndHead(r, consolePath+"*", guard(http.HandlerFunc(serveMissingConsole)))
		return nil
	}
	page, err := fs.ReadFile(a.config.Console, "index.html")
	if err != nil {
		return fmt.Errorf("read the console's page: %w", err)
	}
	for mark, isOn := range map[string]bool{oidcMark: a.config.OffersOIDC, mailMark: a.config.SendsMail} {
		if isOn {
			page = bytes.Replace(page, []byte("</head>"), []byte(mark+"</head>"), 1)
		}
	}
	// the console's own router shows the screen of any path
	getAndHead(r, consolePath+"*", guard(staticPage(page, "text/html; charset=utf-8")))
	getAndHead(r, consolePath+hashedFolder+"*", http.NotFound)
	for _, name := range names {
		if name != "index.html" {
			getAndHead(r, consolePath+name, guard(builtFile(a.config.Console, name)))
		}
	}
	return nil
}

func serveMissingConsole(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(consoleMissing))
}
