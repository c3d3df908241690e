package source_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tableOwners lists the packages that may name a table in a statement. A table with two packages
// has columns of each: its comment names them.
var tableOwners = map[string][]string{
	"api_key": {"domain/account"}, "app_user": {"domain/account"}, "audit_entry": {"domain/account"},
	"membership": {"domain/account"}, "invite": {"domain/account"}, "sign_in": {"domain/account"},
	"password_reset": {"domain/account"}, "second_factor": {"domain/account"}, "recovery_code": {"domain/account"}, "setup_token": {"domain/account"},
	"key_usage": {"domain/account"}, "llm_call": {"domain/account"}, "run_reservation": {"domain/account"},
	"user_session": {"domain/account"}, "used_identity_token": {"domain/account"},
	// document keeps the columns document_count and hidden_count.
	"workspace": {"domain/account", "domain/document"},
	"reaction":  {"domain/audience"}, "audience_group": {"domain/audience"}, "audience_summary": {"domain/audience"},
	"house_rule": {"domain/house"},
	"brand":      {"domain/brand"}, "brand_logo": {"domain/brand"},
	"audience_summary_reaction": {"domain/audience"},
	"draft":                     {"domain/content"},
	"document":                  {"domain/document"}, "document_status": {"domain/document"},
	"draft_version": {"domain/content"}, "draft_state_change": {"domain/content"}, "draft_comment": {"domain/content"},
	"document_version": {"domain/document"}, "deleted_document": {"domain/document"},
	"bulk_change": {"domain/document"},
	"bulk_file":   {"domain/bulk"}, "bulk_part": {"domain/bulk"}, "mail": {"domain/mail"},
	"mail_settings":  {"domain/notice"},
	"document_facet": {"domain/document"}, "document_index": {"domain/document"}, "document_word": {"domain/document"},
	"event": {"domain/event"}, "event_feed": {"domain/event"},
	"app_version": {"domain/operation"}, "registered_operation": {"domain/operation"},
	"operation_schema": {"domain/operation"},
	"saved_search":     {"domain/search"}, "search_hit": {"domain/search"}, "search_progress": {"domain/search"},
	"search_seen": {"domain/search"},
	"source":      {"domain/ingest"}, "source_entry": {"domain/ingest"},
	"executive_voice": {"domain/executive"}, "executive_auto_voice": {"domain/executive"},
	"insight":        {"domain/executive"},
	"insight_source": {"domain/executive"}, "signal": {"domain/executive"}, "signal_extraction": {"domain/executive"},
	"link": {"domain/link"}, "link_conversion": {"domain/link"}, "link_journal": {"domain/link"},
	"link_key": {"domain/link"}, "link_activity": {"domain/link"}, "link_breakdown": {"domain/link"}, "link_tag": {"domain/link"},
	"link_removed": {"domain/link"}, "link_session": {"domain/link"}, "link_submission": {"domain/link"},
	"link_variant": {"domain/link"},
	// executive lists the executives that party selects.
	"company": {"domain/party"}, "company_alias": {"domain/party"}, "executive": {"domain/party", "domain/executive"},
	"executive_alias":       {"domain/party"},
	"company_removed_alias": {"domain/party"}, "executive_removed_alias": {"domain/party"},
	"insight_party": {"domain/executive"},
	"passage":       {"domain/passage"}, "passage_set": {"domain/passage"},
	"persona": {"domain/persona"}, "persona_feedback": {"domain/persona"}, "persona_interaction": {"domain/persona"},
	"persona_refinement": {"domain/persona"},
	"auto_tag":           {"domain/tag"}, "auto_tag_check": {"domain/tag"}, "auto_tag_example": {"domain/tag"},
	"auto_tag_review": {"domain/tag"},
	"comms_filter":    {"domain/tag"}, "document_hidden": {"domain/tag"}, "tag_backfill": {"domain/tag"},
	"document_auto_tag": {"domain/tag"},
	"webhook":           {"domain/webhook"}, "webhook_delivery": {"domain/webhook"}, "seal_key": {"domain/webhook"},
	"job": {"platform/job"}, "job_event": {"platform/job"}, "river_job": {"platform/job"},
	"idempotency": {"platform/idempotency"},
}

