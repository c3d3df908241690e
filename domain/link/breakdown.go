package link

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// breakdownTable is the table of breakdownCount.
const breakdownTable = "link_breakdown"

// everySession is the dimension of the counts of all sessions, whose value is empty.
const everySession model.LinkDimension = "all"

// breakdownCount is the number of a link's sessions that began on a day with a value of a dimension.
// It is written in the transaction of what it counts, while the link's row is locked. A session is
// counted under every dimension of which it has a value.
type breakdownCount struct {
	bun.BaseModel `bun:"table:link_breakdown,alias:stored"`

	LinkID      string              `bun:"link_id,pk"`
	Dimension   model.LinkDimension `bun:"dimension,pk"`
	Day         int64               `bun:"day,pk"` // days since 1970 in UTC
	Value       string              `bun:"value,pk"`
	WorkspaceID string              `bun:"workspace_id"`
	Opens       int                 `bun:"opens"`
	Converted   int                 `bun:"converted"` // sessions with a conversion or submission
}

// dayOf returns the day of a time.
func dayOf(t time.Time) int64 { return t.Unix() / int64(24*time.Hour/time.Second) }

// sessionDimension is a dimension, and how a session and the table of sessions have its value.
type sessionDimension struct {
	name   model.LinkDimension
	column string // not empty if the session has a value
	value  func(*model.LinkSession) string
}

var sessionDimensions = []sessionDimension{
	{model.LinkDimensionCountry, "country", func(v *model.LinkSession) string { return v.Country }},
	{model.LinkDimensionDevice, "device", func(v *model.LinkSession) string { return string(v.Device) }},
	{model.LinkDimensionBrowser, "browser", func(v *model.LinkSession) string { return v.Browser }},
	{model.LinkDimensionOS, "os", func(v *model.LinkSession) string { return v.OS }},
	{model.LinkDimensionReferrer, "referrer", func(v *model.LinkSession) string { return referrerHost(v.Referrer) }},
	{model.LinkDimensionUTMSource, "utm_source", func(v *model.LinkSession) string { return v.UTMSource }},
	{model.LinkDimensionUTMMedium, "utm_medium", func(v *model.LinkSession) string { return v.UTMMedium }},
	{model.LinkDimensionUTMCampaign, "utm_campaign", func(v *model.LinkSession) string { return v.UTMCampaign }},
	{model.LinkDimensionUTMTerm, "utm_term", func(v *model.LinkSession) string { return v.UTMTerm }},
	{model.LinkDimensionUTMContent, "utm_content", func(v *model.LinkSession) string { return v.UTMContent }},
}

// referrerHost returns the host of a referring page, with its port if it has one.
func referrerHost(referrer string) string {
	u, err := url.Parse(referrer)
	if err != nil {
		return ""
	}
	return u.Host
}

// breakdownKey is what a breakdownCount belongs to.
type breakdownKey struct {
	link      string
	dimension model.LinkDimension
	day       int64
	value     string
}

// breakdownCounts holds counts by what they belong to.
type breakdownCounts map[breakdownKey]*breakdownCount

// add adds to the counts of a session's day and values.
func (c breakdownCounts) add(v *model.LinkSession, opens, converted int) {
	c.addTo(v, everySession, "", opens, converted)
	for _, dimension := range sessionDimensions {
		if value := dimension.value(v); value != "" {
			c.addTo(v, dimension.name, value, opens, converted)
		}
	}
}

func (c breakdownCounts) addTo(v *model.LinkSession, dimension model.LinkDimension, value string, opens, converted int) {
	key := breakdownKey{v.LinkID, dimension, dayOf(v.OpenedAt), value}
	row := c[key]
	if row == nil {
		row = &breakdownCount{LinkID: key.link, Dimension: dimension, Day: key.day, Value: value,
			WorkspaceID: v.WorkspaceID}
		c[key] = row
	}
	row.Opens, row.Converted = row.Opens+opens, row.Converted+converted
}

// store adds the counts to the stored ones, with one statement.
func (c breakdownCounts) store(ctx context.Context, tx dbx.Tx) error {
	if len(c) == 0 {
		return nil
	}
	var rows []*breakdownCount
	rows = slices.AppendSeq(rows, maps.Values(c))
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT (link_id, dimension, day, value) DO UPDATE").
		Set("opens = stored.opens + EXCLUDED.opens").Set("converted = stored.converted + EXCLUDED.converted").Exec(ctx)
	return dbx.Err(err)
}

