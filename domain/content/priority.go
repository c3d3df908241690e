package content

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

// levelMust is the level of a required point.
const levelMust = "must"

// levelOf returns the level of a point in lower case, by default levelMust.
func levelOf(level *string) string {
	if level = nonBlank(level); level == nil {
		return levelMust
	}
	return strings.ToLower(strings.TrimSpace(*level))
}

// MetadataOf returns the metadata of each draft, in which every point has the id of its draft.
func MetadataOf(drafts []*model.Draft) []*model.DraftMetadata {
	out := make([]*model.DraftMetadata, len(drafts))
	for i, draft := range drafts {
		if out[i] = draft.Metadata; draft.Metadata == nil || len(draft.Metadata.PullThroughPriorities) == 0 {
			continue
		}
		metadata := *draft.Metadata
		metadata.PullThroughPriorities = make([]*model.DraftPriority, len(draft.Metadata.PullThroughPriorities))
		for n, stored := range draft.Metadata.PullThroughPriorities {
			point := *stored
			point.DraftID = draft.ID
			metadata.PullThroughPriorities[n] = &point
		}
		out[i] = &metadata
	}
	return out
}

// maxComparedText is the greatest number of characters of a draft that is compared with its points.
const maxComparedText = 100_000

// The limits of the points that a request compares, and of the characters of their drafts.
const (
	maxComparedPoints = 1_000
	maxComparedTexts  = 5_000_000
)

// CoverageOf returns whether the current text of each point's draft makes the point. It goes by the
// words alone: it asks no text model and costs no run. The result is nil for a draft without text
// or with over 100,000 characters, and for its points after the 100th. All texts are read in one
// statement. It returns errs.LimitExceeded for more than 1,000 points or 5,000,000 characters, and
// stops with the context.
func (s *Service) CoverageOf(ctx context.Context, points []*model.DraftPriority) ([]*api.CoverageRow, error) {
	if len(points) > maxComparedPoints {
		return nil, errs.New(errs.LimitExceeded, "the coverage of %d points is more than the %d that a request may compare; read fewer drafts",
			len(points), maxComparedPoints).With("limit", maxComparedPoints)
	}
	places := map[string][]int{}
	for i, point := range points {
		if len(places[point.DraftID]) < maxPoints {
			places[point.DraftID] = append(places[point.DraftID], i)
		}
	}
	drafts, err := s.comparedDrafts(ctx, places)
	if err != nil {
		return nil, err
	}
	out := make([]*api.CoverageRow, len(points))
	for _, draft := range drafts {
		compare := func() {
			read := offline.ReadText(*draft.Content)
			for _, i := range places[draft.ID] {
				if ctx.Err() == nil {
					out[i] = comparePoint(read, points[i])
				}
			}
		}
		if err := slot.Compute(ctx, len(*draft.Content)*len(places[draft.ID]), compare); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

func comparePoint(read *offline.Text, point *model.DraftPriority) *api.CoverageRow {
	row := &api.CoverageRow{Text: point.Text, Level: levelOf(&point.Level)}
	setFinding(row, read.Find(point.Text))
	return row
}

// comparedDrafts returns the caller's drafts with the ids in places, and their texts. It leaves out
// texts that are empty or too long.
func (s *Service) comparedDrafts(ctx context.Context, places map[string][]int, columns ...string) ([]*model.Draft,
	error) {
	drafts := []*model.Draft{}
	ids := slices.Collect(maps.Keys(places))
	if len(ids) == 0 {
		return drafts, nil
	}
	err := s.db.NewSelect().Model(&drafts).Column("id", "content").Column(columns...).
		Where("workspace_id = ? AND id IN ?", principal.Must(ctx).WorkspaceID, bun.Tuple(ids)).
		Where("length(content) BETWEEN 1 AND ?", maxComparedText).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	return drafts, checkComparedTexts(drafts)
}

// checkComparedTexts returns errs.LimitExceeded if one request cannot compare all texts.
func checkComparedTexts(drafts []*model.Draft) error {
	characters := 0
	for _, draft := range drafts {
		characters += utf8.RuneCountInString(*draft.Content)
	}
	if characters > maxComparedTexts {
		return errs.New(errs.LimitExceeded, "the drafts have %d characters, more than the %d that a request may compare with their points; read fewer drafts",
			characters, maxComparedTexts).With("limit", maxComparedTexts)
	}
	return nil
}
