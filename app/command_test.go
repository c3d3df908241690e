package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/model"
	"rostrum/principal"
)

// TestWorkspaceDelete deletes a workspace with a document and a file, while the app runs.
func TestWorkspaceDelete(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: id, Scopes: []model.Scope{model.ScopeAdmin}})
		upload := &graphql.Upload{File: strings.NewReader("text"), Filename: "a.txt", Size: 4}
		if _, err := a.links.Create(ctx, api.CreateLinkInput{}, upload); err != nil {
			t.Fatal(err)
		}
		t.Run("files are private", func(t *testing.T) {
			err := filepath.WalkDir(config.DataDir, func(path string, entry fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := entry.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s has the mode %o", path, info.Mode().Perm())
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		if err := (workspaceDelete{Workspace: id, Confirm: "no"}).Run(t.Context(), config); err == nil {
			t.Error("it is deleted without a confirmation")
		}
		if err := (workspaceDelete{Workspace: id, Confirm: id}).Run(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		for _, row := range []any{(*model.Workspace)(nil), (*model.Document)(nil), (*model.Link)(nil), (*model.APIKey)(nil)} {
			if n, err := a.db.NewSelect().Model(row).Count(t.Context()); n != 0 || err != nil {
				t.Errorf("%d rows of %T are left (%v)", n, row, err)
			}
		}
		left, err := os.ReadDir(filepath.Join(config.DataDir, "links"))
		if err != nil || len(left) != 0 {
			t.Errorf("files are left: %v, %v", left, err)
		}
	})
}
