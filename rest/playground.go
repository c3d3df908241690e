package rest

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
)

//go:embed page/playground.html page/app.js page/app.css
var pageFiles embed.FS

var playgroundPage = template.Must(template.ParseFS(pageFiles, "page/playground.html"))

const (
	cdnURL     = "https://cdn.jsdelivr.net/npm/"
	modulePath = "/playground/modules/"
)

// playgroundModule is a file that the playground loads: its package, the version that
// playground/package.json pins, its path in the package, and the hash that a browser compares the
// CDN's copy with.
type playgroundModule struct{ Package, Version, File, Integrity string }

var playgroundModules = []playgroundModule{
	{"graphiql", "4.1.2", "graphiql.min.css", "sha384-1el1QShFBnnXTx9x/Cprg82hZWKt0ry29OAYIXt05swbi0KcZDFoj0CWguMpopJr"},
	{"react", "18.2.0", "umd/react.production.min.js",
		"sha384-tMH8h3BGESGckSAVGZ82T9n90ztNXxvdwvdM6UoR56cYcf+0iGXBliJ29D+wZ/x8"},
	{"react-dom", "18.2.0", "umd/react-dom.production.min.js",
		"sha384-bm7MnzvK++ykSwVJ2tynSE5TRdN+xL418osEVF2DE/L/gfWHj91J2Sphe582B1Bh"},
	{"graphiql", "4.1.2", "graphiql.min.js", "sha384-9XdHu7ajgGJziD4J1zNBKQ842Q/+zZfDv+ib1eMhZWBH6hPAs806x+Jbcf0yNO6B"},
}

// playground is the GraphiQL page with an input for the key.
type playground struct {
	page  []byte
	local map[string][]byte // installed files by path in node_modules; nil: loaded from the CDN
}

// pageAsset is a file in the page's HTML.
type pageAsset struct{ URL, Integrity string }

// newPlayground builds the page. Installed files that cannot be read are logged as a warning and
// loaded from the CDN.
func newPlayground(installed fs.FS, log *slog.Logger) (*playground, error) {
	local, err := readModules(installed)
	if err != nil {
		log.Warn("rest: the playground loads its files from the CDN because the installed ones cannot be read", "error",
			err)
	}
	var view struct{ Styles, Scripts []pageAsset }
	for _, m := range playgroundModules {
		a := pageAsset{URL: modulePath + path.Join(m.Package, m.File)}
		if local == nil {
			a = pageAsset{cdnURL + m.Package + "@" + m.Version + "/" + m.File, m.Integrity}
		}
		if strings.HasSuffix(m.File, ".css") {
			view.Styles = append(view.Styles, a)
		} else {
			view.Scripts = append(view.Scripts, a)
		}
	}
	var page bytes.Buffer
	if err := playgroundPage.Execute(&page, view); err != nil {
		return nil, fmt.Errorf("render the playground: %w", err)
	}
	return &playground{page.Bytes(), local}, nil
}

// readModules returns the files that the page needs and no others, or an error when any of them
// cannot be read. Without a folder it returns nil.
func readModules(installed fs.FS) (map[string][]byte, error) {
	if installed == nil {
		return nil, nil
	}
	local := make(map[string][]byte, len(playgroundModules))
	for _, m := range playgroundModules {
		name := path.Join(m.Package, m.File)
		text, err := fs.ReadFile(installed, name)
		if err != nil {
			return nil, err
		}
		local[name] = text
	}
	return local, nil
}

func (p *playground) mountRoutes(r chi.Router) {
	guard := withPolicy(p.sourceDirective("script-src 'self'"), p.sourceDirective("style-src 'self' 'unsafe-inline'"),
		"img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'")
	getAndHead(r, "/playground", guard(staticPage(p.page, "text/html; charset=utf-8")))
	for _, name := range []string{"app.js", "app.css"} {
		text, _ := pageFiles.ReadFile("page/" + name)
		getAndHead(r, "/playground/"+name, guard(staticPage(text, mediaTypeOf(name))))
	}
	for name, text := range p.local {
		getAndHead(r, modulePath+name, guard(staticPage(text, mediaTypeOf(name))))
	}
}

// sourceDirective adds the CDN to a policy directive when files are loaded from it.
func (p *playground) sourceDirective(directive string) string {
	if p.local == nil {
		return directive + " " + strings.TrimSuffix(cdnURL, "npm/")
	}
	return directive
}

func mediaTypeOf(name string) string {
	if strings.HasSuffix(name, ".css") {
		return "text/css; charset=utf-8"
	}
	return "text/javascript; charset=utf-8"
}
