package rest

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// builtSite is a folder that a tool of npm has built. Its handlers are known by the path below the
// site's.
type builtSite struct {
	path     string // with a slash at both ends
	files    map[string]http.Handler
	notFound []byte
}

// newSite returns the site of a folder. Without files, each response is missing, which names the
// command that builds them. It returns an error when the folder or its page for what is not there
// cannot be read.
func newSite(path string, folder fs.FS, missing string) (builtSite, error) {
	site := builtSite{path: path, files: map[string]http.Handler{}, notFound: []byte(missing)}
	names, err := listFiles(folder)
	for _, name := range names {
		page, _ := strings.CutSuffix(name, ".html")
		if page == "index" {
			page = ""
		}
		site.files[page] = builtFile(folder, name)
	}
	if slices.Contains(names, "404.html") {
		site.notFound, err = fs.ReadFile(folder, "404.html")
		delete(site.files, "404")
	}
	return site, err
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

// listFiles returns the paths of a folder's files; none if there is no folder.
func listFiles(folder fs.FS) (names []string, err error) {
	if folder == nil {
		return nil, nil
	}
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// hashedFolder has the files whose names contain a hash of their content.
const hashedFolder = "assets/"

// builtFile serves a file, which it reads when it is asked for. Browsers keep one with a hash in its
// name without asking again.
func builtFile(folder fs.FS, name string) http.Handler {
	media, control := mime.TypeByExtension(path.Ext(name)), revalidated
	if strings.HasPrefix(name, hashedFolder) {
		control = "public, max-age=31536000, immutable"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := fs.ReadFile(folder, name)
		if err != nil { // a build has replaced it
			http.NotFound(w, r)
			return
		}
		cachedFile(body, media, control).ServeHTTP(w, r)
	})
}
