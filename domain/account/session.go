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
	// sessionUser and sessionStart are the keys of a session's values: the user's id, and the start
	// in microseconds since 1970.
	sessionUser  = "user"
	sessionStart = "start"
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

// SignInOrigin describes the browser that signs in.
type SignInOrigin struct {
	Address string // the client address, the same for all addresses of a subscriber; empty if unknown
	Token   string // of the existing session, which ends; may be empty
}

// SignIn opens a session for an email and password. Call CountAttempt first. It returns the same
// errs.Unauthenticated for a wrong email and a wrong password. It returns errs.RateLimited after
// too many attempts for the email (see takePasswordAttempt), and errs.Unavailable without Redis.
func (s *Service) SignIn(ctx context.Context, email, password string, v SignInOrigin) (*model.Session, error) {
	email = normalizeEmail(email)
	if err := s.takePasswordAttempt(ctx, email, v.Address); err != nil {
		return nil, err
	}
	user, err := withDeadline(ctx, s.credentialTime,
		func(ctx context.Context) (*model.User, error) { return s.userByEmail(ctx, s.db, email) })
	if errs.Is(err, errs.NotFound) {
		user, err = new(model.User), nil
	}
	if err != nil {
		return nil, err
	}
	same, err := matchPassword(ctx, password, user.PasswordHash)
	if err != nil {
		return nil, err
	}
	if !same {
		s.auditRefusal(ctx, user)
		return nil, errWrongPassword
	}
	s.resetAttempts(ctx, email, v.Address)
	return s.openSession(ctx, user, "password", v.Token)
}

// auditRefusal records a wrong password in the audit logs of the user's workspaces; an unknown user
// has none. The limit of attempts also limits the entries. It only logs an error, because the
// sign-in fails anyway.
func (s *Service) auditRefusal(ctx context.Context, user *model.User) {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		entry := auditRecord{Action: "session.refused", Subject: user.ID, Details: map[string]any{"method": "password"}}
		return s.auditAllWorkspaces(ctx, tx, user.ID, entry)
	})
	if err != nil {
		slog.WarnContext(ctx, "a failed sign-in is not in the audit log", "user", user.ID, "error", err)
	}
}

// openSession ends the browser's previous session and starts one with a new token, so that a token
// known before the sign-in is worthless. Without an audit entry there is no session.
func (s *Service) openSession(ctx context.Context, user *model.User, method, previous string) (*model.Session, error) {
	if err := s.SignOut(ctx, previous); err != nil {
		return nil, err
	}
	session := &model.Session{User: user}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		entry := auditRecord{Action: "session.created", Subject: user.ID, Details: map[string]any{"method": method}}
		if err := s.auditAllWorkspaces(ctx, tx, user.ID, entry); err != nil {
			return err
		}
		ctx, cancel := s.limitSession(withSessionTx(ctx, tx))
		defer cancel()
		fresh, err := s.sessions.Load(ctx, "")
		if err != nil {
			return noSessions(err)
		}
		s.sessions.Put(fresh, sessionUser, user.ID)
		s.sessions.Put(fresh, sessionStart, model.Now().UnixMicro())
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

// SignOut ends a session in every process; an unknown token does nothing. It returns
// errs.Unavailable without Redis.
func (s *Service) SignOut(ctx context.Context, token string) error {
	userID, err := s.signedIn(ctx, token)
	if err != nil || userID == "" {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.auditAllWorkspaces(ctx, tx, userID,
			auditRecord{Action: "session.ended", Subject: userID}); err != nil {
			return err
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

// signedIn returns the id of the session's user, empty without a session.
func (s *Service) signedIn(ctx context.Context, token string) (string, error) {
	userID, _, err := s.loadSession(ctx, token)
	return userID, err
}

// loadSession returns the user's id and the start of a session; both are zero without a session.
func (s *Service) loadSession(ctx context.Context, token string) (userID string, start time.Time, err error) {
	if token == "" {
		return "", start, nil
	}
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	found, err := s.sessions.Load(ctx, token)
	if err != nil {
		return "", start, noSessions(err)
	}
	return s.sessions.GetString(found, sessionUser), time.UnixMicro(s.sessions.GetInt64(found, sessionStart)), nil
}

// currentUser returns the id of a session's user. It returns errs.Unauthenticated if the session or
// user does not exist, or the user's sessions were ended.
func (s *Service) currentUser(ctx context.Context, token string) (string, error) {
	userID, start, err := s.loadSession(ctx, token)
	if err != nil {
		return "", err
	}
	if userID == "" {
		return "", errSignedOut
	}
	ended, err := withDeadline(ctx, s.credentialTime,
		func(ctx context.Context) (bool, error) { return s.sessionsEnded(ctx, userID, start) })
	if err == nil && ended {
		err = errSignedOut
	}
	return userID, err
}

// errSignedOut is returned for an ended or unknown session.
var errSignedOut = errs.New(errs.Unauthenticated, "nobody is signed in; sign in, or send a workspace key in the header X-API-Key")

// AuthenticateSession returns the principal of a session's user in the named workspace, or in the
// first joined one. It returns errs.Unauthenticated for an ended session, errs.WorkspaceMismatch if
// the user is not a member, and errs.Unavailable without Redis.
func (s *Service) AuthenticateSession(ctx context.Context, token, workspaceID string) (principal.Principal, error) {
	userID, err := s.currentUser(ctx, token)
	if err != nil {
		return principal.Principal{}, err
	}
	m, err := withDeadline(ctx, s.credentialTime, func(ctx context.Context) (*model.Membership, error) {
		return s.findMembership(ctx, userID, strings.ToValidUTF8(workspaceID, "\ufffd"))
	})
	if errs.Is(err, errs.NotFound) {
		return principal.Principal{}, errs.New(errs.WorkspaceMismatch,
			"the signed-in user is not a member of this workspace")
	}
	if err != nil {
		return principal.Principal{}, err
	}
	return principal.Principal{WorkspaceID: m.WorkspaceID, UserID: userID, Scopes: m.Role.Scopes()}, nil
}

// OwnWorkspaces returns the user's workspaces in joining order, each with its live keys. It returns
// errs.Unauthenticated for an ended session.
func (s *Service) OwnWorkspaces(ctx context.Context, token string) ([]*model.OwnWorkspace, error) {
	userID, err := s.currentUser(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.workspacesOf(ctx, userID)
}
