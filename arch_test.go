package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers orders the folders: a package may import packages of lower layers only, and of its own layer when it is named so.
var layers = []struct {
	folders []string
	mutual  bool // packages of this layer may import one another
}{
	{folders: []string{"."}},
	{folders: []string{"app"}},
	{folders: []string{"rest"}},
	{folders: []string{"graph", "graph/generated"}, mutual: true},
	{folders: []string{"domain/*"}},
	{folders: []string{"job", "live", "fetch", "llm", "llm/text", "replay", "caller", "coding", "dbx"}, mutual: true},
	{folders: []string{"model", "errs"}, mutual: true},
}

// outside are folders that no part of the program imports; they may import all of it.
var outside = []string{"testkit", "bench", "e2e"}

// subrooms are parts of a room in folders of their own, which only that room, app and what is outside may import.
var subrooms = map[string]string{
	"domain/ingest/extract": "domain/ingest", "domain/ingest/sample": "domain/ingest",
	"domain/link/page": "domain/link", "domain/link/visitor": "domain/link",
	"domain/webhook/message": "domain/webhook",
	"domain/content/cover":   "domain/content", "domain/content/fact": "domain/content", "domain/content/style": "domain/content",
	"domain/content/export": "domain/content",
}

func layerOf(folder string) int {
	if room, ok := subrooms[folder]; ok {
		folder = room
	}
	for i, layer := range layers {
		for _, pattern := range layer.folders {
			if ok, _ := path.Match(pattern, folder); ok {
				return i
			}
		}
	}
	return -1
}

func under(folder string, roots []string) bool {
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
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "data" || strings.HasPrefix(entry.Name(), ".") && file != ".") {
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

// TestArchitecture/imports_run_one_way holds the arrows of ARCHITECTURE.md.
func TestArchitecture(t *testing.T) {
	t.Run("imports_run_one_way", func(t *testing.T) {
		eachImport(t, func(file, folder, imported string) {
			target, ours := strings.CutPrefix(imported, "rostrum/")
			if !ours || strings.HasSuffix(file, "_test.go") || under(folder, outside) || folder == target {
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
	t.Run("rooms_know_no_transport", func(t *testing.T) {
		eachImport(t, func(file, folder, imported string) {
			if under(folder, []string{"domain"}) && !strings.HasSuffix(file, "_test.go") && strings.HasPrefix(imported, "github.com/go-chi/") {
				t.Errorf("%s imports %s: a room does not know how it was reached", file, imported)
			}
		})
	})
}

func checkArrow(folder, target string) string {
	from, to := layerOf(folder), layerOf(target)
	switch {
	case under(target, outside):
		return "the program does not import its tests"
	case from < 0:
		return "the folder is in no layer; add it to the table"
	case to < 0:
		return "the imported folder is in no layer; add it to the table"
	case subrooms[target] != "" && subrooms[target] != folder && subrooms[target] != subrooms[folder] && folder != "app":
		return "it is a part of another room"
	case from < to, subrooms[target] == folder && folder != "", subrooms[folder] != "" && subrooms[folder] == subrooms[target]:
		return ""
	case from == to && layers[from].mutual:
		return ""
	case from == to:
		return "rooms do not import rooms: take an interface and let app fill it"
	}
	return "imports run from the doors to the floor"
}
