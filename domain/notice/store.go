package notice

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// find returns the stored settings of a user in a workspace; nil if there are none.
func (s *Service) find(ctx context.Context, db dbx.Reader, workspaceID, userID string) (*model.MailSettings, error) {
	settings := new(model.MailSettings)
	return dbx.NilIfNotFound(settings, db.NewSelect().Model(settings).
		Where("workspace_id = ? AND user_id = ?", workspaceID, userID).Scan(ctx))
}

// lock locks the settings of a user, which begin as given, and returns them.
func (s *Service) lock(ctx context.Context, tx dbx.Tx, first *model.MailSettings) (*model.MailSettings, error) {
	_, err := tx.NewInsert().Model(first).On("CONFLICT (workspace_id, user_id) DO NOTHING").Exec(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	return s.lockStored(ctx, tx, first)
}

// lockStored locks settings that were read before, and returns them as they are now.
func (s *Service) lockStored(ctx context.Context, tx dbx.Tx, read *model.MailSettings) (*model.MailSettings, error) {
	settings := new(model.MailSettings)
	err := s.DB.ForUpdate(tx.NewSelect().Model(settings).
		Where("workspace_id = ? AND user_id = ?", read.WorkspaceID, read.UserID)).Scan(ctx)
	return settings, dbx.Err(err)
}

func save(ctx context.Context, tx dbx.Tx, settings *model.MailSettings) error {
	_, err := tx.NewUpdate().Model(settings).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// alertable returns the settings with alerts whose last one is long enough ago.
func (s *Service) alertable(ctx context.Context, now time.Time) ([]*model.MailSettings, error) {
	var rows []*model.MailSettings
	err := s.DB.NewSelect().Model(&rows).Where("alerts IS NOT NULL AND (alerted_at IS NULL OR alerted_at <= ?)",
		now.Add(-alertInterval)).Order("workspace_id", "user_id").Scan(ctx)
	return rows, dbx.Err(err)
}

// briefable returns the settings whose briefing is due.
func (s *Service) briefable(ctx context.Context, now time.Time) ([]*model.MailSettings, error) {
	var rows []*model.MailSettings
	err := s.DB.NewSelect().Model(&rows).Where("briefing_at <= ?", now).Order("workspace_id", "user_id").Scan(ctx)
	return rows, dbx.Err(err)
}
