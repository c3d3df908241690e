package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// AllSignals returns one page of the workspace's signals that match the filter, latest found first,
// without those of trial texts. If columns are named, it reads only these. It returns
// errs.ValidationFailed naming every invalid field.
func (s *Service) AllSignals(ctx context.Context, args model.PageArgs, filter *api.SignalFilter,
	columns ...string) (*model.Connection[model.Signal], error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	conditions := s.signalFilter(workspaceID)
	if err := conditions.Check(filter); err != nil {
		return nil, err
	}
	if err := checkPublished(filter); err != nil {
		return nil, err
	}
	return dbx.List[model.Signal]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key: func(row *model.Signal) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			published := s.Documents.SelectPublished(s.DB, workspaceID).Column("d.id")
			return conditions.Apply(q.Where("workspace_id = ? AND document_id IN (?)", workspaceID, published), filter)
		},
	}.Page(ctx, s.DB, args)
}

// signalFilter returns the conditions of a list of the workspace's signals.
func (s *Service) signalFilter(workspaceID string) dbx.Filter[api.SignalFilter] {
	named := func(column string, kind model.PartyKind) func(*bun.SelectQuery, []string) *bun.SelectQuery {
		return func(q *bun.SelectQuery, names []string) *bun.SelectQuery {
			return q.Where("? IN (?)", bun.Ident(column), s.Parties.NamedIDs(workspaceID, kind, names...))
		}
	}
	return dbx.Filter[api.SignalFilter]{
		dbx.MatchParts(func(f *api.SignalFilter) *string { return f.Q.Value() }, "statement"),
		dbx.MatchParts(func(f *api.SignalFilter) *string { return f.Speaker.Value() }, "speaker_name", "executive"),
		dbx.MatchAnyName("executives", func(f *api.SignalFilter) []string { return f.Executives.Value() },
			named("executive_id", model.PartyKindExecutive)),
		dbx.MatchAnyName("companies", func(f *api.SignalFilter) []string { return f.Companies.Value() },
			named("company_id", model.PartyKindCompany)),
		dbx.MatchAnyText("themes", "theme", func(f *api.SignalFilter) []string { return f.Themes.Value() }),
		dbx.MatchBy(func(f *api.SignalFilter) *model.SpeakerCertainty { return f.Certainty.Value() }, whereCertainty),
		dbx.MatchBy(func(f *api.SignalFilter) *model.TimeRange { return f.Published.Value() },
			func(q *bun.SelectQuery, span model.TimeRange) *bun.SelectQuery {
				return q.Where("document_id IN (?)", s.publishedWithin(workspaceID, span))
			}),
	}
}

// whereCertainty selects the signals whose speaker the text shows so well; see
// model.Signal.SpeakerCertainty.
func whereCertainty(q *bun.SelectQuery, certainty model.SpeakerCertainty) *bun.SelectQuery {
	if certainty == model.SpeakerCertaintyProved {
		return q.Where("executive IS NOT NULL")
	}
	return q.Where("executive IS NULL AND speaker_name IS NOT NULL")
}

// publishedWithin returns a query of the ids of the documents of the time: from included, to
// excluded.
func (s *Service) publishedWithin(workspaceID string, span model.TimeRange) *bun.SelectQuery {
	q := s.Documents.SelectIn(s.DB, workspaceID).Column("d.id")
	if span.From != nil {
		q = q.Where(documentDate+" >= ?", *span.From)
	}
	if span.To != nil {
		q = q.Where(documentDate+" < ?", *span.To)
	}
	return q
}

// checkPublished returns errs.ValidationFailed for a span that does not start before it ends.
func checkPublished(filter *api.SignalFilter) error {
	if filter == nil {
		return nil
	}
	if span := filter.Published.Value(); span != nil && span.From != nil && span.To != nil && !span.From.Before(*span.To) {
		return errs.Invalid(errs.BodyField("bad_range", "must be before to", "filter", "published", "from"))
	}
	return nil
}
