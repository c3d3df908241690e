package account

import (
	"context"
	"fmt"
	"time"

	"github.com/alexedwards/scs/goredisstore"
	"github.com/alexedwards/scs/v2"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

const (
	// sessionLife is how long a session lasts from the sign-in on, however much it is used.
	sessionLife = 7 * 24 * time.Hour
	// sessionTime bounds what Redis may take to say whose session it is.
	sessionTime = 2 * time.Second
	// sessionUser is the session's one value.
	sessionUser = "user"
)

// newSessions keeps sessions in Redis under the hashes of their tokens, so that a sign-out holds on every process at once.
func newSessions(l *live.Live) *scs.SessionManager {
	sessions := scs.New()
	sessions.Store = goredisstore.NewWithPrefix(l.Client(), l.Key("session:"))
	sessions.Lifetime = sessionLife
	sessions.HashTokenInStore = true
	return sessions
}

func noSessions(cause error) error {
	return errs.Wrap(cause, errs.Unavailable, "sessions cannot be read at present; a key still works")
}

// errWrong is all that a failed sign-in says, whatever was wrong.
var errWrong = errs.New(errs.Unauthenticated, "the email or the password is wrong")

// Visit is what a browser brings along when it signs in.
type Visit struct {
	Address string // where it comes from, one word for all addresses of one subscriber; empty when it is not known
	Token   string // of the session that it has already, which ends; empty without one
}

// SignIn opens a session for the user with the email and the password. A wrong email and a wrong password fail alike, with
// unauthenticated; too many attempts fail with rate_limited, and a Redis that does not answer with unavailable.
func (s *Service) SignIn(ctx context.Context, email, password string, v Visit) (*model.Session, error) {
	email = normal(email)
	if err := s.attempt(ctx, email, v.Address); err != nil {
		return nil, err
	}
	user, err := s.userByEmail(ctx, s.db, email)
	if errs.Is(err, errs.NotFound) {
		user, err = new(model.User), nil
	}
	if err != nil {
		return nil, err
	}
	same, err := matches(ctx, password, user.PasswordHash)
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, errWrong
	}
	s.forgive(ctx, email)
	return s.open(ctx, user, "password", v.Token)
}

// open ends the session that the browser had and begins another under a token of its own, so that a token known beforehand is
// worth nothing afterwards. The audit log has it or there is no session.
func (s *Service) open(ctx context.Context, user *model.User, method, previous string) (*model.Session, error) {
	if err := s.SignOut(ctx, previous); err != nil {
		return nil, err
	}
	session := &model.Session{User: user}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		entry := noted{Action: "session.created", Subject: user.ID, Details: map[string]any{"method": method}}
		if err := s.noteEverywhere(ctx, tx, user.ID, entry); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, sessionTime)
		defer cancel()
		fresh, err := s.sessions.Load(ctx, "")
		if err != nil {
			return noSessions(err)
		}
		s.sessions.Put(fresh, sessionUser, user.ID)
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

// SignOut ends a session on every process; a token of no session changes nothing.
func (s *Service) SignOut(ctx context.Context, token string) error {
	userID, err := s.signedIn(ctx, token)
	if err != nil || userID == "" {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.noteEverywhere(ctx, tx, userID, noted{Action: "session.ended", Subject: userID}); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, sessionTime)
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

// signedIn is the id of the session's user; empty when there is no such session.
func (s *Service) signedIn(ctx context.Context, token string) (string, error) {
	if token == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	found, err := s.sessions.Load(ctx, token)
	if err != nil {
		return "", noSessions(err)
	}
	return s.sessions.GetString(found, sessionUser), nil
}

// errSignedOut is what a session that is over says, or one that never was.
var errSignedOut = errs.New(errs.Unauthenticated, "nobody is signed in; sign in, or send a workspace key in the header X-API-Key")

// AuthenticateSession tells who a session's user is in a workspace: the named one, or else the one that they joined first. It fails
// with unauthenticated for a session that is over, with workspace_mismatch for a workspace that the user is not a member of, and
// with unavailable while Redis does not answer.
func (s *Service) AuthenticateSession(ctx context.Context, token, workspaceID string) (model.Principal, error) {
	userID, err := s.signedIn(ctx, token)
	if err != nil {
		return model.Principal{}, err
	}
	if userID == "" {
		return model.Principal{}, errSignedOut
	}
	m, err := s.membership(ctx, userID, workspaceID)
	if errs.Is(err, errs.NotFound) {
		return model.Principal{}, errs.New(errs.WorkspaceMismatch, "the signed-in user is not a member of this workspace")
	}
	if err != nil {
		return model.Principal{}, err
	}
	return model.Principal{WorkspaceID: m.WorkspaceID, UserID: userID, Scopes: m.Role.Scopes()}, nil
}

// OwnWorkspaces lists the workspaces of the session's user in the order in which they were joined, each with its live keys. It
// fails with unauthenticated for a session that is over.
func (s *Service) OwnWorkspaces(ctx context.Context, token string) ([]*model.OwnWorkspace, error) {
	userID, err := s.signedIn(ctx, token)
	if err != nil {
		return nil, err
	}
	if userID == "" {
		return nil, errSignedOut
	}
	return s.workspacesOf(ctx, userID)
}
