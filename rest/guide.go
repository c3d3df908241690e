package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"golang.org/x/net/html"
)

const (
	guidePath = "/guide/"
	// guideMissing is the response without the guide's files.
	guideMissing = "the guide is not built: run \"make guide\", which needs npm, and start the gateway again; its pages are also in the folder docs\n"
)

// mountGuide adds the guide. Without its files the response names the command that builds it. It
// returns an error when a file cannot be read.
func (a *Adapter) mountGuide(r chi.Router) error {
	getAndHead(r, strings.TrimSuffix(guidePath, "/"), http.RedirectHandler(guidePath, http.StatusSeeOther).ServeHTTP)
	site, err := newSite(guidePath, a.config.Guide, guideMissing)
	if err != nil {
		return fmt.Errorf("read the guide's files: %w", err)
	}
	hashes, err := scriptHashes(a.config.Guide)
	if err != nil {
		return fmt.Errorf("read the guide's pages: %w", err)
	}
	scripts := append([]string{"script-src 'self'"}, hashes...)
	guard := withPolicy(strings.Join(scripts, " "), "style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "object-src 'none'")
	getAndHead(r, guidePath+"*", guard(site))
	return nil
}

// scriptHashes returns the sources of a policy that allow the inline scripts of a folder's pages,
// and no others. It returns an error when a page cannot be read.
func scriptHashes(folder fs.FS) (hashes []string, err error) {
	names, err := listFiles(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Ext(name) != ".html" {
			continue
		}
		body, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		for _, script := range inlineScripts(body) {
			sum := sha256.Sum256(script)
			hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes), nil
}

// inlineScripts returns the texts of the scripts that stand in a page.
func inlineScripts(page []byte) (scripts [][]byte) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for inScript := false; ; {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return scripts
		case html.StartTagToken:
			name, _ := tokens.TagName()
			inScript = string(name) == "script"
		case html.TextToken:
			if inScript {
				scripts = append(scripts, bytes.Clone(tokens.Raw()))
			}
		case html.EndTagToken:
			inScript = false
		}
	}
}
