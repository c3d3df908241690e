package account_test

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

const password = "correct horse battery"

// addMember adds a user with a password to the workspace.
func (b *testBundle) addMember(t *testing.T, email string, role model.Role) *model.User {
	t.Helper()
	user, err := b.AddUser(t.Context(), account.NewUser{
		Email: email, Password: password, WorkspaceID: b.first.Key.WorkspaceID, Role: role,
	})
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func TestSignIn(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		ines := s.addMember(t, "Ines@Example.org", model.RoleOwner)
		t.Run("a wrong user and a wrong password return the same error", func(t *testing.T) {
			_, wrongPassword := s.SignIn(t.Context(), "ines@example.org", "wrong", account.SignInOrigin{})
			_, wrongUser := s.SignIn(t.Context(), "nobody@example.org", password, account.SignInOrigin{})
			wantCode(t, wrongUser, errs.Unauthenticated)
			if wrongUser == nil || wrongPassword == nil || wrongUser.Error() != wrongPassword.Error() {
				t.Errorf("%v differs from %v", wrongUser, wrongPassword)
			}
		})
		t.Run("a wrong user costs a hash as a wrong password does", func(t *testing.T) {
			const memory = 12 << 20 // of a hash; tests that run at the same time only add to it
			for _, email := range []string{"ines@example.org", "nobody@example.org"} {
				least := uint64(math.MaxUint64)
				for range 3 {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, err := s.SignIn(t.Context(), email, "wrong", account.SignInOrigin{})
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
					wantCode(t, err, errs.Unauthenticated)
				}
				if least < memory {
					t.Errorf("signing in as %s takes %d bytes, which is no hash", email, least)
				}
			}
		})
		t.Run("emails are compared without case", func(t *testing.T) {
			session, err := s.SignIn(t.Context(), " INES@example.ORG ", password, account.SignInOrigin{})
			if err != nil || session.User.ID != ines.ID || session.User.Email != "ines@example.org" {
				t.Fatalf("%+v, %v", session, err)
			}
			if life := time.Until(session.ExpiresAt); life > 7*24*time.Hour || life < 7*24*time.Hour-time.Hour {
				t.Errorf("the session is valid for %s", life)
			}
		})
		t.Run("signing in ends the previous session and creates a new token", func(t *testing.T) {
			first, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
			if err != nil {
				t.Fatal(err)
			}
			second, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{Token: first.Token})
			if err != nil || second.Token == first.Token {
				t.Fatalf("the token did not change: %v", err)
			}
			_, err = s.AuthenticateSession(t.Context(), first.Token, "")
			wantCode(t, err, errs.Unauthenticated)
			planted, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{Token: "planted"})
			if err != nil || planted.Token == "planted" {
				t.Errorf("a token supplied by the client was accepted: %v", err)
			}
		})
		t.Run("attempts for a user from an address are limited", func(t *testing.T) {
			s.addMember(t, "otto@example.org", model.RoleMember)
			attacker, owner := account.SignInOrigin{Address: "192.0.2.1"}, account.SignInOrigin{Address: "192.0.2.2"}
			var err error
			for range 11 {
				_, err = s.SignIn(t.Context(), "otto@example.org", "wrong", attacker)
			}
			wantLimited(t, err)
			_, err = s.SignIn(t.Context(), "otto@example.org", password, attacker)
			wantLimited(t, err)
			if _, err := s.SignIn(t.Context(), "otto@example.org", password, owner); err != nil {
				t.Errorf("wrong passwords from elsewhere lock the owner out: %v", err)
			}
		})
		t.Run("a successful sign-in resets the attempts", func(t *testing.T) {
			for range 12 {
				if _, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{}); err != nil {
					t.Fatal(err)
				}
			}
		})
	})
}

func wantLimited(t *testing.T, err error) {
	t.Helper()
	wantCode(t, err, errs.RateLimited)
	if seconds, _ := errs.From(err).Extra["retry_after"].(int); seconds < 1 {
		t.Errorf("retry_after is %v", errs.From(err).Extra["retry_after"])
	}
}

