package operation

import (
	"context"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/domain/operation/compat"
	"rostrum/model"
)

// Broken is an operation that a schema breaks.
type Broken struct {
	Version   *model.AppVersion
	Operation string
	Reason    string // the first thing that breaks, such as "Document.title was String! and may be null now"
}

func (b Broken) String() string {
	return fmt.Sprintf("workspace %s, app %s, version %s, operation %s: %s", b.Version.WorkspaceID, b.Version.App,
		b.Version.Version, b.Operation, b.Reason)
}

// shownBroken is the number of operations that the error of broken ones names.
const shownBroken = 20

// BrokenError says what to do about operations that a schema breaks.
type BrokenError []Broken

func (e BrokenError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the schema of this release breaks %d registered operations:\n", len(e))
	for i, broken := range e {
		if i == shownBroken {
			fmt.Fprintf(&b, "  and %d more\n", len(e)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", broken)
	}
	v := e[0].Version
	fmt.Fprintf(&b, "if nobody uses such a version any more, remove it: rostrum operations retire --workspace=%s --app=%s --version=%s; otherwise keep the release before until its clients are updated",
		v.WorkspaceID, shellQuoted(v.App), shellQuoted(v.Version))
	return b.String()
}

// shellQuoted returns a text as one word of a shell, whatever it has: clients choose it.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Check returns the registered operations of all workspaces that a schema breaks, by version. sdl is
// the schema's text; what was registered for the same text is not broken.
func Check(ctx context.Context, db *dbx.DB, schema *ast.Schema, sdl string) ([]Broken, error) {
	var versions []*model.AppVersion
	err := db.NewSelect().Model(&versions).Where("schema_hash <> ?", hashOf(sdl)).
		Order("workspace_id", "app", "created_at", "id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("check registered operations: %w", dbx.Err(err))
	}
	former, broken := map[string]*ast.Schema{}, []Broken(nil)
	for _, version := range versions {
		before, err := schemaOf(ctx, db, version.SchemaHash, former)
		if err != nil {
			return nil, fmt.Errorf("check registered operations: %w", err)
		}
		var operations []*model.RegisteredOperation
		err = db.NewSelect().Model(&operations).Column("name", "text").
			Where("app_version_id = ?", version.ID).Order("name", "id").Scan(ctx)
		if err != nil {
			return nil, fmt.Errorf("check registered operations: %w", dbx.Err(err))
		}
		for _, op := range operations {
			if breaks := compat.Check(before, schema, op.Text); len(breaks) > 0 {
				broken = append(broken, Broken{version, op.Name, breaks[0].String()})
			}
		}
	}
	return broken, nil
}

// schemaOf returns a stored schema, which it adds to the known ones.
func schemaOf(ctx context.Context, db *dbx.DB, hash string, known map[string]*ast.Schema) (*ast.Schema, error) {
	if schema := known[hash]; schema != nil {
		return schema, nil
	}
	row := new(model.OperationSchema)
	if err := db.NewSelect().Model(row).Where("hash = ?", hash).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema " + hash, Input: row.Text})
	if err != nil {
		return nil, fmt.Errorf("read the schema of a version: %w", err)
	}
	known[hash] = schema
	return schema, nil
}