// programFile is a parsed Go file that is part of the program.
type programFile struct {
	folder string
	*ast.File
}

// buildsStatements reports whether the file imports bun or dbx.
func (f programFile) buildsStatements() bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return unquoted(i.Path) == "github.com/uptrace/bun" || unquoted(i.Path) == "rostrum/dbx"
	})
}

// parseProgram parses the Go files of the packages above dbx, without tests and generated code.
func parseProgram(t *testing.T) (*token.FileSet, []programFile) {
	t.Helper()
	set, files := token.NewFileSet(), []programFile{}
	skipped := append([]string{"dbx", "graph/generated", "data"}, outside...)
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(skipped, name) || entry.Name() == "node_modules" ||
			strings.HasPrefix(name, ".") && name != "."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		files = append(files, programFile{path.Dir(name), parsed})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return set, files
}

// rowTables maps the row types, as "folder.Type", to their tables.
func rowTables(files []programFile) map[string]string {
	tables := map[string]string{}
	for _, file := range files {
		ast.Inspect(file.File, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			row, ok := spec.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, field := range row.Fields.List {
				if field.Tag == nil {
					continue
				}
				tag, _ := strconv.Unquote(field.Tag.Value)
				options := strings.Split(reflect.StructTag(tag).Get("bun"), ",")
				if table, ok := strings.CutPrefix(options[0], "table:"); ok {
					tables[file.folder+"."+spec.Name.Name] = table
				}
			}
			return false
		})
	}
	return tables
}

// tableUse is a place where a function names a table.
type tableUse struct {
	function, table string
	at              token.Pos
}

// statementFinder collects the tables that a function names.
type statementFinder struct {
	folder    string
	tables    map[string]string        // by row type, see rowTables
	functions map[string]*ast.FuncDecl // by folder and name
	function  *ast.FuncDecl            // the one to search
	uses      []tableUse
	unknown   []token.Pos
}

