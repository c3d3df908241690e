package account

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// storedSession is a session of a signed-in user. The token is stored as a hash.
type storedSession struct {
	bun.BaseModel `bun:"table:user_session"`

	Token     string    `bun:"token,pk"`
	Data      []byte    `bun:"data"`
	ExpiresAt time.Time `bun:"expires_at"`
}

// sessionStore implements scs.CtxStore in the database, because the embedded Redis loses its data.
type sessionStore struct{ db *dbx.DB }

type sessionTxKey struct{}

// withSessionTx returns a context in which the sessionStore writes in a transaction.
func withSessionTx(ctx context.Context, tx dbx.Tx) context.Context {
	return context.WithValue(ctx, sessionTxKey{}, tx)
}

func (s sessionStore) database(ctx context.Context) dbx.ReadWriter {
	if tx, ok := ctx.Value(sessionTxKey{}).(dbx.Tx); ok {
		return tx
	}
	return s.db
}

// DeleteCtx deletes a session; an unknown token does nothing.
func (s sessionStore) DeleteCtx(ctx context.Context, token string) error {
	_, err := s.database(ctx).NewDelete().Model((*storedSession)(nil)).Where("token = ?", token).Exec(ctx)
	return dbx.Err(err)
}

// FindCtx returns the data of a session, and false if it has expired or is unknown.
func (s sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	row := new(storedSession)
	err := s.database(ctx).NewSelect().Model(row).Where("token = ? AND expires_at > ?", token, model.Now()).Scan(ctx)
	found, err := dbx.NilIfNotFound(row, err)
	if err != nil || found == nil {
		return nil, false, err
	}
	return found.Data, true, nil
}

// CommitCtx stores a session.
func (s sessionStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	row := &storedSession{Token: token, Data: data, ExpiresAt: expiry.UTC()}
	_, err := s.database(ctx).NewInsert().Model(row).On("CONFLICT (token) DO UPDATE").
		Set("data = EXCLUDED.data, expires_at = EXCLUDED.expires_at").Exec(ctx)
	return dbx.Err(err)
}

// Delete is DeleteCtx without a context, which scs.Store requires and the manager does not call.
func (s sessionStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// Find is FindCtx without a context.
func (s sessionStore) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (s sessionStore) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// deleteExpiredSessions deletes the sessions that have expired, of the sessionStore too.
func (s *Service) deleteExpiredSessions(ctx context.Context) error {
	if _, err := s.db.NewDelete().Model((*model.SignIn)(nil)).Where("expires_at <= ?", model.Now()).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	_, err := s.db.NewDelete().Model((*storedSession)(nil)).Where("expires_at <= ?", model.Now()).Exec(ctx)
	return dbx.Err(err)
}