// breakDownOpens adds new sessions to the breakdowns of their links.
func breakDownOpens(ctx context.Context, tx dbx.Tx, added []*pendingSession) error {
	counts := breakdownCounts{}
	for _, o := range added {
		counts.add(o.Session, 1, 0)
	}
	return counts.store(ctx, tx)
}

// markConverted counts the session of a locked link as converted, unless it is counted already or
// was deleted.
func markConverted(ctx context.Context, tx dbx.Tx, sessionID string, at time.Time) error {
	var found []*model.LinkSession
	err := tx.NewUpdate().Model((*model.LinkSession)(nil)).Set("converted_at = ?", at).
		Where("id = ? AND converted_at IS NULL", sessionID).Returning("*").Scan(ctx, &found)
	if err != nil || len(found) == 0 {
		return dbx.Err(err)
	}
	counts := breakdownCounts{}
	counts.add(found[0], 0, 1)
	if err := counts.store(ctx, tx); err != nil || found[0].VariantID == nil {
		return err
	}
	return addCounts(ctx, tx, "link_variant", "converted", map[string]int{*found[0].VariantID: 1})
}

// BreakdownArgs say how opens are broken down: by a dimension, on the days from that of From to that
// of To, in UTC.
type BreakdownArgs struct {
	By    model.LinkDimension
	From  *time.Time // nil for all days
	To    *time.Time // nil for today
	First int        // the largest number of values
}

func (a BreakdownArgs) check() error {
	if a.From != nil && a.To != nil && a.To.Before(*a.From) {
		return errs.Invalid(errs.QueryField("value_error", "must be the time of from or later", "to"))
	}
	return nil
}

// breakdownRow is a row of the statement of Breakdown.
type breakdownRow struct {
	LinkID           string
	Dimension        model.LinkDimension
	Value            string
	Opens, Converted int
	Known            int // sessions of the link with any value of the dimension
	Place            int // of the value, from 1
}

// Breakdown returns how the opens of each link divide by a dimension, read with one statement after
// the journaled sessions are stored. It returns errs.ValidationFailed for an end before the beginning.
func (s *Service) Breakdown(ctx context.Context, links []*model.Link, args BreakdownArgs) ([]*model.LinkBreakdown,
	error) {
	if err := args.check(); err != nil || len(links) == 0 {
		return nil, err
	}
	s.committer.waitForFlush(ctx)
	counted := s.db.NewSelect().Model((*breakdownCount)(nil)).Column("link_id", "dimension", "value").
		ColumnExpr("sum(opens) AS opens, sum(converted) AS converted").
		ColumnExpr("sum(sum(opens)) OVER (PARTITION BY link_id, dimension) AS known").
		ColumnExpr("row_number() OVER (PARTITION BY link_id, dimension ORDER BY sum(opens) DESC, value) AS place").
		Where("workspace_id = ? AND link_id IN ?", principal.Must(ctx).WorkspaceID, bun.Tuple(linkIDs(links))).
		Where("dimension IN ?", bun.Tuple([]model.LinkDimension{everySession, args.By})).
		Group("link_id", "dimension", "value")
	if args.From != nil {
		counted = counted.Where("day >= ?", dayOf(*args.From))
	}
	if args.To != nil {
		counted = counted.Where("day <= ?", dayOf(*args.To))
	}
	var rows []*breakdownRow
	err := s.db.NewSelect().TableExpr("(?) AS counted", counted).Where("place <= ?", args.First).Order("place").
		Scan(ctx, &rows)
	grouped := dbx.GroupByKey(linkIDs(links), rows, func(row *breakdownRow) string { return row.LinkID })
	out := make([]*model.LinkBreakdown, len(links))
	for i := range links {
		out[i] = newBreakdown(grouped[i])
	}
	return out, dbx.Err(err)
}

// newBreakdown returns the breakdown of a link whose counts the rows have.
func newBreakdown(rows []*breakdownRow) *model.LinkBreakdown {
	out, known := &model.LinkBreakdown{Rows: []*model.LinkBreakdownRow{}}, 0
	for _, row := range rows {
		if row.Dimension == everySession {
			out.OpenCount, out.ConvertedCount = row.Opens, row.Converted
			continue
		}
		known = row.Known
		out.Rows = append(out.Rows, &model.LinkBreakdownRow{Value: row.Value, OpenCount: row.Opens,
			ConvertedCount: row.Converted})
	}
	out.UnknownCount = out.OpenCount - known
	return out
}
