package account_test

import (
	"testing"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestSetUp creates the first workspace beside a demo, with the token of one of two processes.
func TestSetUp(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := account.New(account.Config{DB: db, Live: dbtest.RedisKinds(t)[0].Open(t)})
		if _, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Demo", Demo: true}); err != nil {
			t.Fatal(err)
		}
		needed := func(want bool) {
			t.Helper()
			if got, err := s.NeedsSetup(t.Context()); got != want || err != nil {
				t.Errorf("it needs a setup: %v, %v", got, err)
			}
		}
		needed(true)
		wantCode(t, s.AddSetupToken(t.Context(), "rss_guess"), errs.ValidationFailed)
		var tokens []string
		for range 2 {
			token, err := account.NewSetupToken()
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // a restart adds the same again
				if err := s.AddSetupToken(t.Context(), token); err != nil {
					t.Fatal(err)
				}
			}
			tokens = append(tokens, token)
		}
		in := account.Setup{Token: "rss_guess", Workspace: "Press", Email: "Ines@Example.org", Password: password}
		_, err := s.SetUp(t.Context(), in, account.SignInOrigin{})
		wantCode(t, err, errs.ValidationFailed)
		needed(true)
		in.Token = tokens[1]
		session, err := s.SetUp(t.Context(), in, account.SignInOrigin{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.AuthenticateSession(t.Context(), session.Token, "")
		if err != nil || p.Role != model.RoleOwner || session.User.Email != "ines@example.org" {
			t.Errorf("the owner is %+v, %v", p, err)
		}
		needed(false)
		in.Token = tokens[0]
		_, err = s.SetUp(t.Context(), in, account.SignInOrigin{})
		wantCode(t, err, errs.InvalidState)
	})
}
