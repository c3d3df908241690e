package app

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// TestWorkspaceDelete deletes a workspace with a document and a file, while the app runs.
func TestWorkspaceDelete(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: id,
			Scopes: []model.Scope{model.ScopeAdmin}})
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
		for _, row := range []any{(*model.Workspace)(nil), (*model.Document)(nil), (*model.Link)(nil),
			(*model.APIKey)(nil)} {
			if n, err := a.db.NewSelect().Model(row).Count(t.Context()); n != 0 || err != nil {
				t.Errorf("%d rows of %T are left (%v)", n, row, err)
			}
		}
		err := filepath.WalkDir(filepath.Join(config.DataDir, "blobs"), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				t.Errorf("%s is left", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// testUser is a user of a workspace.
type testUser struct{ email, workspace string }

// signIn returns the token of a new session of the user.
func (u testUser) signIn(t *testing.T, a *App, password string) string {
	t.Helper()
	session, err := a.accounts.SignIn(t.Context(), u.email, password, account.SignInOrigin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.authenticate(t, a, session.Token); err != nil {
		t.Fatal(err)
	}
	return session.Token
}

// authenticate returns the error of a request in the workspace with the token of a session.
func (u testUser) authenticate(t *testing.T, a *App, token string) error {
	t.Helper()
	p, err := a.accounts.AuthenticateSession(t.Context(), token, u.workspace)
	if err == nil && p.WorkspaceID != u.workspace {
		t.Errorf("the session has the principal %+v", p)
	}
	return err
}

// TestUser ends a user's sessions, changes the password and removes the user, by the operator's
// commands while the app runs.
func TestUser(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		u := testUser{"ines@example.org", id}
		const first, second = "correct horse battery", "another long password"
		run := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		want := func(code errs.Code, err error) {
			t.Helper()
			if !errs.Is(err, code) {
				t.Errorf("got %v, want %s", err, code)
			}
		}
		run(userCreate{Email: u.email, Workspace: id, Role: model.RoleOwner}.Run(t.Context(), config,
			strings.NewReader(first+"\n")))
		browsers := []string{u.signIn(t, a, first), u.signIn(t, a, first)}
		run(sessionsEnd{Email: u.email}.Run(t.Context(), config))
		for _, token := range browsers {
			want(errs.Unauthenticated, u.authenticate(t, a, token))
		}
		token := u.signIn(t, a, first)
		run(userPassword{Email: u.email}.Run(t.Context(), config, strings.NewReader(second+"\r\n")))
		want(errs.Unauthenticated, u.authenticate(t, a, token))
		_, err := a.accounts.SignIn(t.Context(), u.email, first, account.SignInOrigin{})
		want(errs.Unauthenticated, err)
		token = u.signIn(t, a, second)
		run(userRemove{Email: u.email, Workspace: id}.Run(t.Context(), config))
		want(errs.WorkspaceMismatch, u.authenticate(t, a, token))
		run(userRemove{Email: u.email}.Run(t.Context(), config))
		want(errs.Unauthenticated, u.authenticate(t, a, token))
		if n, err := a.db.NewSelect().Model((*model.User)(nil)).Count(t.Context()); n != 0 || err != nil {
			t.Errorf("%d users are left, %v", n, err)
		}
		want(errs.NotFound, userRemove{Email: u.email}.Run(t.Context(), config))
	})
}
