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
	"rostrum/model/eventviewer"
	"rostrum/model/optional"
)

// Conversion is a conversion that a page reports for its viewer.
type Conversion struct {
	SessionID string // the session's id, or the value of its cookie
	Type      string
	Value     string
	VariantID string // the variant of the session; optional
}

// maxValue is the maximum length of a conversion's value in code points.
const maxValue = 500

// View reports that a person sees a hosted page.
type View struct {
	SessionID string // the id that the page was rendered with
	Referrer  string // the referring page
	Query     string // the query of the page's address, which may name a campaign
}

// View starts the session of a page that a person sees, unless it exists. It ignores programs and
// addresses that have started too many sessions. It returns errs.NotFound for an unknown slug or a
// paused link, and errs.ValidationFailed for a session of another link.
func (s *Service) View(r *http.Request, slug string, in View) error {
	t, err := s.findOpenTarget(r, slug)
	if err != nil {
		return err
	}
	return s.confirmView(r, t, bareID(in.SessionID), in)
}

// confirmView stores the session of a page that was seen. What in says of the page's address and
// referrer replaces that of the request, which is the page's own.
func (s *Service) confirmView(r *http.Request, t *linkTarget, id string, in View) error {
	if t.link.Kind != model.LinkKindPage || !s.signer.isGenuine(id, t.link.ID, time.Now()) {
		return unknownSession()
	}
	request := r.Clone(r.Context())
	request.Header.Set("Referer", in.Referrer)
	request.URL.RawQuery = strings.TrimPrefix(in.Query, "?")
	if viewer := s.config.Visitors.Read(request); viewer.Human && s.config.AllowSession(r) {
		s.recordSession(r.Context(), t, viewerSession{id: id}, viewer)
	}
	return nil
}

// Convert stores a conversion; a session counts each pair of type and value once. It returns View's
// errors, and errs.ValidationFailed naming every invalid field.
func (s *Service) Convert(r *http.Request, slug string, in Conversion) error {
	ctx := r.Context()
	t, err := s.findOpenTarget(r, slug)
	if err != nil {
		return err
	}
	viewer, err := s.findViewer(r, t, in.SessionID)
	if err != nil {
		return err
	}
	row, err := in.newRow(t, viewer)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if exists, err := lockLinks(ctx, s.db, tx, t.link.ID); err != nil || !exists[t.link.ID] {
			return deletedError(err)
		}
		if added, err := insertConversion(ctx, tx, row); err != nil || !added {
			return err
		}
		event := eventviewer.Conversion{
			Type: in.Type, Value: in.Value, VariantID: optional.ValueOr(row.VariantID, ""), SessionID: row.SessionID,
			Country: viewer.Country, Device: string(viewer.Device),
		}
		return s.config.AppendEvents(ctx, tx, []*model.Event{newEvent(model.EventConversion, row.WorkspaceID, row.ID,
			t.summary, event, row.CreatedAt)})
	})
}

func deletedError(err error) error {
	if err != nil {
		return err
	}
	return errs.New(errs.NotFound, "the link was deleted")
}

// bareID returns the session id of a value that is the id or the whole cookie.
func bareID(given string) string {
	id, _, _ := strings.Cut(given, ".")
	return id
}

func unknownSession() error {
	return errs.Invalid(errs.BodyField("value_error", "is not a viewer session of this link", "session_id"))
}

// findViewer returns a session of the link. If the session belongs to a rendered page that was not
// confirmed yet, the report confirms it. It returns errs.ValidationFailed for an unknown session.
func (s *Service) findViewer(r *http.Request, t *linkTarget, given string) (*model.LinkSession, error) {
	id := bareID(given)
	s.committer.waitForFlush(r.Context())
	row, err := s.findSession(r.Context(), t.link.ID, id)
	if !errs.Is(err, errs.NotFound) {
		return row, err
	}
	if err := s.confirmView(r, t, id, View{}); err != nil {
		return nil, err
	}
	row, err = s.findSession(r.Context(), t.link.ID, id)
	if errs.Is(err, errs.NotFound) {
		return nil, unknownSession()
	}
	return row, err
}

func (s *Service) findSession(ctx context.Context, linkID, id string) (*model.LinkSession, error) {
	row := new(model.LinkSession)
	err := s.db.NewSelect().Model(row).Where("id = ? AND link_id = ?", id, linkID).Scan(ctx)
	return row, dbx.Err(err)
}

// newRow validates the report against its session. It returns errs.ValidationFailed naming every
// invalid field.
func (in Conversion) newRow(t *linkTarget, viewer *model.LinkSession) (*model.LinkConversion, error) {
	var invalid errs.FieldErrors
	kind := model.ConversionType(in.Type)
	if !slices.Contains(model.ConversionTypes, kind) {
		invalid.Body("enum", "must be one of cta_click, scroll_25, scroll_50, scroll_75, scroll_100 and custom", "type")
	}
	if utf8.RuneCountInString(in.Value) > maxValue {
		invalid.Body("string_too_long", "must have 500 or fewer characters", "value")
	}
	if in.VariantID != "" && in.VariantID != optional.ValueOr(viewer.VariantID, "") {
		invalid.Body("value_error", "is not the variant that the session was sent to", "variant_id")
	}
	return &model.LinkConversion{
		ID: model.NewID(model.ConversionPrefix), WorkspaceID: t.link.WorkspaceID, LinkID: t.link.ID,
		SessionID: viewer.ID,
		VariantID: viewer.VariantID, Type: kind, Value: in.Value, CreatedAt: model.Now(),
	}, invalid.Err()
}

// insertConversion stores a conversion of a locked link, and counts it unless it is a scroll
// milestone. It reports false if the session has it already.
func insertConversion(ctx context.Context, tx dbx.Tx, row *model.LinkConversion) (bool, error) {
	result, err := tx.NewInsert().Model(row).On("CONFLICT (session_id, type, value) DO NOTHING").Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return false, dbx.Err(err)
	}
	if row.Type.ScrollPercent() > 0 {
		return true, nil // scrolling is no conversion
	}
	if err := markConverted(ctx, tx, row.SessionID, row.CreatedAt); err != nil {
		return true, err
	}
	err = addActivity(ctx, tx, row.LinkID, row.VariantID, row.CreatedAt, row.WorkspaceID, activityCount{Conversions: 1})
	if err != nil {
		return true, err
	}
	if err := addCounts(ctx, tx, "link", "conversions", map[string]int{row.LinkID: 1}); err != nil ||
		row.VariantID == nil {
		return true, err
	}
	return true, addCounts(ctx, tx, "link_variant", "conversions", map[string]int{*row.VariantID: 1})
}
