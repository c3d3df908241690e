package link

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// keyRow is the signing key of viewer sessions, shared by all processes; the table has one row.
type keyRow struct {
	bun.BaseModel `bun:"table:link_key"`

	ID     int    `bun:"id,pk"`
	Secret []byte `bun:"secret"`
}

// loadKey returns the signing key, which the first process creates.
func loadKey(ctx context.Context, db *dbx.DB) ([]byte, error) {
	row := &keyRow{ID: 1, Secret: make([]byte, 32)}
	_, _ = rand.Read(row.Secret) // never fails
	if _, err := db.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	err := db.NewSelect().Model(row).WherePK().Scan(ctx)
	return row.Secret, dbx.Err(err)
}

// removedSlug reserves the slug of a deleted link for its workspace. Otherwise another workspace
// could take it and receive its visitors.
type removedSlug struct {
	bun.BaseModel `bun:"table:link_removed"`

	Slug        string    `bun:"slug,pk"` // in lower case
	WorkspaceID string    `bun:"workspace_id"`
	RemovedAt   time.Time `bun:"removed_at"`
}

// insertLink stores a link with its variants and claims its slug. It returns errs.Conflict if the
// slug belongs to another workspace.
func insertLink(ctx context.Context, tx dbx.Tx, link *model.Link, variants []*model.LinkVariant) error {
	if _, err := tx.NewInsert().Model(link).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	var owner []string
	err := tx.NewSelect().Model((*removedSlug)(nil)).Column("workspace_id").Where("slug = lower(?)", link.Slug).
		Scan(ctx, &owner)
	switch {
	case err != nil:
		return dbx.Err(err)
	case len(owner) > 0 && owner[0] != link.WorkspaceID:
		return slugTaken(link.Slug)
	case len(owner) > 0:
		if _, err := tx.NewDelete().Model((*removedSlug)(nil)).Where("slug = lower(?)", link.Slug).
			Exec(ctx); err != nil {
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

// replaceVariants updates, inserts and deletes variants. It does not write their counts, because
// viewers may change them at the same time.
func replaceVariants(ctx context.Context, tx dbx.Tx, link *model.Link, stored, wanted []*model.LinkVariant) error {
	removed := map[string]bool{}
	for _, v := range stored {
		removed[v.ID] = true
	}
	var added []*model.LinkVariant
	for _, v := range wanted {
		if !removed[v.ID] {
			added = append(added, v)
			continue
		}
		delete(removed, v.ID)
		_, err := tx.NewUpdate().Model(v).Column("position", "destination_url", "weight").
			Where("workspace_id = ? AND id = ?", link.WorkspaceID, v.ID).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	if len(removed) > 0 {
		_, err := tx.NewDelete().Model((*model.LinkVariant)(nil)).
			Where("workspace_id = ? AND id IN ?", link.WorkspaceID, bun.Tuple(slices.Collect(maps.Keys(removed)))).
			Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	return insertVariants(ctx, tx, added)
}

func (s *Service) findLink(ctx context.Context, workspaceID, id string, columns []string) (*model.Link, error) {
	q := s.db.NewSelect().Model((*model.Link)(nil)).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID,
		id)
	return dbx.ReadOne[model.Link](ctx, s.db, q)
}

func (s *Service) findForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Link, error) {
	link := new(model.Link)
	q := tx.NewSelect().Model(link).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return link, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

// renew makes the link a new version of its settings.
func renew(link *model.Link) {
	link.UpdatedAt, link.Version = model.Now(), model.NewID(model.VersionPrefix)
}

// saveLink writes the columns that a patch or a publication can change.
func saveLink(ctx context.Context, tx dbx.Tx, link *model.Link) error {
	_, err := tx.NewUpdate().Model(link).Column("title", "destination_url", "body", "form", "is_active", "updated_at", "version",
		"language", "embargoed_until", "withdrawn_at", "withdrawal_reason", "published_at", "expires_at", "max_opens", "taken_opens",
		"password_hash").
		Where("workspace_id = ? AND id = ?", link.WorkspaceID, link.ID).Exec(ctx)
	return dbx.Err(err)
}

// deleteLink deletes a locked link with its variants, sessions, conversions and submissions. It
// reserves the slug.
func deleteLink(ctx context.Context, tx dbx.Tx, link *model.Link) error {
	if _, err := tx.NewDelete().Model((*model.LinkSession)(nil)).Where("link_id = ?", link.ID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	_, err := tx.NewDelete().Model((*model.Link)(nil)).Where("workspace_id = ? AND id = ?", link.WorkspaceID, link.ID).
		Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	row := &removedSlug{Slug: foldSlug(link.Slug), WorkspaceID: link.WorkspaceID, RemovedAt: model.Now()}
	_, err = tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

// readVariants returns the variants of links in their order.
func readVariants(ctx context.Context, db dbx.Reader, workspaceID string, linkIDs []string) ([]*model.LinkVariant,
	error) {
	rows := []*model.LinkVariant{}
	if len(linkIDs) == 0 {
		return rows, nil
	}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND link_id IN ?", workspaceID, bun.Tuple(linkIDs)).
		Order("position", "id").Scan(ctx)
	return rows, dbx.Err(err)
}
