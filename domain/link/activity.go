package link

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// quarter is the length of a stored count's time, because the days of every time zone begin at one.
const quarter = 15 * time.Minute

// maxSpans is the largest number of spans of an activity, for example 750 days.
const maxSpans = 750

// activityTable is the table of activityCount.
const activityTable = "link_activity"

// activityCount is what happened to a side of a link in a quarter of an hour. It is written in the
// transaction of what it counts, while the link's row is locked.
type activityCount struct {
	bun.BaseModel `bun:"table:link_activity,alias:stored"`

	LinkID      string `bun:"link_id,pk"`
	VariantID   string `bun:"variant_id,pk"` // empty without a split test
	Quarter     int64  `bun:"quarter,pk"`    // quarters of an hour since 1970 in UTC
	WorkspaceID string `bun:"workspace_id"`
	Opens       int    `bun:"opens"`
	Conversions int    `bun:"conversions"`
	Submissions int    `bun:"submissions"`
}

// quarterOf returns the quarter of an hour of a time.
func quarterOf(t time.Time) int64 { return t.Unix() / int64(quarter/time.Second) }

// activityKey is the link, the side and the quarter of an activityCount.
type activityKey struct {
	link, variant string
	quarter       int64
}

// activityCounts holds counts by what they belong to.
type activityCounts map[activityKey]*activityCount

// add adds to the counts of a link and side at a time.
func (c activityCounts) add(linkID string, variantID *string, at time.Time, workspaceID string, adds activityCount) {
	key := activityKey{linkID, optional.ValueOr(variantID, ""), quarterOf(at)}
	row := c[key]
	if row == nil {
		row = &activityCount{LinkID: key.link, VariantID: key.variant, Quarter: key.quarter, WorkspaceID: workspaceID}
		c[key] = row
	}
	row.Opens, row.Conversions = row.Opens+adds.Opens, row.Conversions+adds.Conversions
	row.Submissions += adds.Submissions
}

// store adds the counts to the stored ones, with one statement.
func (c activityCounts) store(ctx context.Context, tx dbx.Tx) error {
	if len(c) == 0 {
		return nil
	}
	var rows []*activityCount
	rows = slices.AppendSeq(rows, maps.Values(c))
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (link_id, quarter, variant_id) DO UPDATE").
		Set("opens = stored.opens + EXCLUDED.opens").
		Set("conversions = stored.conversions + EXCLUDED.conversions").
		Set("submissions = stored.submissions + EXCLUDED.submissions").Exec(ctx)
	return dbx.Err(err)
}

// addOpens adds new sessions to the activity of their links.
func addOpens(ctx context.Context, tx dbx.Tx, added []*pendingSession) error {
	counts := activityCounts{}
	for _, o := range added {
		v := o.Session
		counts.add(v.LinkID, v.VariantID, v.OpenedAt, v.WorkspaceID, activityCount{Opens: 1})
	}
	return counts.store(ctx, tx)
}

// addActivity adds to the activity of a link and side at a time.
func addActivity(ctx context.Context, tx dbx.Tx, linkID string, variantID *string, at time.Time, workspaceID string,
	adds activityCount) error {
	counts := activityCounts{}
	counts.add(linkID, variantID, at, workspaceID, adds)
	return counts.store(ctx, tx)
}

// usualSpans is how many spans an activity has without From.
const usualSpans = 30

// ActivityArgs are the spans of an activity: those from the one of From to the one of To, or of now.
type ActivityArgs struct {
	From     *time.Time // nil for 30 spans
	To       *time.Time
	Unit     model.ActivityUnit
	TimeZone string // an IANA name, for example Europe/Zurich
}

// starts returns the beginnings of the spans and the end of the last one. It returns
// errs.ValidationFailed for an unknown time zone, an end before the beginning, or too many spans.
func (a ActivityArgs) starts(now time.Time) ([]time.Time, error) {
	zone, err := time.LoadLocation(a.TimeZone)
	if err != nil || strings.EqualFold(a.TimeZone, "local") {
		return nil, errs.Invalid(errs.QueryField("value_error", "is not the name of a time zone, such as Europe/Zurich",
			"timeZone"))
	}
	to := now
	if a.To != nil {
		to = *a.To
	}
	from := a.next(to, 1-usualSpans)
	if a.From != nil {
		from = *a.From
	}
	if to.Before(from) {
		return nil, errs.Invalid(errs.QueryField("value_error", "must be the time of from or later", "to"))
	}
	out := []time.Time{a.startOf(from.In(zone))}
	for len(out) <= maxSpans {
		next := a.next(out[len(out)-1], 1)
		out = append(out, next)
		if next.After(to) {
			return out, nil
		}
	}
	return nil, errs.Invalid(errs.QueryField("value_error",
		"must be later, or unit longer: there may be "+strconv.Itoa(maxSpans)+" spans", "from"))
}