// TestSignIn_addresses checks that attempts are counted by address, independent of the user.
func TestSignIn_addresses(t *testing.T) {
	t.Parallel()
	db := dbtest.Backends(t)[0].Open(t)
	s := setup(t, db)
	limited := func(address string) bool {
		_, err := s.SignInByCode(t.Context(), account.Handshake{}, "", "", account.SignInOrigin{Address: address})
		return errs.Is(err, errs.RateLimited)
	}
	s.Trust(account.NewIssuer(account.IssuerConfig{URL: "http://127.0.0.1:1"}))
	for range 100 {
		if limited("2001:db8::/64") {
			t.Fatal("the first attempts are limited")
		}
	}
	refused := false
	// attempts are allowed again over time, so a slow machine needs more of them
	for i := 0; i < 1000 && !refused; i++ {
		refused = limited("2001:db8::/64")
	}
	if !refused {
		t.Error("more than a hundred attempts are not limited")
	}
	if limited("2001:db8:0:1::/64") || limited("192.0.2.1") {
		t.Error("another address is limited")
	}
}

func TestAuthenticateSession(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		s.addMember(t, "ines@example.org", model.RoleMember)
		second, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Second"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddUser(t.Context(), account.NewUser{Email: "ines@example.org", WorkspaceID: second.ID,
			Role: model.RoleOwner}); err != nil {
			t.Fatal(err)
		}
		session, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
		if err != nil {
			t.Fatal(err)
		}
		t.Run("a session uses the first workspace with the scopes of the role", func(t *testing.T) {
			p, err := s.AuthenticateSession(t.Context(), session.Token, "")
			if err != nil || p.WorkspaceID != s.first.Key.WorkspaceID || p.Allows(model.ScopeAdmin) ||
				!p.Allows(model.ScopeWrite) || p.Actor() != session.User.ID {
				t.Errorf("%+v, %v", p, err)
			}
		})
		t.Run("a session uses the requested workspace", func(t *testing.T) {
			p, err := s.AuthenticateSession(t.Context(), session.Token, second.ID)
			if err != nil || p.WorkspaceID != second.ID || !p.Allows(model.ScopeAdmin) {
				t.Errorf("%+v, %v", p, err)
			}
		})
		t.Run("a session cannot use a workspace of others", func(t *testing.T) {
			foreign, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Foreign"})
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{foreign.ID, "wsp_none"} {
				_, err = s.AuthenticateSession(t.Context(), session.Token, id)
				wantCode(t, err, errs.WorkspaceMismatch)
			}
		})
		t.Run("workspaces are listed with active keys and without secrets", func(t *testing.T) {
			own, err := s.OwnWorkspaces(t.Context(), session.Token)
			if err != nil || len(own) != 2 || own[0].Role != model.RoleMember || own[1].ID != second.ID ||
				len(own[1].Keys) != 0 {
				t.Fatalf("%+v, %v", own, err)
			}
			if len(own[0].Keys) != 1 || own[0].Keys[0].Hash != nil {
				t.Errorf("keys are %+v", own[0].Keys)
			}
		})
		t.Run("signing out ends the session", func(t *testing.T) {
			for range 2 {
				if err := s.SignOut(t.Context(), session.Token); err != nil {
					t.Fatal(err)
				}
			}
			_, err := s.AuthenticateSession(t.Context(), session.Token, "")
			wantCode(t, err, errs.Unauthenticated)
			_, err = s.OwnWorkspaces(t.Context(), session.Token)
			wantCode(t, err, errs.Unauthenticated)
		})
	})
}

// TestSession_withoutRedis loses Redis. Sign-in attempts always need it; sessions need it unless it
// is the embedded one.
func TestSession_withoutRedis(t *testing.T) {
	t.Parallel()
	dbtest.EachRedis(t, testSessionWithoutRedis)
}

func testSessionWithoutRedis(t *testing.T, kind dbtest.RedisKind) {
	db := dbtest.Backends(t)[0].Open(t)
	b, redis := setup(t, db), kind.Open(t)
	b.addMember(t, "ines@example.org", model.RoleOwner)
	s := account.New(account.Config{DB: db, Live: redis})
	session, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := redis.Client().Close(); err != nil {
		t.Fatal(err)
	}
	_, err = s.AuthenticateSession(t.Context(), session.Token, "")
	if !redis.Embedded() {
		wantCode(t, err, errs.Unavailable)
	} else if err != nil {
		t.Errorf("a session in the database: %v", err)
	}
	_, err = s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
	wantCode(t, err, errs.Unavailable)
	if _, err := s.Authenticate(t.Context(), b.secret); err != nil {
		t.Errorf("a key does not work: %v", err)
	}
}

