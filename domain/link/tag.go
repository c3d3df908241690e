package link

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

const (
	maxTags      = 20  // of a link
	maxTagLength = 50  // characters of a tag
	maxTagList   = 500 // tags that a workspace's list has
)

// linkTag is a tag of a link.
type linkTag struct {
	bun.BaseModel `bun:"table:link_tag"`

	LinkID      string `bun:"link_id,pk"`
	Name        string `bun:"name,pk"`
	WorkspaceID string `bun:"workspace_id"`
	Position    int    `bun:"position"`
}

// cleanTags returns the tags without spaces at their ends, each once in the case in which it comes
// first. It returns errs.ValidationFailed for too many tags, and for one that is empty, too long or
// has a control character.
func cleanTags(given []string) ([]string, error) {
	var invalid errs.FieldErrors
	if len(given) > maxTags {
		invalid.Body("too_long", "has more than "+strconv.Itoa(maxTags)+" tags", "tags")
	}
	var tags []string
	seen := map[string]bool{}
	for i, tag := range given {
		tag = strings.TrimSpace(tag)
		switch folded := strings.ToLower(tag); {
		case tag == "":
			invalid.Body("blank", "must not be empty", "tags", i)
		case utf8.RuneCountInString(tag) > maxTagLength:
			invalid.Body("string_too_long", "must have "+strconv.Itoa(maxTagLength)+" or fewer characters", "tags", i)
		case strings.ContainsFunc(tag, isControl):
			invalid.Body("value_error", "must not have line breaks or other control characters", "tags", i)
		case !seen[folded]:
			seen[folded], tags = true, append(tags, tag)
		}
	}
	return tags, invalid.Err()
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// replaceTags stores the tags of a link, if they are given, instead of those that it has. It returns
// the errors of cleanTags.
func replaceTags(ctx context.Context, tx dbx.Tx, link *model.Link, given graphql.Omittable[[]string]) error {
	if !given.IsSet() {
		return nil
	}
	tags, err := cleanTags(given.Value())
	if err != nil {
		return err
	}
	if _, err := tx.NewDelete().Model((*linkTag)(nil)).Where("link_id = ?", link.ID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return insertTags(ctx, tx, link, tags)
}

func insertTags(ctx context.Context, tx dbx.Tx, link *model.Link, tags []string) error {
	if len(tags) == 0 {
		return nil
	}
	rows := make([]*linkTag, len(tags))
	for i, tag := range tags {
		rows[i] = &linkTag{LinkID: link.ID, Name: tag, WorkspaceID: link.WorkspaceID, Position: i}
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return dbx.Err(err)
}

// Tags returns the tags of each link, read with one statement.
func (s *Service) Tags(ctx context.Context, links []*model.Link) ([][]string, error) {
	rows := []*linkTag{}
	var err error
	if len(links) > 0 {
		err = s.db.NewSelect().Model(&rows).
			Where("workspace_id = ? AND link_id IN ?", principal.Must(ctx).WorkspaceID, bun.Tuple(linkIDs(links))).
			Order("position").Scan(ctx)
	}
	out := make([][]string, len(links))
	for i, of := range dbx.GroupByKey(linkIDs(links), rows, func(row *linkTag) string { return row.LinkID }) {
		out[i] = make([]string, len(of))
		for j, row := range of {
			out[i][j] = row.Name
		}
	}
	return out, dbx.Err(err)
}

// WorkspaceTags returns the tags of the links of the caller's workspace in alphabetical order, 500 at
// most. A tag that links have in different cases is one tag.
func (s *Service) WorkspaceTags(ctx context.Context) ([]*model.LinkTag, error) {
	found := []*model.LinkTag{}
	err := s.db.NewSelect().Model((*linkTag)(nil)).ColumnExpr("min(name) AS name, count(*) AS link_count").
		Where("workspace_id = ?", principal.Must(ctx).WorkspaceID).GroupExpr("lower(name)").OrderExpr("lower(name)").
		Limit(maxTagList).Scan(ctx, &found)
	return found, dbx.Err(err)
}

// whereTagged selects the links with a tag, ignoring case.
func whereTagged(q *bun.SelectQuery, tag string) *bun.SelectQuery {
	return q.Where("id IN (SELECT link_id FROM link_tag AS t WHERE t.workspace_id = link.workspace_id AND lower(t.name) = lower(?))",
		strings.TrimSpace(tag))
}
