package account

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/goredisstore"
	"github.com/alexedwards/scs/v2"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/principal"
)

const (
	// sessionLife is the lifetime of a session from sign-in, regardless of use.
	sessionLife = 7 * 24 * time.Hour
	// sessionTime limits the use of Redis for a session or an attempt. Requests must not wait for
	// an outage.
	sessionTime = 2 * time.Second
	// embeddedTime is sessionTime for the embedded Redis, which is slow on a busy machine only.
	embeddedTime = 30 * time.Second
	// sessionUser, sessionStart and sessionSignIn are the keys of a session's values: the user's
	// id, the start in microseconds since 1970 for gateways of earlier revisions, and the id of the
	// model.SignIn.
	sessionUser   = "user"
	sessionStart  = "start"
	sessionSignIn = "sign_in"
	// maxAgent is how many bytes of a browser's name are stored.
	maxAgent = 300
)

// defaultSessions returns the library's default manager. A process has one, because its unused
// memory store has a goroutine that cannot be stopped safely.
var defaultSessions = sync.OnceValue(scs.New)

// newSessions stores sessions in Redis under hashed tokens, so that a sign-out reaches every
// process. The embedded Redis loses them at a restart, so with it they are stored in the database.
func newSessions(db *dbx.DB, l *live.Live) *scs.SessionManager {
	sessions := new(scs.SessionManager)
	*sessions = *defaultSessions()
	sessions.Store = goredisstore.NewWithPrefix(l.Client(), l.Key("session:"))
	if l.Embedded() {
		sessions.Store = sessionStore{db}
	}
	sessions.Lifetime = sessionLife
	sessions.HashTokenInStore = true
	return sessions
}

// limitSession returns a context for the use of Redis for a session or an attempt.
func (s *Service) limitSession(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.live.Embedded() {
		return context.WithTimeout(ctx, embeddedTime)
	}
	return context.WithTimeout(ctx, sessionTime)
}

func noSessions(cause error) error {
	return errs.Wrap(cause, errs.Unavailable, "sessions cannot be read at present; a key still works")
}

// errWrongPassword is returned for every failed sign-in, for unknown emails too.
var errWrongPassword = errs.New(errs.Unauthenticated, "the email or the password is wrong")

// SignInOrigin describes the browser that signs in, and its second factor.
type SignInOrigin struct {
	Address string // the client address, the same for all addresses of a subscriber; empty if unknown
	Token   string // of the existing session, which ends; may be empty
	Agent   string // the browser's header User-Agent
	Code    string // of the authenticator app, or a recovery code; may be empty
}

// SignIn opens a session for an email and password. Call CountAttempt first. It returns the same
// errs.Unauthenticated for a wrong email and a wrong password, and for the right one of a user with a
// second factor checkCode's errors. It returns errs.RateLimited after too many attempts for the email
// (see takePasswordAttempt), and errs.Unavailable without Redis.
func (s *Service) SignIn(ctx context.Context, email, password string, v SignInOrigin) (*model.Session, error) {
	email = normalizeEmail(email)
	user, err := withDeadline(ctx, s.credentialTime,
		func(ctx context.Context) (*model.User, error) { return s.userByEmail(ctx, s.db, email) })
	if errs.Is(err, errs.NotFound) {
		user, err = new(model.User), nil
	}
	if err != nil {
		return nil, err
	}
	user.Email = email
	if err := s.checkPasswordOf(ctx, user, password, v.Address); err != nil {
		return nil, err
	}
	if err := s.checkCode(ctx, user, v.Code); err != nil {
		return nil, err
	}
	return s.openSession(ctx, user, "password", v)
}

// auditRefusal records a wrong password or code in the audit logs of the user's workspaces; an unknown user
// has none. The limit of attempts also limits the entries. It only logs an error, because the
// sign-in fails anyway.
func (s *Service) auditRefusal(ctx context.Context, user *model.User, method string) {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		entry := auditRecord{Action: "session.refused", Subject: user.ID, Details: map[string]any{"method": method}}
		return s.auditAllWorkspaces(ctx, tx, user.ID, entry)
	})
	if err != nil {
		slog.WarnContext(ctx, "a failed sign-in is not in the audit log", "user", user.ID, "error", err)
	}
}

