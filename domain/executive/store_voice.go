package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// selectVoices reads voices with what their personas say of them.
func (s *Service) selectVoices(workspaceID string) *bun.SelectQuery {
	return s.DB.NewSelect().TableExpr("executive_voice AS v").Join("JOIN persona AS p ON p.id = v.persona_id").
		ColumnExpr("v.executive, v.persona_id, p.include_in_voice_list AS enabled, p.default_voice_profile_id IS NOT NULL AS tuned").
		Where("v.workspace_id = ?", workspaceID).OrderExpr("v.executive")
}

func (s *Service) voices(ctx context.Context, workspaceID string) ([]*model.ExecutiveVoice, error) {
	rows := []*model.ExecutiveVoice{}
	err := s.selectVoices(workspaceID).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// voiceOf is an executive's voice; nil when there is none.
func (s *Service) voiceOf(ctx context.Context, workspaceID, name string) (*model.ExecutiveVoice, error) {
	row := new(model.ExecutiveVoice)
	err := s.selectVoices(workspaceID).Where("v.executive = ?", name).Scan(ctx, row)
	return dbx.OrNone(row, err)
}

// linkOf finds a voice by the column; nil when there is none.
func (s *Service) linkOf(ctx context.Context, db bun.IDB, workspaceID, column, value string) (*model.VoiceLink, error) {
	row := new(model.VoiceLink)
	err := db.NewSelect().Model(row).Where("workspace_id = ? AND ? = ?", workspaceID, bun.Ident(column), value).Scan(ctx)
	return dbx.OrNone(row, err)
}

func insertLink(ctx context.Context, tx dbx.Tx, row *model.VoiceLink) error {
	_, err := tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// lockWorkspace makes what changes a workspace's voices wait for each other.
func (s *Service) lockWorkspace(ctx context.Context, tx dbx.Tx, id string) error {
	var found string
	lock := s.DB.Locked(tx.NewSelect().Model((*model.Workspace)(nil)).Column("id").Where("id = ?", id))
	return dbx.Err(lock.Scan(ctx, &found))
}

// mostSamples is how many documents a voice is offered as writing samples.
const mostSamples = 5

// samples lists the latest documents of an executive that have a text, and the company that the latest of them is attributed to.
func (s *Service) samples(ctx context.Context, workspaceID, name string) (ids []string, company string, err error) {
	var rows []*model.Document
	err = s.DB.NewSelect().Model(&rows).Column("id", "company").
		Where("workspace_id = ? AND executive = ? AND character_count > 0 AND processing_status IS NULL", workspaceID, name).
		OrderExpr(dated + " DESC, id DESC").Limit(mostSamples).Scan(ctx)
	for _, row := range rows {
		ids = append(ids, row.ID)
		if company == "" {
			company = model.ValueOr(row.Company, "")
		}
	}
	return ids, company, dbx.Err(err)
}

func (s *Service) attempt(ctx context.Context, db bun.IDB, workspaceID string) (*model.AutoVoiceAttempt, error) {
	row := new(model.AutoVoiceAttempt)
	err := db.NewSelect().Model(row).Where("workspace_id = ?", workspaceID).Scan(ctx)
	return dbx.OrNone(row, err)
}

// keepAttempt writes what came of looking for the chief executive, once a name was found for good.
func keepAttempt(ctx context.Context, tx dbx.Tx, row *model.AutoVoiceAttempt) error {
	_, err := tx.NewInsert().Model(row).On("CONFLICT (workspace_id) DO UPDATE").
		Set("executive = EXCLUDED.executive, persona_id = EXCLUDED.persona_id, attempted_at = EXCLUDED.attempted_at").Exec(ctx)
	return dbx.Err(err)
}

// ownCompany is the company that most of the workspace's owned documents are attributed to; empty when there is none.
func (s *Service) ownCompany(ctx context.Context, workspaceID string) (string, error) {
	var name string
	err := s.owned(workspaceID).ColumnExpr("company").Where("company IS NOT NULL AND company <> ''").
		Group("company").OrderExpr("count(*) DESC, max(created_at) DESC, company").Limit(1).Scan(ctx, &name)
	if err = dbx.Err(err); errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return name, err
}

// owned are a workspace's own communications that are done.
func (s *Service) owned(workspaceID string) *bun.SelectQuery {
	return s.DB.NewSelect().Table("document").
		Where("workspace_id = ? AND media_provenance = ? AND processing_status IS NULL", workspaceID, model.MediaProvenanceOwned)
}

// telling reads the latest owned documents that are attributed to an executive of the company.
func (s *Service) telling(ctx context.Context, workspaceID, company string, most int) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := s.owned(workspaceID).Column("id", "title", "content", "executive").
		Where("company = ? AND executive IS NOT NULL AND executive <> ''", company).
		OrderExpr("created_at DESC, id DESC").Limit(int64(most)).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}
