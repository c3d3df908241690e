package content

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

func insertComment(ctx context.Context, tx dbx.Tx, comment *model.DraftComment) error {
	_, err := tx.NewInsert().Model(comment).Exec(ctx)
	return dbx.Err(err)
}

// readComment returns a comment or a reply of a draft. It returns errs.NotFound for an id that is
// not one of the draft's.
func readComment(ctx context.Context, tx dbx.Tx, draft *model.Draft, id string) (*model.DraftComment, error) {
	comment := new(model.DraftComment)
	err := dbx.Err(tx.NewSelect().Model(comment).
		Where("workspace_id = ? AND draft_id = ? AND id = ?", draft.WorkspaceID, draft.ID, id).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, errs.New(errs.NotFound, "the draft %s has no comment %s", draft.ID, id)
	}
	return comment, err
}

// countComments returns how many comments a draft has, or how many replies the comment parentID has.
func countComments(ctx context.Context, tx dbx.Tx, draft *model.Draft, parentID *string) (int, error) {
	q := tx.NewSelect().Model((*model.DraftComment)(nil)).Where("workspace_id = ? AND draft_id = ?", draft.WorkspaceID,
		draft.ID)
	if parentID == nil {
		q = q.Where("parent_id IS NULL")
	} else {
		q = q.Where("parent_id = ?", *parentID)
	}
	n, err := q.Count(ctx)
	return int(n), dbx.Err(err)
}

// saveComment updates what can change in a comment besides its passage.
func saveComment(ctx context.Context, tx dbx.Tx, comment *model.DraftComment) error {
	_, err := tx.NewUpdate().Model(comment).Column("text", "mentioned_user_ids", "edited_at", "resolved_at",
		"resolved_by_id", "resolved_by_key_id").
		Where("workspace_id = ? AND id = ?", comment.WorkspaceID, comment.ID).Exec(ctx)
	return dbx.Err(err)
}

func deleteComment(ctx context.Context, tx dbx.Tx, comment *model.DraftComment) error {
	_, err := tx.NewDelete().Model(comment).Where("workspace_id = ? AND id = ?", comment.WorkspaceID, comment.ID).
		Exec(ctx)
	return dbx.Err(err)
}

// passageComments returns the comments on passages of a draft.
func passageComments(ctx context.Context, tx dbx.Tx, draft *model.Draft) (comments []*model.DraftComment, err error) {
	err = tx.NewSelect().Model(&comments).Column("id", "draft_id", "quote", "start_offset", "end_offset").
		Where("workspace_id = ? AND draft_id = ? AND quote IS NOT NULL", draft.WorkspaceID, draft.ID).Scan(ctx)
	return comments, dbx.Err(err)
}

// shift is how far both ends of a passage move.
type shift struct{ start, end int }

func shiftComments(ctx context.Context, tx dbx.Tx, draft *model.Draft, by shift, ids []string) error {
	_, err := tx.NewUpdate().Model((*model.DraftComment)(nil)).Set("start_offset = start_offset + ?", by.start).
		Set("end_offset = end_offset + ?", by.end).
		Where("workspace_id = ? AND id IN (?)", draft.WorkspaceID, bun.List(ids)).Exec(ctx)
	return dbx.Err(err)
}

func detachComments(ctx context.Context, tx dbx.Tx, draft *model.Draft, ids []string) error {
	_, err := tx.NewUpdate().Model((*model.DraftComment)(nil)).Set("start_offset = NULL").Set("end_offset = NULL").
		Where("workspace_id = ? AND id IN (?)", draft.WorkspaceID, bun.List(ids)).Exec(ctx)
	return dbx.Err(err)
}

func attachComment(ctx context.Context, tx dbx.Tx, draft *model.Draft, id string, p passage) error {
	_, err := tx.NewUpdate().Model((*model.DraftComment)(nil)).Set("start_offset = ?", p.start).
		Set("end_offset = ?", p.end).Where("workspace_id = ? AND id = ?", draft.WorkspaceID, id).Exec(ctx)
	return dbx.Err(err)
}

// moveComments moves the passages of a draft's comments from its text before to the present one.
func moveComments(ctx context.Context, tx dbx.Tx, draft *model.Draft, before, after string) error {
	if before == after {
		return nil
	}
	comments, err := passageComments(ctx, tx, draft)
	if len(comments) == 0 || err != nil {
		return err
	}
	mover := newPassageMover(before, after)
	shifted, gone := map[shift][]string{}, []string{}
	for _, c := range comments {
		var old *passage
		if c.Start != nil && c.End != nil {
			old = &passage{*c.Start, *c.End}
		}
		moved, ok := mover.move(old, *c.Quote)
		switch {
		case !ok && old != nil:
			gone = append(gone, c.ID)
		case ok && old == nil:
			if err := attachComment(ctx, tx, draft, c.ID, moved); err != nil {
				return err
			}
		case ok && moved != *old:
			by := shift{moved.start - old.start, moved.end - old.end}
			shifted[by] = append(shifted[by], c.ID)
		}
	}
	for by, ids := range shifted {
		if err := shiftComments(ctx, tx, draft, by, ids); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return detachComments(ctx, tx, draft, gone)
}
