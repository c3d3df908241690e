package account_test

import (
	"testing"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestSessions_survive_a_restart signs in and reads the session with another embedded Redis, as
// after a restart.
func TestSessions_survive_a_restart(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		b.addMember(t, "ines@example.org", model.RoleOwner)
		before := account.New(account.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t)})
		session, err := before.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
		if err != nil {
			t.Fatal(err)
		}
		after := account.New(account.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t)})
		if _, err := after.AuthenticateSession(t.Context(), session.Token, ""); err != nil {
			t.Errorf("after the restart: %v", err)
		}
		if err := after.SignOut(t.Context(), session.Token); err != nil {
			t.Fatal(err)
		}
		_, err = after.AuthenticateSession(t.Context(), session.Token, "")
		wantCode(t, err, errs.Unauthenticated)
	})
}

// TestOperator ends a user's sessions, sets their password and removes them.
func TestOperator(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		const email = "ines@example.org"
		b := setup(t, db)
		b.addMember(t, email, model.RoleOwner)
		signIn := func(secret string) string {
			t.Helper()
			session, err := b.SignIn(t.Context(), email, secret, account.SignInOrigin{})
			if err != nil {
				t.Fatal(err)
			}
			return session.Token
		}
		wantEnded := func(token string) {
			t.Helper()
			_, err := b.AuthenticateSession(t.Context(), token, "")
			wantCode(t, err, errs.Unauthenticated)
			_, err = b.OwnWorkspaces(t.Context(), token)
			wantCode(t, err, errs.Unauthenticated)
		}
		first := signIn(password)
		if err := b.EndSessions(t.Context(), email); err != nil {
			t.Fatal(err)
		}
		wantEnded(first)
		second := signIn(password)
		if _, err := b.AuthenticateSession(t.Context(), second, ""); err != nil {
			t.Errorf("a session of after it: %v", err)
		}
		wantCode(t, b.SetPassword(t.Context(), email, "short"), errs.ValidationFailed)
		wantCode(t, b.SetPassword(t.Context(), "nobody@example.org", "another password"), errs.NotFound)
		if err := b.SetPassword(t.Context(), email, "another password"); err != nil {
			t.Fatal(err)
		}
		wantEnded(second)
		third := signIn("another password")
		wantCode(t, b.RemoveUser(t.Context(), email, "wsp_other"), errs.NotFound)
		if err := b.RemoveUser(t.Context(), email, b.first.Key.WorkspaceID); err != nil {
			t.Fatal(err)
		}
		_, err := b.AuthenticateSession(t.Context(), third, b.first.Key.WorkspaceID)
		wantCode(t, err, errs.WorkspaceMismatch)
		if err := b.RemoveUser(t.Context(), email, ""); err != nil {
			t.Fatal(err)
		}
		wantEnded(third)
	})
}

// TestSignIn_refused_is_in_the_audit_log signs in with a wrong password.
func TestSignIn_refused_is_in_the_audit_log(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		user := b.addMember(t, "ines@example.org", model.RoleOwner)
		_, err := b.SignIn(t.Context(), "ines@example.org", "wrong", account.SignInOrigin{})
		wantCode(t, err, errs.Unauthenticated)
		n, err := db.NewSelect().Model((*model.AuditEntry)(nil)).Where("action = 'session.refused' AND subject_id = ?",
			user.ID).Count(t.Context())
		if err != nil || n != 1 {
			t.Errorf("%d entries, %v", n, err)
		}
	})
}
