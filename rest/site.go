package rest

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// builtSite is a folder that a tool of npm has built. Its handlers are known by the path below the
// site's.
type builtSite struct {
	path     string // with a slash at both ends
	files    map[string]http.Handler
	notFound []byte
}

// newSite returns the site with the files. Without any, each response is missing, which names the
// command that builds them.
func newSite(path string, files map[string][]byte, missing string) builtSite {
	site := builtSite{path: path, files: map[string]http.Handler{}, notFound: []byte(missing)}
	for name, body := range files {
		switch name {
		case "404.html":
			site.notFound = body
		case "index.html":
			site.files[""] = builtFile(name, body)
		default:
			page, _ := strings.CutSuffix(name, ".html")
			site.files[page] = builtFile(name, body)
		}
	}
	return site
}

// ServeHTTP serves a page by its name without ".html", any other file by its path, and else the page
// for what is not there, with the status 404.
func (s builtSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if file, found := s.files[strings.TrimPrefix(r.URL.Path, s.path)]; found {
		file.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(s.notFound))
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write(s.notFound)
	}
}

// index returns the first page, also for the path without the slash at its end.
func (s builtSite) index() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.Clone(r.Context())
		r.URL.Path = s.path
		s.ServeHTTP(w, r)
	})
}

// readFolder returns the files of a folder by their paths; none if there is no folder.
func readFolder(folder fs.FS) (map[string][]byte, error) {
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

// hashedFolder has the files whose names contain a hash of their content.
const hashedFolder = "assets/"

// builtFile serves a file. Browsers keep one with a hash in its name without asking again.
func builtFile(name string, body []byte) http.Handler {
	media := mime.TypeByExtension(path.Ext(name))
	if !strings.HasPrefix(name, hashedFolder) {
		return staticPage(body, media)
	}
	return cachedFile(body, media, "public, max-age=31536000, immutable")
}