func TestAddUser(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		workspace := s.first.Key.WorkspaceID
		s.addMember(t, "ines@example.org", model.RoleMember)
		for name, c := range map[string]struct {
			in   account.NewUser
			code errs.Code
		}{
			"no_address": {account.NewUser{Email: "Ines <i@example.org>", WorkspaceID: workspace},
				errs.ValidationFailed},
			"a_short_password": {account.NewUser{Email: "a@example.org", Password: "short", WorkspaceID: workspace},
				errs.ValidationFailed},
			"a_second_password": {account.NewUser{Email: "INES@example.org", Password: password,
				WorkspaceID: workspace}, errs.Conflict},
			"a_member_already":     {account.NewUser{Email: "ines@example.org", WorkspaceID: workspace}, errs.Conflict},
			"an_unknown_workspace": {account.NewUser{Email: "b@example.org", WorkspaceID: "wsp_none"}, errs.NotFound},
			"a_very_long_password": {account.NewUser{Email: "c@example.org", Password: strings.Repeat("x", 257),
				WorkspaceID: workspace}, errs.ValidationFailed},
			"no_email": {account.NewUser{WorkspaceID: workspace}, errs.ValidationFailed},
		} {
			t.Run(name, func(t *testing.T) {
				c.in.Role = model.RoleMember
				_, err := s.AddUser(t.Context(), c.in)
				wantCode(t, err, c.code)
			})
		}
		members, err := s.Members(t.Context(), workspace)
		if err != nil || len(members) != 1 || members[0].User.Email != "ines@example.org" {
			t.Errorf("members are %+v, %v", members, err)
		}
	})
}

func TestRevokeKey_bySession(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		user := s.addMember(t, "ines@example.org", model.RoleOwner)
		ctx := principal.With(t.Context(), principal.Principal{
			WorkspaceID: s.first.Key.WorkspaceID, UserID: user.ID, Scopes: model.RoleOwner.Scopes(),
		})
		if _, err := s.RevokeKey(ctx, s.first.Key.ID); err != nil {
			t.Errorf("a session cannot revoke the last key: %v", err)
		}
	})
}

func TestAuditLog(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		workspace := s.first.Key.WorkspaceID
		user := s.addMember(t, "ines@example.org", model.RoleOwner)
		session, err := s.SignIn(t.Context(), "ines@example.org", password, account.SignInOrigin{})
		if err != nil {
			t.Fatal(err)
		}
		made, err := s.MintKey(s.ctx, api.MintKeyInput{Name: "second"})
		if err != nil {
			t.Fatal(err)
		}
		bySession := principal.With(t.Context(), principal.Principal{WorkspaceID: workspace, UserID: user.ID,
			Scopes: allScopes})
		fresh, err := s.RotateKey(bySession, rotateInput(made.Key.ID, 60))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second call changes nothing and is not logged
			if _, err := s.RevokeKey(bySession, fresh.Key.ID); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := s.SetPlan(t.Context(), workspace, model.PlanTeam); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.SignOut(t.Context(), session.Token); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"user session.ended", "operator plan.changed", "user key.revoked", "user key.rotated", "key key.minted",
			"user session.created", "operator member.added", "operator key.minted",
		}
		lines, text := readLog(t, s)
		if strings.Join(lines, ", ") != strings.Join(want, ", ") {
			t.Errorf("the log is %v, want %v", lines, want)
		}
		for _, secret := range []string{s.secret, made.Secret, fresh.Secret, session.Token, password} {
			if strings.Contains(text, secret) || strings.Contains(text, secret[4:14]) {
				t.Errorf("the log contains a secret: %s", text)
			}
		}
		t.Run("a workspace reads only its own log", func(t *testing.T) {
			other := setup(t, db)
			lines, _ := readLog(t, other)
			if len(lines) != 1 {
				t.Errorf("another workspace reads %v", lines)
			}
		})
		t.Run("failed calls are not logged", func(t *testing.T) {
			_, err := s.RotateKey(bySession, rotateInput(fresh.Key.ID, 0))
			wantCode(t, err, errs.InvalidState)
			if lines, _ := readLog(t, s); len(lines) != len(want) {
				t.Errorf("the log is %v", lines)
			}
		})
	})
}

// readLog reads the audit log by cursor, three entries per page.
func readLog(t *testing.T, s *testBundle) (lines []string, text string) {
	t.Helper()
	three := 3
	args := model.PageArgs{First: &three}
	for {
		page, err := s.AuditLog(s.ctx, args)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Nodes {
			lines = append(lines, string(e.ActorKind)+" "+e.Action)
			text += e.SubjectID + string(e.Details)
		}
		if !page.Behind {
			if n, err := page.TotalCount(t.Context()); err != nil || n != len(lines) {
				t.Errorf("the total is %d, %v", n, err)
			}
			return lines, text
		}
		args.After = page.PageInfo().EndCursor
	}
}
