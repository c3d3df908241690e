package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// languageFigures counts the names and comments of the hand-written Go files, without tests and the bench.
type languageFigures struct {
	funcs, oneWordFuncs int // unexported
	types, oneWordTypes int
	bodies, shadows     int
	commentWords        int
	comments            strings.Builder
	names               []string // one for each declaration
}

// commentAims limit how often words occur in 10,000 words of comments. A limit below zero is a minimum.
var commentAims = []struct {
	words string // a pattern of whole words
	limit float64
}{
	{"what", 5}, {"says?|tells?|gives?|told", 3}, {"stands?|behind|beside", 3}, {"returns?", -30}, {"errors?", -25},
}

// metaphors are words that a standard term replaces in comments.
var metaphors = regexp.MustCompile(`\b(rooms?|doors?|houses?|errands?|parcels?|murmurs?|insists?|news|stands? back|stood back|meanwhile|anew|at hand|by now)\b`)

// metaphorNames are the same words as parts of names, in the forms that the code had.
var metaphorNames = regexp.MustCompile(`^(Rooms?|Doors?|House|News|Errands?|Parcels?|Murmurs?|Insist|StandBack|StoodBack|Boards?|Aside|Stretch|OrNone|ReadBeside|TellRunsLeft)$`)

// TestLanguage checks the figures of language.md for the whole repository.
func TestLanguage(t *testing.T) {
	f := measureLanguage(t)
	t.Run("names_have_two_words", func(t *testing.T) {
		checkLimit(t, "percent of unexported functions have a one-word name", percent(f.oneWordFuncs, f.funcs), 20)
		checkLimit(t, "percent of types have a one-word name", percent(f.oneWordTypes, f.types), 40)
		checkLimit(t, "locals shadow a package-level name in 100 functions", percent(f.shadows, f.bodies), 2)
	})
	t.Run("comments_use_standard_words", func(t *testing.T) {
		text := f.comments.String()
		for _, aim := range commentAims {
			found := len(wholeWords(aim.words).FindAllString(text, -1))
			checkLimit(t, aim.words+" in 10,000 words of comments", 10_000*float64(found)/float64(max(1, f.commentWords)), aim.limit)
		}
	})
	t.Run("no_metaphors", func(t *testing.T) {
		if found := metaphors.FindAllString(f.comments.String(), -1); len(found) > 0 {
			t.Errorf("%d metaphors in comments: %s", len(found), tally(found))
		}
		var bad []string
		for _, name := range f.names {
			if slices.ContainsFunc(nameWords(name), metaphorNames.MatchString) || metaphorNames.MatchString(strings.ToUpper(name[:1])+name[1:]) {
				bad = append(bad, name)
			}
		}
		if len(bad) > 0 {
			t.Errorf("%d metaphors in names: %s", len(bad), tally(bad))
		}
	})
}

// checkLimit fails the test when the figure is above the limit, or below it when the limit is negative.
func checkLimit(t *testing.T, title string, figure, limit float64) {
	t.Helper()
	t.Logf("%6.1f %s", figure, title)
	if limit < 0 && figure < -limit {
		t.Errorf("%.1f %s, want at least %.0f", figure, title, -limit)
	}
	if limit >= 0 && figure > limit {
		t.Errorf("%.1f %s, want at most %.0f", figure, title, limit)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func wholeWords(pattern string) *regexp.Regexp { return regexp.MustCompile(`\b(?:` + pattern + `)\b`) }

// tally lists the distinct words in alphabetical order.
func tally(words []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(words))), " ")
}

// measureLanguage parses the hand-written files below the root and counts package by package.
func measureLanguage(t *testing.T) *languageFigures {
	t.Helper()
	packages, set := map[string][]*ast.File{}, token.NewFileSet()
	skipped := []string{".git", "node_modules", "testdata", "vendor", "bench"}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err == nil && !ast.IsGenerated(file) && !strings.Contains(path, "generated") {
			packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	figures := &languageFigures{}
	for _, files := range packages {
		figures.addPackage(files)
	}
	return figures
}

func (f *languageFigures) addPackage(files []*ast.File) {
	declared := packageLevelNames(files)
	for name := range declared {
		f.names = append(f.names, name)
	}
	for _, file := range files {
		for _, group := range file.Comments {
			f.addComment(group.Text())
		}
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				f.addFunc(d, declared)
			case *ast.GenDecl:
				f.addTypes(d)
			}
		}
	}
}

var commentWord = regexp.MustCompile(`[A-Za-z']+`)

func (f *languageFigures) addComment(text string) {
	text = strings.ToLower(text)
	f.commentWords += len(commentWord.FindAllString(text, -1))
	f.comments.WriteString(text + "\n")
}

func (f *languageFigures) addTypes(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		if typ, ok := spec.(*ast.TypeSpec); ok {
			f.types++
			if isOneWord(typ.Name.Name) {
				f.oneWordTypes++
			}
		}
	}
}

func (f *languageFigures) addFunc(d *ast.FuncDecl, declared map[string]bool) {
	if name := d.Name.Name; !d.Name.IsExported() && name != "main" && name != "init" {
		f.funcs++
		if isOneWord(name) {
			f.oneWordFuncs++
		}
	}
	if d.Recv != nil {
		f.names = append(f.names, d.Name.Name)
	}
	if d.Body != nil {
		f.bodies++
		f.shadows += countShadows(d, declared)
	}
}

// countShadows counts the distinct package-level names that parameters, results and locals of the function shadow.
func countShadows(d *ast.FuncDecl, declared map[string]bool) int {
	seen := map[string]bool{}
	add := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if id, ok := e.(*ast.Ident); ok && declared[id.Name] {
				seen[id.Name] = true
			}
		}
	}
	addNames := func(names []*ast.Ident) {
		for _, n := range names {
			add(n)
		}
	}
	for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			addNames(field.Names)
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				add(s.Lhs...)
			}
		case *ast.RangeStmt:
			if s.Tok == token.DEFINE {
				add(s.Key, s.Value)
			}
		case *ast.ValueSpec:
			addNames(s.Names)
		}
		return true
	})
	return len(seen)
}

// packageLevelNames returns the functions, types, variables and constants of a package.
func packageLevelNames(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				addSpecNames(names, d.Specs)
			}
		}
	}
	delete(names, "_")
	return names
}

func addSpecNames(names map[string]bool, specs []ast.Spec) {
	for _, spec := range specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			names[s.Name.Name] = true
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names[n.Name] = true
			}
		}
	}
}

func isOneWord(name string) bool { return len(nameWords(name)) == 1 }

// nameWords splits a name before each capital that follows a lower-case letter, and at underscores.
func nameWords(name string) []string {
	var words []string
	runes, start := []rune(name), 0
	for i := 1; i < len(runes); i++ {
		if runes[i] == '_' || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
			words, start = append(words, string(runes[start:i])), i
		}
	}
	return append(words, string(runes[start:]))
}
