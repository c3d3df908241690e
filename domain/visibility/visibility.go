package visibility

import (
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Current returns the visibility of a text at a time: an embargo that has passed is public.
func Current(stored model.Visibility, until *time.Time, now time.Time) model.Visibility {
	if stored == model.VisibilityEmbargoed && until != nil && !until.After(now) {
		return model.VisibilityPublic
	}
	return stored
}

// Condition returns the condition that the row under the alias has the visibility at a time. The
// row has the columns visibility and embargoed_until.
func Condition(alias string, wanted model.Visibility, now time.Time) schema.QueryWithArgs {
	name := bun.Ident(alias)
	passed := bun.SafeQuery("(?.visibility = ? AND ?.embargoed_until <= ?)", name, model.VisibilityEmbargoed, name, now)
	switch wanted {
	case model.VisibilityPublic:
		return bun.SafeQuery("(?.visibility = ? OR ?)", name, wanted, passed)
	case model.VisibilityEmbargoed:
		return bun.SafeQuery("(?.visibility = ? AND NOT ?)", name, wanted, passed)
	}
	return bun.SafeQuery("(?.visibility = ?)", name, wanted)
}

// Match selects the rows of the table under the alias that have the visibility at present.
func Match[F any](db *dbx.DB, alias string, get func(*F) *model.Visibility) dbx.Condition[F] {
	return dbx.MatchBy(get, func(q *bun.SelectQuery, wanted model.Visibility) *bun.SelectQuery {
		return q.Where("?", Condition(alias, wanted, db.Now()))
	})
}

// Change holds the fields of an input that set a visibility.
type Change struct {
	Visibility graphql.Omittable[*model.Visibility]
	Until      graphql.Omittable[*time.Time]
}

// Apply sets the given fields of a text; a new one gets the default visibility. Another visibility
// clears the end of an embargo. It returns errs.ValidationFailed for an embargo without an end or
// an end without an embargo.
func (c Change) Apply(stored *model.Visibility, until **time.Time, byDefault model.Visibility) error {
	if *stored == "" {
		*stored = byDefault
	}
	if wanted := c.Visibility.Value(); wanted != nil {
		*stored = *wanted
		if *stored != model.VisibilityEmbargoed {
			*until = nil
		}
	}
	if c.Until.IsSet() {
		*until = c.Until.Value()
	}
	isEmbargoed := *stored == model.VisibilityEmbargoed
	switch {
	case isEmbargoed && *until == nil:
		return errs.Invalid(errs.BodyField("missing", "is required for an embargoed text", "embargoedUntil"))
	case !isEmbargoed && *until != nil:
		return errs.Invalid(errs.BodyField("value_error",
			"is only allowed for an embargoed text: set visibility to embargoed", "embargoedUntil"))
	}
	return nil
}

// SetOrigin records that a request or a person decided who may know a document.
func (c Change) SetOrigin(doc *model.Document, origin model.AttributionOrigin) {
	if c.Visibility.Value() != nil {
		doc.Origins.Visibility = &origin
	}
}

// Restrict makes a document internal, or sets the embargo whose end its head names, because the text
// says so. It does nothing if somebody has decided who may know the document, if it is not public,
// or if the embargo has ended. A person confirms or changes it later.
func Restrict(doc *model.Document, until *time.Time, now time.Time) {
	isOpen := doc.Visibility == "" || doc.Visibility == model.VisibilityPublic
	if doc.Origins.Visibility != nil || !isOpen || until != nil && !until.After(now) {
		return
	}
	origin := model.AttributionOriginText
	doc.Visibility, doc.EmbargoedUntil, doc.Origins.Visibility = model.VisibilityInternal, nil, &origin
	if until != nil {
		doc.Visibility, doc.EmbargoedUntil = model.VisibilityEmbargoed, until
	}
}
