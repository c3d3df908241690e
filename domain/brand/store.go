package brand

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// logoRow has the bytes of a logo.
type logoRow struct {
	bun.BaseModel `bun:"table:brand_logo"`

	ID          string `bun:"id,pk"`
	WorkspaceID string `bun:"workspace_id"`
	Content     []byte `bun:"content"`
}

// Get returns the brand of the caller's workspace; it is empty if nothing was set.
func (s *Service) Get(ctx context.Context) (*model.Brand, error) {
	return findBrand(ctx, s.DB, principal.Must(ctx).WorkspaceID)
}

// OfWorkspace returns the brand of a workspace; it is empty if nothing was set.
func (s *Service) OfWorkspace(ctx context.Context, workspaceID string) (*model.Brand, error) {
	return findBrand(ctx, s.DB, workspaceID)
}

// OfNewsroom returns the brand whose newsroom has the slug, or errs.NotFound.
func (s *Service) OfNewsroom(ctx context.Context, slug string) (*model.Brand, error) {
	b := new(model.Brand)
	err := s.DB.NewSelect().Model(b).Where("lower(newsroom_slug) = lower(?)", slug).Scan(ctx)
	return b, dbx.Err(err)
}

// StoredBytes returns how many bytes the logo of a workspace has.
func (s *Service) StoredBytes(ctx context.Context, workspaceID string) (int64, error) {
	b, err := findBrand(ctx, s.DB, workspaceID)
	if err != nil || b.Logo == nil {
		return 0, err
	}
	return int64(b.Logo.Size), nil
}

func findBrand(ctx context.Context, db dbx.Reader, workspaceID string) (*model.Brand, error) {
	b := new(model.Brand)
	err := dbx.Err(db.NewSelect().Model(b).Where("workspace_id = ?", workspaceID).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return &model.Brand{WorkspaceID: workspaceID}, nil
	}
	return b, err
}

// saveBrand stores a brand of a locked workspace, with its new logo if there is one, and deletes the
// former logo.
func saveBrand(ctx context.Context, tx dbx.Tx, b *model.Brand, logo *storedLogo) error {
	_, err := tx.NewInsert().Model(b).On("CONFLICT (workspace_id) DO UPDATE").
		Set("name = EXCLUDED.name, accent_color = EXCLUDED.accent_color, logo = EXCLUDED.logo").
		Set("imprint = EXCLUDED.imprint, imprint_url = EXCLUDED.imprint_url, privacy_url = EXCLUDED.privacy_url").
		Set("newsroom_slug = EXCLUDED.newsroom_slug, updated_at = EXCLUDED.updated_at").Exec(ctx)
	if err != nil {
		return slugErr(err)
	}
	kept := ""
	if b.Logo != nil {
		kept = b.Logo.ID
	}
	if _, err := tx.NewDelete().Model((*logoRow)(nil)).Where("workspace_id = ? AND id <> ?", b.WorkspaceID, kept).
		Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if logo == nil {
		return nil
	}
	_, err = tx.NewInsert().Model(&logoRow{ID: logo.ID, WorkspaceID: b.WorkspaceID, Content: logo.content}).Exec(ctx)
	return dbx.Err(err)
}

// slugErr names what is in conflict.
func slugErr(err error) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		taken := errs.New(errs.Conflict, "another workspace has a newsroom with this slug")
		taken.Fields = []errs.Field{errs.BodyField("conflict", "is taken", "newsroomSlug")}
		return taken
	}
	return err
}

// readContent returns the bytes of a logo, or errs.NotFound.
func (s *Service) readContent(ctx context.Context, id string) ([]byte, error) {
	row := new(logoRow)
	err := s.DB.NewSelect().Model(row).Column("content").Where("id = ?", id).Scan(ctx)
	return row.Content, dbx.Err(err)
}
