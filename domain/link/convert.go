package link

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Conversion is what a page reports of its viewer.
type Conversion struct {
	SessionID string // the session's id, or the whole value of its cookie
	Type      string
	Value     string
	VariantID string // of the side that the session was sent to; taken from the session when empty
}

// maxValue is how long the value of a conversion may be, in code points.
const maxValue = 500

// View is what a hosted page reports when a person sees it.
type View struct {
	SessionID string // as the page was given it
	Referrer  string // the page that led to it
}

// View takes a page's word that a person sees it: its session begins, unless it has. A program's word changes nothing. An unknown slug
// or a paused link fails with not_found, a session that this server did not make for the link with validation_failed.
func (s *Service) View(r *http.Request, slug string, in View) error {
	t, err := s.opened(r.Context(), slug)
	if err != nil {
		return err
	}
	return s.confirm(r, t, bareID(in.SessionID), in.Referrer)
}

func (s *Service) confirm(r *http.Request, t *target, id, referrer string) error {
	if t.link.Kind != model.LinkKindPage || !s.signer.genuine(id, t.link.ID, time.Now()) {
		return unknownSession()
	}
	told := r.Clone(r.Context())
	told.Header.Set("Referer", referrer) // the request's own names the hosted page
	if who := s.config.Visitors.Read(told); who.Human {
		s.record(r.Context(), t, session{id: id}, who)
	}
	return nil
}

// Convert takes what a page reports of its viewer. The same type and value of a session count once. It fails as View does, and with
// validation_failed naming every other bad field.
func (s *Service) Convert(r *http.Request, slug string, in Conversion) error {
	ctx := r.Context()
	t, err := s.opened(ctx, slug)
	if err != nil {
		return err
	}
	viewer, err := s.viewer(r, t, in.SessionID)
	if err != nil {
		return err
	}
	row, err := in.row(t, viewer)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if there, err := lock(ctx, s.db, tx, t.link.ID); err != nil || !there[t.link.ID] {
			return orGone(err)
		}
		if fresh, err := insertConversion(ctx, tx, row); err != nil || !fresh {
			return err
		}
		told := model.ConversionViewer{
			Type: in.Type, Value: in.Value, VariantID: model.ValueOr(row.VariantID, ""), SessionID: row.SessionID, Country: viewer.Country, Device: viewer.Device,
		}
		return s.config.Announce(ctx, tx, []*model.Event{newEvent(model.EventConversion, row.WorkspaceID, t.summary, told, row.CreatedAt)})
	})
}

// opened finds a link that viewers can open.
func (s *Service) opened(ctx context.Context, slug string) (*target, error) {
	t, err := s.target(ctx, slug)
	if err != nil {
		return nil, err
	}
	if t.state != stateOpen {
		return nil, errs.New(errs.NotFound, "there is no open link of this slug")
	}
	return t, nil
}

func orGone(err error) error {
	if err != nil {
		return err
	}
	return errs.New(errs.NotFound, "the link is gone")
}

// bareID is the session's id, given alone or in its cookie's value.
func bareID(given string) string {
	id, _, _ := strings.Cut(given, ".")
	return id
}

func unknownSession() error {
	return errs.Invalid(errs.BodyField("value_error", "names no viewer session of this link", "session_id"))
}

// viewer finds a session of the link. One that a page was shown with and that its script has not confirmed is confirmed by what it reports.
func (s *Service) viewer(r *http.Request, t *target, given string) (*model.LinkSession, error) {
	id := bareID(given)
	s.committer.settle(r.Context())
	row, err := s.sessionOf(r.Context(), t.link.ID, id)
	if !errs.Is(err, errs.NotFound) {
		return row, err
	}
	if err := s.confirm(r, t, id, ""); err != nil {
		return nil, err
	}
	row, err = s.sessionOf(r.Context(), t.link.ID, id)
	if errs.Is(err, errs.NotFound) {
		return nil, unknownSession()
	}
	return row, err
}

func (s *Service) sessionOf(ctx context.Context, linkID, id string) (*model.LinkSession, error) {
	row := new(model.LinkSession)
	err := s.db.NewSelect().Model(row).Where("id = ? AND link_id = ?", id, linkID).Scan(ctx)
	return row, dbx.Err(err)
}

// row checks the report against its session.
func (in Conversion) row(t *target, viewer *model.LinkSession) (*model.LinkConversion, error) {
	var bad problems
	kind := model.ConversionType(in.Type)
	if !slices.Contains(model.ConversionTypes, kind) {
		bad.add("enum", "must be one of cta_click, scroll_25, scroll_50, scroll_75, scroll_100 and custom", "type")
	}
	if utf8.RuneCountInString(in.Value) > maxValue {
		bad.add("string_too_long", "must have 500 or fewer characters", "value")
	}
	if in.VariantID != "" && in.VariantID != model.ValueOr(viewer.VariantID, "") {
		bad.add("value_error", "is not the variant that the session was sent to", "variant_id")
	}
	return &model.LinkConversion{
		ID: model.NewID(model.ConversionPrefix), WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID, SessionID: viewer.ID,
		VariantID: viewer.VariantID, Type: kind, Value: in.Value, CreatedAt: model.Now(),
	}, bad.err()
}

// insertConversion stores and counts a conversion of a locked link; it reports false when the session has it already.
func insertConversion(ctx context.Context, tx dbx.Tx, row *model.LinkConversion) (bool, error) {
	result, err := tx.NewInsert().Model(row).On("CONFLICT (session_id, type, value) DO NOTHING").Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return false, dbx.Err(err)
	}
	if err := addTo(ctx, tx, "link", "conversions", map[string]int{row.LinkID: 1}); err != nil || row.VariantID == nil {
		return true, err
	}
	return true, addTo(ctx, tx, "link_variant", "conversions", map[string]int{*row.VariantID: 1})
}