// tableWords finds the tables in SQL text.
var tableWords = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)\b`)

// tableMethods take a table's name, or SQL text that begins with one, as an argument.
var tableMethods = []string{"Table", "TableExpr", "ModelTableExpr", "Matching", "Matched"}

func (f *statementFinder) add(table string, at token.Pos) {
	if _, known := tableOwners[table]; known {
		f.uses = append(f.uses, tableUse{f.function.Name.Name, table, at})
	}
}

func (f *statementFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		f.visitCall(n)
	case *ast.IndexExpr:
		if isSelector(n.X, "dbx", "List") {
			f.addRow(n.Index)
		}
	case *ast.BasicLit:
		for _, match := range tableWords.FindAllStringSubmatch(unquoted(n), -1) {
			f.add(match[1], n.Pos())
		}
		if name := unquoted(n); strings.Contains(name, "_") {
			f.add(name, n.Pos()) // an argument of a function that builds a statement
		}
	}
	return true
}

func (f *statementFinder) visitCall(call *ast.CallExpr) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if method.Sel.Name == "Model" && len(call.Args) == 1 {
		f.addModel(call.Args[0])
	}
	if !slices.Contains(tableMethods, method.Sel.Name) {
		return
	}
	for _, arg := range call.Args {
		name, _, _ := strings.Cut(unquoted(arg), " ")
		if !strings.Contains(name, "_") || name != unquoted(arg) { // else visit has added it
			f.add(name, arg.Pos())
		}
	}
}

// addModel adds the table of the argument of bun's method Model: a value, a variable, or a typed
// nil.
func (f *statementFinder) addModel(arg ast.Expr) {
	name := identifierOf(arg)
	if name == "" {
		f.addRow(arg)
		return
	}
	declared := f.resolve(f.declarationOf(name, arg.Pos()))
	if declared == nil {
		f.unknown = append(f.unknown, arg.Pos())
		return
	}
	f.addRow(declared)
}

// resolve returns the result types of a call of the package's own functions, and any other
// expression as it is. It returns nil for other calls.
func (f *statementFinder) resolve(e ast.Node) ast.Node {
	call, ok := e.(*ast.CallExpr)
	if !ok || identifierOf(call.Fun) == "new" || identifierOf(call.Fun) == "make" {
		return e
	}
	name := identifierOf(call.Fun)
	if method, ok := call.Fun.(*ast.SelectorExpr); ok {
		name = method.Sel.Name
	}
	if called := f.functions[f.folder+"."+name]; called != nil && called.Type.Results != nil {
		return called.Type.Results
	}
	return nil
}

// addRow adds the table of the row type that an expression names.
func (f *statementFinder) addRow(e ast.Node) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "model" {
				f.add(f.tables["model."+n.Sel.Name], e.Pos())
			}
			return false
		case *ast.Ident:
			f.add(f.tables[f.folder+"."+n.Name], e.Pos())
		case *ast.KeyValueExpr:
			return false
		}
		return true
	})
}

// identifierOf returns the variable of x, &x and (x); "" for any other expression.
func identifierOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.UnaryExpr:
		return identifierOf(e.X)
	}
	return ""
}

// declarationOf returns the type or the first value in the last declaration of a variable before a
// position, or nil if there is none.
func (f *statementFinder) declarationOf(name string, before token.Pos) (found ast.Node) {
	isName := func(e ast.Expr) bool { return e != nil && identifierOf(e) == name }
	ast.Inspect(f.function, func(n ast.Node) bool {
		if n == nil || n.Pos() >= before {
			return false
		}
		switch n := n.(type) {
		case *ast.Field:
			if slices.ContainsFunc(n.Names, func(i *ast.Ident) bool { return i.Name == name }) {
				found = n.Type
			}
		case *ast.ValueSpec:
			if i := slices.IndexFunc(n.Names, func(i *ast.Ident) bool { return i.Name == name }); i >= 0 &&
				n.Type != nil {
				found = n.Type
			} else if i >= 0 {
				found = n.Values[i]
			}
		case *ast.RangeStmt:
			if isName(n.Value) && identifierOf(n.X) != "" {
				found = f.declarationOf(identifierOf(n.X), before)
			} else if isName(n.Value) {
				found = n.X
			}
		case *ast.AssignStmt:
			if i := slices.IndexFunc(n.Lhs, isName); i >= 0 && n.Tok == token.DEFINE {
				found = n.Rhs[min(i, len(n.Rhs)-1)]
			}
		}
		return true
	})
	return found
}

func isSelector(e ast.Expr, x, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	i, ok := s.X.(*ast.Ident)
	return ok && i.Name == x
}

func unquoted(e ast.Expr) string {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(literal.Value)
	return text
}

// TestTables_are_named_by_their_owners fails for a statement that names a table of another package.
func TestTables_are_named_by_their_owners(t *testing.T) {
	set, files := parseProgram(t)
	tables, functions := rowTables(files), functionsByName(files)
	for row, table := range tables {
		if len(tableOwners[table]) == 0 {
			t.Errorf("%s is a row of %s, which has no owner: add it to tableOwners", row, table)
		}
	}
	for _, file := range files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || !file.buildsStatements() {
				continue
			}
			f := &statementFinder{folder: file.folder, tables: tables, functions: functions, function: function}
			ast.Inspect(function, f.visit)
			for _, at := range f.unknown {
				t.Errorf("%s: the row type of Model's argument is unknown: declare it in the function",
					set.Position(at))
			}
			for _, use := range f.uses {
				if slices.Contains(tableOwners[use.table], file.folder) {
					continue
				}
				t.Errorf("%s: %s names the table %s of %v: call a method of its owner", set.Position(use.at),
					use.function, use.table, tableOwners[use.table])
			}
		}
	}
}

func functionsByName(files []programFile) map[string]*ast.FuncDecl {
	functions := map[string]*ast.FuncDecl{}
	for _, file := range files {
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				functions[file.folder+"."+function.Name.Name] = function
			}
		}
	}
	return functions
}
