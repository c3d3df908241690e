package source_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers orders the folders: a package may import packages of lower layers only, and of its own
// layer if the layer is mutual.
var layers = []struct {
	folders []string
	mutual  bool // packages of this layer may import one another
}{
	{folders: []string{"."}},
	{folders: []string{"app"}},
	{folders: []string{"rest"}},
	{folders: []string{"rest/agent"}},
	{folders: []string{"rest/openapi"}},
	{folders: []string{"rest/stored"}},
	{folders: []string{"graph"}},
	{folders: []string{"graph/transport"}},
	{folders: []string{"graph/compile", "graph/compile/fakegen"}},
	{folders: []string{"graph/incremental"}},
	{folders: []string{"graph/policy"}},
	{folders: []string{"graph/generated"}},
	{folders: []string{"domain/*"}},
	{folders: []string{"domain/visibility"}},
	{folders: []string{"llm", "llm/*", "llm/text/*"}, mutual: true},
	{folders: []string{"platform/*", "platform/web/*"}, mutual: true},
	{folders: []string{"dbx"}},
	{folders: []string{"api"}},
	{folders: []string{"model", "model/*", "errs"}, mutual: true},
	{folders: []string{"console", "guide", "asset/playground", "app/cli"}},
	{folders: []string{"clients/go", "clients/go/*", "clients/go/*/*"}, mutual: true},
}

// outside lists folders that the program does not import; they may import all of it.
var outside = []string{"test"}

// subpackages maps folders to the domain package that they are part of. Only that package, app and
// the folders in outside may import them.
var subpackages = map[string]string{
	"domain/ingest/extract": "domain/ingest", "domain/ingest/mailbox": "domain/ingest", "domain/ingest/sample": "domain/ingest",
	"domain/link/page": "domain/link", "domain/link/visitor": "domain/link",
	"domain/webhook/message":  "domain/webhook",
	"domain/content/export":   "domain/content",
	"domain/operation/compat": "domain/operation",
}

// layerOf returns the index of a folder's layer, or -1 without one. A folder's name goes before a
// pattern.
func layerOf(folder string) int {
	if parent, ok := subpackages[folder]; ok {
		folder = parent
	}
	found := -1
	for i, layer := range layers {
		for _, pattern := range layer.folders {
			if folder == pattern {
				return i
			}
			if ok, _ := path.Match(pattern, folder); ok && found < 0 {
				found = i
			}
		}
	}
	return found
}

func isUnder(folder string, roots []string) bool {
	for _, root := range roots {
		if folder == root || strings.HasPrefix(folder, root+"/") {
			return true
		}
	}
	return false
}

// eachImport calls visit for every import of every Go file of the program.
func eachImport(t *testing.T, visit func(file, folder, imported string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "data" ||
			strings.HasPrefix(entry.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(file), path.Dir(filepath.ToSlash(file)), imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestArchitecture/imports_run_one_way checks the import directions of ARCHITECTURE.md.
func TestArchitecture(t *testing.T) {
	t.Run("imports_run_one_way", func(t *testing.T) {
		eachImport(t, func(file, folder, imported string) {
			target, ours := strings.CutPrefix(imported, "rostrum/")
			if !ours || strings.HasSuffix(file, "_test.go") || isUnder(folder, outside) || folder == target {
				return
			}
			if problem := checkArrow(folder, target); problem != "" {
				t.Errorf("%s imports %s: %s", file, imported, problem)
			}
		})
	})
	t.Run("only_dialect_names_a_database", func(t *testing.T) {
		drivers := []string{"modernc.org/sqlite", "github.com/uptrace/bun/dialect/", "github.com/mattn/go-sqlite3"}
		eachImport(t, func(file, _, imported string) {
			for _, driver := range drivers {
				if strings.HasPrefix(imported, driver) && file != "dbx/dialect.go" {
					t.Errorf("%s imports %s: only dbx/dialect.go names a database", file, imported)
				}
			}
		})
	})
	t.Run("domain_packages_do_not_import_the_router", func(t *testing.T) {
		eachImport(t, func(file, folder, imported string) {
			if isUnder(folder, []string{"domain"}) && !strings.HasSuffix(file, "_test.go") &&
				strings.HasPrefix(imported, "github.com/go-chi/") {
				t.Errorf("%s imports %s: domain packages do not import a transport", file, imported)
			}
		})
	})
	t.Run("panics_of_groups_are_caught", func(t *testing.T) {
		eachImport(t, func(file, folder, imported string) {
			if imported != "golang.org/x/sync/errgroup" || strings.HasSuffix(file, "_test.go") ||
				isUnder(folder, outside) {
				return
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, work := range strings.Split(string(text), ".Go(")[1:] {
				if !strings.HasPrefix(work, "errs.CatchPanic(") {
					t.Errorf("%s starts a goroutine of a group whose panic ends the process: wrap its work with errs.CatchPanic", file)
				}
			}
		})
	})
}

func checkArrow(folder, target string) string {
	from, to := layerOf(folder), layerOf(target)
	switch {
	case isUnder(target, outside):
		return "the program does not import its tests"
	case from < 0:
		return "the folder is in no layer; add it to the table"
	case to < 0:
		return "the imported folder is in no layer; add it to the table"
	case subpackages[target] != "" && subpackages[target] != folder && subpackages[target] != subpackages[folder] &&
		folder != "app":
		return "it is a subpackage of another domain package"
	case from < to, subpackages[target] == folder && folder != "", subpackages[folder] != "" &&
		subpackages[folder] == subpackages[target]:
		return ""
	case from == to && layers[from].mutual:
		return ""
	case from == to:
		return "packages of this layer do not import one another: accept an interface and let app implement it"
	}
	return "imports must point to a lower layer"
}
