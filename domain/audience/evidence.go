package audience

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/llm/offline"
	"rostrum/model"
)

// mostShownQuotes is the maximum number of quotes of a summary.
const mostShownQuotes = 10

// reactionIDs returns the reactions that are summed up, oldest first.
func (c *summaryScope) reactionIDs() []string {
	ids := make([]string, len(c.facts))
	for i, f := range c.facts {
		ids[i] = f.ID
	}
	return ids
}

// reactionsOf returns the ids of the reactions of each entry, oldest first.
func (b summaryBrief) reactionsOf(entries []offline.SharedEntry) [][]string {
	lists := make([][]string, len(entries))
	for i, entry := range entries {
		lists[i] = make([]string, len(entry.Reactions))
		for j, number := range entry.Reactions {
			lists[i][j] = b.Shown[number-1].fact.ID
		}
	}
	return lists
}

// quotesOf returns the first quote of each reaction, in the order of the themes.
func (b summaryBrief) quotesOf(themes []offline.SharedEntry) []*model.SummaryQuote {
	quotes, seen := []*model.SummaryQuote{}, map[int]bool{}
	for _, theme := range themes {
		for _, number := range theme.Reactions {
			fact := b.Shown[number-1].fact
			if seen[number] || len(fact.Quotes) == 0 || len(quotes) == mostShownQuotes {
				continue
			}
			seen[number] = true
			quote := fact.Quotes[0]
			quotes = append(quotes, &model.SummaryQuote{
				ReactionID: fact.ID, DocumentID: *fact.DocumentID, Text: quote.Text, Start: quote.Start, End: quote.End,
			})
		}
	}
	return quotes
}

// reactionBatch is the maximum number of a summary's reactions that one statement stores.
const reactionBatch = 500

// saveSummaryReactions replaces the stored reactions of a summary.
func saveSummaryReactions(ctx context.Context, tx dbx.Tx, made *model.AudienceSummary) error {
	if _, err := tx.NewDelete().Model((*model.SummaryReaction)(nil)).Where("summary_id = ?", made.ID).
		Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	for ids := range slices.Chunk(made.ReactionIDs, reactionBatch) {
		rows := tx.NewSelect().TableExpr("reaction").ColumnExpr("?, id, workspace_id", made.ID).
			Where("workspace_id = ? AND id IN ?", made.WorkspaceID, bun.Tuple(ids))
		if _, err := tx.NewRaw("INSERT INTO audience_summary_reaction (summary_id, reaction_id, workspace_id) ?", rows).
			Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}

// SummaryReactionPages returns a page of each summary's reactions that match the filter, newest
// first unless an order is given. The keys are summaries' ids. It returns errs.ValidationFailed for
// invalid arguments.
func (s *Service) SummaryReactionPages(
	ctx context.Context, workspaceID, _ string, keys []string, args model.PageArgs, filter *api.ReactionFilter,
	order *model.ReactionOrder,
	columns ...string,
) ([]*model.Connection[model.Reaction], error) {
	list, err := s.newList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	rows := s.DB.NewSelect().TableExpr("audience_summary_reaction AS s").ColumnExpr("r.*, s.summary_id").
		Join("JOIN reaction AS r ON r.id = s.reaction_id AND r.workspace_id = s.workspace_id").
		Where("s.workspace_id = ?", workspaceID)
	list.From = func() *bun.SelectQuery { return s.DB.NewSelect().TableExpr("(?) AS reaction", rows) }
	return dbx.Nested[model.Reaction]{List: list, Parent: "summary_id"}.Pages(ctx, s.DB, keys, args)
}