// startOf returns the beginning of the span of a time.
func (a ActivityArgs) startOf(t time.Time) time.Time {
	switch a.Unit {
	case model.ActivityUnitHour:
		return t.Add(-time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second -
			time.Duration(t.Nanosecond()))
	case model.ActivityUnitWeek:
		sinceMonday := (int(t.Weekday()) + 6) % 7
		return time.Date(t.Year(), t.Month(), t.Day()-sinceMonday, 0, 0, 0, 0, t.Location())
	default:
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	}
}

// next returns the time that is n spans after another one.
func (a ActivityArgs) next(start time.Time, n int) time.Time {
	switch a.Unit {
	case model.ActivityUnitHour:
		return start.Add(time.Duration(n) * time.Hour)
	case model.ActivityUnitWeek:
		return start.AddDate(0, 0, 7*n)
	default:
		return start.AddDate(0, 0, n)
	}
}

// Activity returns what happened to each link in each span, read with one statement. It returns
// errs.ValidationFailed for invalid arguments.
func (s *Service) Activity(ctx context.Context, links []*model.Link, args ActivityArgs) ([][]*model.LinkActivity,
	error) {
	return s.readActivity(ctx, linkIDs(links), args, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.ColumnExpr("a.link_id AS key").Where("a.link_id IN ?", bun.Tuple(linkIDs(links))).Group("a.link_id")
	})
}

// VariantActivity returns what happened to each side of a split test in each span, read with one
// statement. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) VariantActivity(ctx context.Context, variants []*model.LinkVariant, args ActivityArgs) (
	[][]*model.LinkActivity, error) {
	ids, links := make([]string, len(variants)), make([]string, len(variants))
	for i, v := range variants {
		ids[i], links[i] = v.ID, v.LinkID
	}
	return s.readActivity(ctx, ids, args, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.ColumnExpr("a.variant_id AS key").Where("a.link_id IN ?", bun.Tuple(links)).
			Where("a.variant_id IN ?", bun.Tuple(ids)).Group("a.variant_id")
	})
}

// WorkspaceActivity returns what happened to all links of the caller's workspace in each span. It
// returns errs.ValidationFailed for invalid arguments.
func (s *Service) WorkspaceActivity(ctx context.Context, args ActivityArgs) ([]*model.LinkActivity, error) {
	all := principal.Must(ctx).WorkspaceID
	found, err := s.readActivity(ctx, []string{all}, args, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.ColumnExpr("a.workspace_id AS key").Group("a.workspace_id")
	})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// readActivity returns the activity of each key, after the journaled sessions are stored.
func (s *Service) readActivity(ctx context.Context, keys []string, args ActivityArgs,
	group func(*bun.SelectQuery) *bun.SelectQuery) ([][]*model.LinkActivity, error) {
	starts, err := args.starts(s.db.Now())
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	s.committer.waitForFlush(ctx)
	var found []struct {
		Key                             string
		Span                            int
		Opens, Conversions, Submissions int
	}
	spans := make([]string, len(starts)-1)
	for i := range spans {
		spans[i] = "(" + strconv.Itoa(i) + ", " + strconv.FormatInt(quarterOf(starts[i]), 10) + ", " +
			strconv.FormatInt(quarterOf(starts[i+1]), 10) + ")"
	}
	q := s.db.NewSelect().TableExpr("(VALUES "+strings.Join(spans, ", ")+") AS span").
		Join("JOIN link_activity AS a ON a.quarter >= span.column2 AND a.quarter < span.column3").
		Where("a.workspace_id = ?", principal.Must(ctx).WorkspaceID).
		ColumnExpr("span.column1 AS span, sum(a.opens) AS opens, sum(a.conversions) AS conversions").
		ColumnExpr("sum(a.submissions) AS submissions").GroupExpr("span.column1")
	if err := group(q).Scan(ctx, &found); err != nil {
		return nil, dbx.Err(err)
	}
	out := make([][]*model.LinkActivity, len(keys))
	for i, key := range keys {
		out[i] = make([]*model.LinkActivity, len(spans))
		for j := range spans {
			out[i][j] = &model.LinkActivity{StartsAt: starts[j].UTC()}
		}
		for _, row := range found {
			if row.Key == key {
				of := out[i][row.Span]
				of.OpenCount, of.ConversionCount, of.SubmissionCount = row.Opens, row.Conversions, row.Submissions
			}
		}
	}
	return out, nil
}
