package rest

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
)

//go:embed page/playground.html page/app.js page/app.css
var pageFiles embed.FS

var playgroundPage = template.Must(template.ParseFS(pageFiles, "page/playground.html"))

const (
	cdn        = "https://cdn.jsdelivr.net/npm/"
	modulePath = "/playground/modules/"
)

// module is a file that the playground loads: where its package has it, the version that playground/package.json pins, and the hash
// that a browser holds the CDN's copy against.
type module struct{ Package, Version, File, Integrity string }

var modules = []module{
	{"graphiql", "4.1.2", "graphiql.min.css", "sha384-1el1QShFBnnXTx9x/Cprg82hZWKt0ry29OAYIXt05swbi0KcZDFoj0CWguMpopJr"},
	{"react", "18.2.0", "umd/react.production.min.js", "sha384-tMH8h3BGESGckSAVGZ82T9n90ztNXxvdwvdM6UoR56cYcf+0iGXBliJ29D+wZ/x8"},
	{"react-dom", "18.2.0", "umd/react-dom.production.min.js", "sha384-bm7MnzvK++ykSwVJ2tynSE5TRdN+xL418osEVF2DE/L/gfWHj91J2Sphe582B1Bh"},
	{"graphiql", "4.1.2", "graphiql.min.js", "sha384-9XdHu7ajgGJziD4J1zNBKQ842Q/+zZfDv+ib1eMhZWBH6hPAs806x+Jbcf0yNO6B"},
}

// playground is GraphiQL with a bar for the key.
type playground struct {
	page  []byte
	local map[string][]byte // the installed files by their path in node_modules; nil: the CDN has them
}

// asset is a file as the page names it.
type asset struct{ URL, Integrity string }

func newPlayground(installed fs.FS) (*playground, error) {
	local, err := readModules(installed)
	if err != nil {
		return nil, err
	}
	var view struct{ Styles, Scripts []asset }
	for _, m := range modules {
		a := asset{URL: modulePath + path.Join(m.Package, m.File)}
		if local == nil {
			a = asset{cdn + m.Package + "@" + m.Version + "/" + m.File, m.Integrity}
		}
		if strings.HasSuffix(m.File, ".css") {
			view.Styles = append(view.Styles, a)
		} else {
			view.Scripts = append(view.Scripts, a)
		}
	}
	var page bytes.Buffer
	err = playgroundPage.Execute(&page, view)
	return &playground{page.Bytes(), local}, err
}

// readModules reads the files that the page needs and no others; nil when they are not installed.
func readModules(installed fs.FS) (map[string][]byte, error) {
	if installed == nil {
		return nil, nil
	}
	local := make(map[string][]byte, len(modules))
	for _, m := range modules {
		name := path.Join(m.Package, m.File)
		text, err := fs.ReadFile(installed, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		local[name] = text
	}
	return local, nil
}

func (p *playground) mount(r chi.Router) {
	guard := policy(p.sources("script-src 'self'"), p.sources("style-src 'self' 'unsafe-inline'"),
		"img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'")
	get(r, "/playground", guard(staticPage(p.page, "text/html; charset=utf-8")))
	for _, name := range []string{"app.js", "app.css"} {
		text, _ := pageFiles.ReadFile("page/" + name)
		get(r, "/playground/"+name, guard(staticPage(text, mediaOf(name))))
	}
	for name, text := range p.local {
		get(r, modulePath+name, guard(staticPage(text, mediaOf(name))))
	}
}

// sources adds the CDN to a policy's directive where files come from it.
func (p *playground) sources(directive string) string {
	if p.local == nil {
		return directive + " " + strings.TrimSuffix(cdn, "npm/")
	}
	return directive
}

func mediaOf(name string) string {
	if strings.HasSuffix(name, ".css") {
		return "text/css; charset=utf-8"
	}
	return "text/javascript; charset=utf-8"
}
