package event

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// Ends returns the position of the newest event of each workspace; a workspace without events is
// absent.
func (s *Service) Ends(ctx context.Context, workspaceIDs []string) (map[string]int64, error) {
	ends := map[string]int64{}
	if len(workspaceIDs) == 0 {
		return ends, nil
	}
	var feeds []*feedEnd
	err := s.db.NewSelect().Model(&feeds).Where("workspace_id IN (?)", bun.List(workspaceIDs)).Scan(ctx)
	for _, feed := range feeds {
		ends[feed.WorkspaceID] = feed.Position
	}
	return ends, dbx.Err(err)
}

// Range returns the first events of a range that have one of the names, and how many there are.
func (s *Service) Range(ctx context.Context, workspaceID string, in model.MailRange, names []string, limit int) ([]*model.Event,
	int, error) {
	events, err := s.eventsBetween(ctx, workspaceID, in.After, in.Until, names, limit)
	if err != nil || len(events) < limit {
		return events, len(events), err
	}
	n, err := s.db.NewSelect().Model((*model.Event)(nil)).Where("workspace_id = ? AND position > ? AND position <= ?",
		workspaceID, in.After, in.Until).Where("event IN ?", bun.Tuple(names)).Count(ctx)
	return events, int(n), dbx.Err(err)
}

// linkOpens is how often a link was opened in a range, and the position of the last open.
type linkOpens struct {
	Opens  int   `bun:"opens"`
	Newest int64 `bun:"newest"`
}

// LinkOpens returns the links that were opened most in a range, at most limit, with how often.
func (s *Service) LinkOpens(ctx context.Context, workspaceID string, in model.MailRange, limit int) ([]*model.LinkSummary,
	[]int, error) {
	var found []*linkOpens
	err := s.db.NewSelect().Model((*model.Event)(nil)).ColumnExpr("count(*) AS opens, max(position) AS newest").
		Where("workspace_id = ? AND position > ? AND position <= ? AND event = ? AND link_id IS NOT NULL", workspaceID, in.After,
			in.Until, model.EventLinkOpened).
		GroupExpr("link_id").OrderExpr("opens DESC, newest").Limit(int64(limit)).Scan(ctx, &found)
	if err != nil {
		return nil, nil, dbx.Err(err)
	}
	links, opens := make([]*model.LinkSummary, len(found)), make([]int, len(found))
	for i, one := range found {
		last, err := s.eventsBetween(ctx, workspaceID, one.Newest-1, one.Newest, nil, 1)
		if err != nil {
			return nil, nil, err
		}
		opens[i], links[i] = one.Opens, &model.LinkSummary{}
		if len(last) > 0 && last[0].Link != nil {
			links[i] = last[0].Link
		}
	}
	return links, opens, nil
}
