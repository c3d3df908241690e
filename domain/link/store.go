package link

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// keyRow is the secret that viewer sessions are signed with, which all processes share; there is one.
type keyRow struct {
	bun.BaseModel `bun:"table:link_key"`

	ID     int    `bun:"id,pk"`
	Secret []byte `bun:"secret"`
}

// loadKey reads the secret, after the first process of all has made it.
func loadKey(ctx context.Context, db *dbx.DB) ([]byte, error) {
	row := &keyRow{ID: 1, Secret: make([]byte, 32)}
	_, _ = rand.Read(row.Secret) // never fails
	if _, err := db.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	err := db.NewSelect().Model(row).WherePK().Scan(ctx)
	return row.Secret, dbx.Err(err)
}

// removedSlug remembers whose a removed link's slug was, so that nobody else gets who still follows it.
type removedSlug struct {
	bun.BaseModel `bun:"table:link_removed"`

	Slug        string    `bun:"slug,pk"` // in lower case
	WorkspaceID string    `bun:"workspace_id"`
	RemovedAt   time.Time `bun:"removed_at"`
}

// insert stores a link with its variants and takes its slug; it fails with conflict when that belongs to another.
func insert(ctx context.Context, tx dbx.Tx, link *model.Link, variants []*model.LinkVariant) error {
	if _, err := tx.NewInsert().Model(link).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	var owner []string
	err := tx.NewSelect().Model((*removedSlug)(nil)).Column("workspace_id").Where("slug = lower(?)", link.Slug).Scan(ctx, &owner)
	switch {
	case err != nil:
		return dbx.Err(err)
	case len(owner) > 0 && owner[0] != link.WorkspaceID:
		return errs.New(errs.Conflict, "the slug %s is taken", link.Slug)
	case len(owner) > 0:
		if _, err := tx.NewDelete().Model((*removedSlug)(nil)).Where("slug = lower(?)", link.Slug).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	return insertVariants(ctx, tx, variants)
}

func insertVariants(ctx context.Context, tx dbx.Tx, variants []*model.LinkVariant) error {
	if len(variants) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&variants).Exec(ctx)
	return dbx.Err(err)
}

// replaceVariants writes the wanted sides over the stored ones; figures that viewers change meanwhile are left alone.
func replaceVariants(ctx context.Context, tx dbx.Tx, link *model.Link, stored, wanted []*model.LinkVariant) error {
	gone := map[string]bool{}
	for _, v := range stored {
		gone[v.ID] = true
	}
	var fresh []*model.LinkVariant
	for _, v := range wanted {
		if !gone[v.ID] {
			fresh = append(fresh, v)
			continue
		}
		delete(gone, v.ID)
		_, err := tx.NewUpdate().Model(v).Column("position", "weight").Where("workspace_id = ? AND id = ?", link.WorkspaceID, v.ID).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	if len(gone) > 0 {
		_, err := tx.NewDelete().Model((*model.LinkVariant)(nil)).
			Where("workspace_id = ? AND id IN ?", link.WorkspaceID, bun.Tuple(slices.Collect(maps.Keys(gone)))).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	return insertVariants(ctx, tx, fresh)
}

func (s *Service) byID(ctx context.Context, workspaceID, id string, columns []string) (*model.Link, error) {
	q := s.db.NewSelect().Model((*model.Link)(nil)).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return dbx.ReadOne[model.Link](ctx, s.db, q)
}

func (s *Service) forUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Link, error) {
	link := new(model.Link)
	q := tx.NewSelect().Model(link).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return link, dbx.Err(s.db.Locked(q).Scan(ctx))
}

// save writes what a patch can change.
func save(ctx context.Context, tx dbx.Tx, link *model.Link) error {
	_, err := tx.NewUpdate().Model(link).Column("title", "destination_url", "body", "form", "is_active", "updated_at").
		Where("workspace_id = ? AND id = ?", link.WorkspaceID, link.ID).Exec(ctx)
	return dbx.Err(err)
}

// remove deletes a link that is locked, and remembers whose its slug was. Its variants, conversions and submissions go with it.
func remove(ctx context.Context, tx dbx.Tx, link *model.Link) error {
	if _, err := tx.NewDelete().Model((*model.LinkSession)(nil)).Where("link_id = ?", link.ID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	_, err := tx.NewDelete().Model((*model.Link)(nil)).Where("workspace_id = ? AND id = ?", link.WorkspaceID, link.ID).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	row := &removedSlug{Slug: foldSlug(link.Slug), WorkspaceID: link.WorkspaceID, RemovedAt: model.Now()}
	_, err = tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// variantsOf reads the sides of the links' split tests in their order.
func variantsOf(ctx context.Context, db bun.IDB, workspaceID string, linkIDs []string) ([]*model.LinkVariant, error) {
	rows := []*model.LinkVariant{}
	if len(linkIDs) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND link_id IN ?", workspaceID, bun.Tuple(linkIDs)).
		Order("position", "id").Scan(ctx)
	return rows, dbx.Err(err)
}