// openSession ends the browser's previous session and starts one with a new token, so that a token
// known before the sign-in is worthless. Without an audit entry there is no session.
func (s *Service) openSession(ctx context.Context, user *model.User, method string, v SignInOrigin) (*model.Session,
	error) {
	if err := s.SignOut(ctx, v.Token); err != nil {
		return nil, err
	}
	session, now := &model.Session{User: user}, model.Now()
	signIn := &model.SignIn{ID: model.NewID(model.SignInPrefix), UserID: user.ID, Agent: shortAgent(v.Agent),
		CreatedAt: now, LastSeenAt: now, ExpiresAt: now.Add(sessionLife)}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		entry := auditRecord{Action: "session.created", Subject: user.ID, Details: map[string]any{"method": method}}
		if err := s.auditAllWorkspaces(ctx, tx, user.ID, entry); err != nil {
			return err
		}
		if err := insertRow(ctx, tx, signIn); err != nil {
			return err
		}
		ctx, cancel := s.limitSession(withSessionTx(ctx, tx))
		defer cancel()
		fresh, err := s.sessions.Load(ctx, "")
		if err != nil {
			return noSessions(err)
		}
		s.sessions.Put(fresh, sessionUser, user.ID)
		s.sessions.Put(fresh, sessionStart, now.UnixMicro())
		s.sessions.Put(fresh, sessionSignIn, signIn.ID)
		if session.Token, session.ExpiresAt, err = s.sessions.Commit(fresh); err != nil {
			return noSessions(err)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	return session, nil
}

// shortAgent returns the start of a browser's name that a database can store.
func shortAgent(agent string) string {
	agent = strings.ReplaceAll(agent, "\x00", "")
	return strings.ToValidUTF8(agent[:min(len(agent), maxAgent)], "")
}

// SignOut ends a session in every process; an unknown token does nothing. It returns
// errs.Unavailable without Redis.
func (s *Service) SignOut(ctx context.Context, token string) error {
	open, err := s.loadSession(ctx, token)
	if err != nil || open.UserID == "" {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.auditAllWorkspaces(ctx, tx, open.UserID,
			auditRecord{Action: "session.ended", Subject: open.UserID}); err != nil {
			return err
		}
		if _, err := tx.NewDelete().Model((*model.SignIn)(nil)).Where("id = ?", open.ID).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		ctx, cancel := s.limitSession(withSessionTx(ctx, tx))
		defer cancel()
		ended, err := s.sessions.Load(ctx, token)
		if err != nil {
			return noSessions(err)
		}
		if err := s.sessions.Destroy(ended); err != nil {
			return noSessions(err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// storedSignIn is what a token leads to.
type storedSignIn struct {
	ID     string // of the model.SignIn
	UserID string
}

// loadSession returns the session of a token; a zero one without a session.
func (s *Service) loadSession(ctx context.Context, token string) (open storedSignIn, err error) {
	if token == "" {
		return open, nil
	}
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	found, err := s.sessions.Load(ctx, token)
	if err != nil {
		return open, noSessions(err)
	}
	return storedSignIn{s.sessions.GetString(found, sessionSignIn), s.sessions.GetString(found, sessionUser)}, nil
}

// currentUser returns the session of a token. It returns errs.Unauthenticated if the session or
// user does not exist, or the session was ended.
func (s *Service) currentUser(ctx context.Context, token string) (storedSignIn, error) {
	open, err := s.loadSession(ctx, token)
	if err != nil {
		return open, err
	}
	if open.UserID == "" {
		return open, errSignedOut
	}
	exists, err := withDeadline(ctx, s.credentialTime,
		func(ctx context.Context) (bool, error) { return s.sessionExists(ctx, open) })
	if err == nil && !exists {
		err = errSignedOut
	}
	return open, err
}

// errSignedOut is returned for an ended or unknown session.
var errSignedOut = errs.New(errs.Unauthenticated, "nobody is signed in; sign in, or send a workspace key in the header X-API-Key")

// AuthenticateSession returns the principal of a session's user in the named workspace, or in the
// first joined one. It returns errs.Unauthenticated for an ended session, errs.WorkspaceMismatch if
// the user is not a member, and errs.Unavailable without Redis.
func (s *Service) AuthenticateSession(ctx context.Context, token, workspaceID string) (principal.Principal, error) {
	open, err := s.currentUser(ctx, token)
	if err != nil {
		return principal.Principal{}, err
	}
	m, err := withDeadline(ctx, s.credentialTime, func(ctx context.Context) (*model.Membership, error) {
		return s.findMembership(ctx, open.UserID, strings.ToValidUTF8(workspaceID, "\ufffd"))
	})
	if errs.Is(err, errs.NotFound) {
		return principal.Principal{}, errs.New(errs.WorkspaceMismatch,
			"the signed-in user is not a member of this workspace")
	}
	if err != nil {
		return principal.Principal{}, err
	}
	role := m.Role.Current()
	s.recordSeen(seenMember{session: open.ID, member: m.ID})
	return principal.Principal{WorkspaceID: m.WorkspaceID, UserID: open.UserID, SessionID: open.ID, Role: role,
		Scopes: role.Scopes()}, nil
}

// OwnWorkspaces returns the user's workspaces in joining order, each with its live keys. It returns
// errs.Unauthenticated for an ended session.
func (s *Service) OwnWorkspaces(ctx context.Context, token string) ([]*model.OwnWorkspace, error) {
	open, err := s.currentUser(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.workspacesOf(ctx, open.UserID)
}
