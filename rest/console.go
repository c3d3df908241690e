package rest

import (
	"bytes"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
)

const (
	consolePath = "/console/"
	// hashedFolder has the files whose names contain a hash of their content.
	hashedFolder = "assets/"
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
	files, err := readConsole(a.config.Console)
	if err != nil {
		return fmt.Errorf("read the console's files: %w", err)
	}
	guard := withPolicy("script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
		"font-src 'self'", "connect-src 'self'", "object-src 'none'")
	page, built := files["index.html"]
	if !built {
		getAndHead(r, consolePath+"*", guard(http.HandlerFunc(serveMissingConsole)))
		return nil
	}
	for mark, isOn := range map[string]bool{oidcMark: a.config.OffersOIDC, mailMark: a.config.SendsMail} {
		if isOn {
			page = bytes.Replace(page, []byte("</head>"), []byte(mark+"</head>"), 1)
		}
	}
	// the console's own router shows the screen of any path
	getAndHead(r, consolePath+"*", guard(staticPage(page, "text/html; charset=utf-8")))
	getAndHead(r, consolePath+hashedFolder+"*", http.NotFound)
	for name, body := range files {
		if name != "index.html" {
			getAndHead(r, consolePath+name, guard(consoleFile(name, body)))
		}
	}
	return nil
}

// readConsole returns the files of the built console by their paths; none if there is no folder.
func readConsole(folder fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	if folder == nil {
		return files, nil
	}
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(folder, name)
		return err
	})
	return files, err
}

// consoleFile serves a file. Browsers keep one with a hash in its name without asking again.
func consoleFile(name string, body []byte) http.Handler {
	media := mime.TypeByExtension(path.Ext(name))
	if !strings.HasPrefix(name, hashedFolder) {
		return staticPage(body, media)
	}
	return cachedFile(body, media, "public, max-age=31536000, immutable")
}

func serveMissingConsole(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(consoleMissing))
}
