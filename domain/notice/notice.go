package notice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// The kinds of the package's mails. Their subject is the user, their detail a range of events.
const (
	MailAlert    = "alert"
	MailBriefing = "briefing"
)

// Mails queues mails. domain/mail implements it.
type Mails interface {
	SendsMail() bool
	// Enqueue stores a mail in the caller's transaction. It returns errs.InvalidState if the gateway
	// sends no mails, and errs.RateLimited if the workspace has sent too many of the kind.
	Enqueue(ctx context.Context, tx dbx.Tx, mail *model.Mail, secret string) error
	// Waits reports whether a mail of the same workspace, kind and subject waits to be sent.
	Waits(ctx context.Context, tx dbx.Tx, mail *model.Mail) (bool, error)
}

// Events reads the feed. domain/event implements it.
type Events interface {
	// Ends returns the position of the newest event of each workspace.
	Ends(ctx context.Context, workspaceIDs []string) (map[string]int64, error)
	// Range returns the first events of a range that have one of the names, and how many there are.
	Range(ctx context.Context, workspaceID string, in model.MailRange, names []string, limit int) ([]*model.Event, int, error)
	// LinkOpens returns the links that were opened most in a range, with how often.
	LinkOpens(ctx context.Context, workspaceID string, in model.MailRange, limit int) ([]*model.LinkSummary, []int, error)
}

// Accounts knows the members. domain/account implements it.
type Accounts interface {
	// Principal returns errs.WorkspaceMismatch for a user who is no member any more.
	Principal(ctx context.Context, workspaceID, keyID, userID string) (principal.Principal, error)
	Workspace(ctx context.Context) (*model.Workspace, error)
	UsersByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.User, error)
}

// Documents reads documents. domain/document implements it.
type Documents interface {
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
	Visibilities(docs []*model.Document) []model.Visibility
}

// Config holds the dependencies of a Service.
type Config struct {
	DB        *dbx.DB
	Mails     Mails
	Events    Events
	Accounts  Accounts
	Documents Documents
	// Drafts and Sources list those of the caller's workspace.
	Drafts func(ctx context.Context, args model.PageArgs, filter *api.DraftFilter, order *model.DraftOrder,
		columns ...string) (*model.DraftConnection, error)
	Sources func(ctx context.Context, args model.PageArgs, filter *api.SourceFilter, order *model.SourceOrder,
		columns ...string) (*model.SourceConnection, error)
	PublicURL string // the base URL of the console, without a slash at its end
}

// Service keeps what members get by mail, and queues it. Run must be called to queue mails.
type Service struct{ Config }

// New returns a Service.
func New(c Config) *Service { return &Service{c} }

// Settings returns what the signed-in user gets by mail from the workspace; nil for a key.
func (s *Service) Settings(ctx context.Context) (*model.MailSettings, error) {
	p := principal.Must(ctx)
	if p.UserID == "" {
		return nil, nil
	}
	found, err := s.find(ctx, s.DB, p.WorkspaceID, p.UserID)
	if err != nil || found != nil {
		return found, err
	}
	return s.unset(ctx, p)
}

// unset returns the settings of a user who has never set any.
func (s *Service) unset(ctx context.Context, p principal.Principal) (*model.MailSettings, error) {
	w, err := s.Accounts.Workspace(ctx)
	if err != nil {
		return nil, err
	}
	return &model.MailSettings{WorkspaceID: p.WorkspaceID, UserID: p.UserID,
		TimeZone: "UTC", Language: w.MarketLanguage}, nil
}

// Update changes what the signed-in user gets by mail. It returns errs.InvalidState for a key and if
// the gateway sends no mails, and errs.ValidationFailed for an unknown time zone.
func (s *Service) Update(ctx context.Context, in api.UpdateMailSettingsInput) (*api.UpdateMailSettingsPayload, error) {
	p := principal.Must(ctx)
	if p.UserID == "" {
		return nil, errs.New(errs.InvalidState, "a key gets no mails; sign in to change yours")
	}
	if !s.Mails.SendsMail() {
		return nil, errs.New(errs.InvalidState, "this server sends no mails: its operator has set no ROSTRUM_MAIL_URL")
	}
	settings, err := s.unset(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("update mail settings: %w", err)
	}
	ends, err := s.Events.Ends(ctx, []string{p.WorkspaceID})
	if err != nil {
		return nil, fmt.Errorf("update mail settings: %w", err)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		stored, err := s.lock(ctx, tx, settings)
		if err != nil {
			return err
		}
		before := *stored
		if err := apply(stored, in); err != nil {
			return err
		}
		s.restart(&before, stored, ends[p.WorkspaceID])
		settings = stored
		return save(ctx, tx, stored)
	})
	if err != nil {
		return nil, fmt.Errorf("update mail settings: %w", err)
	}
	return &api.UpdateMailSettingsPayload{MailSettings: settings}, nil
}

// apply sets the given fields. It returns errs.ValidationFailed naming each wrong one.
func apply(settings *model.MailSettings, in api.UpdateMailSettingsInput) error {
	var invalid errs.FieldErrors
	for i, event := range in.Alerts.Value() {
		if !slices.Contains(model.EventTypes, event) {
			invalid.Body("enum", "is not an event that alerts tell", "alerts", i)
		}
	}
	if in.Alerts.IsSet() {
		settings.Alerts = nil
		for _, event := range model.EventTypes {
			if slices.Contains(in.Alerts.Value(), event) {
				settings.Alerts = append(settings.Alerts, event)
			}
		}
	}
	if in.BriefingHour.IsSet() {
		settings.BriefingHour = in.BriefingHour.Value()
	}
	settings.Language = optional.ValueOr(in.Language.Value(), settings.Language)
	settings.TimeZone = optional.ValueOr(in.TimeZone.Value(), settings.TimeZone)
	if _, err := time.LoadLocation(settings.TimeZone); err != nil || strings.EqualFold(settings.TimeZone, "local") {
		invalid.Body("value_error", "is not the name of a time zone, such as Europe/Zurich", "timeZone")
	}
	return invalid.Err()
}

// restart lets mails that are switched on begin after a position of the feed, and sets when the next
// briefing is due.
func (s *Service) restart(before, after *model.MailSettings, position int64) {
	if len(before.Alerts) == 0 {
		after.AlertedPosition = position
	}
	if before.BriefingHour == nil {
		after.BriefedPosition = position
	}
	after.BriefingAt = nextBriefing(after, s.DB.Now())
}

// nextBriefing returns when the first briefing after a time is due; nil without briefings.
func nextBriefing(settings *model.MailSettings, after time.Time) *time.Time {
	if settings.BriefingHour == nil {
		return nil
	}
	zone, err := time.LoadLocation(settings.TimeZone)
	if err != nil {
		zone = time.UTC // a zone that this machine does not know any more
	}
	local := after.In(zone)
	for day := local.Day(); ; day++ {
		at := time.Date(local.Year(), local.Month(), day, *settings.BriefingHour, 0, 0, 0, zone)
		if at.After(after) {
			return new(at.UTC())
		}
	}
}
