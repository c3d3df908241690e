package ingest

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

const (
	// maxSubscriptions limits the sources of a workspace.
	maxSubscriptions = 500
	// maxSourceWords limits each list of words and labels of a source, maxSourceWord the characters
	// of each.
	maxSourceWords = 20
	maxSourceWord  = 100
)

// AuditFunc writes an entry of the workspace's audit log in the transaction of the change. details
// must not contain a secret.
type AuditFunc func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error

// CreateSource adds a source, which is due at once. It returns errs.ValidationFailed for an address
// or a mailbox that must not be read, for an embargo and for too many words, and errs.Conflict if
// the workspace has the address already or 500 sources.
func (s *Service) CreateSource(ctx context.Context, in api.CreateSourceInput) (*api.CreateSourcePayload, error) {
	src, err := s.newSource(principal.Must(ctx), in)
	if err != nil {
		return nil, fmt.Errorf("create source: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		workspace, err := s.accounts.LockWorkspace(ctx, tx, src.WorkspaceID)
		if err != nil {
			return err
		}
		src.Visibility = cmp.Or(src.Visibility, workspace.DefaultVisibility)
		if err := s.checkSealOf(ctx, tx, src); err != nil {
			return err
		}
		if err := insertSource(ctx, tx, src); err != nil {
			return err
		}
		return s.auditSource(ctx, tx, "source.created", src)
	})
	if err != nil {
		return nil, fmt.Errorf("create source: %w", err)
	}
	return &api.CreateSourcePayload{Source: src}, nil
}

// newSource returns the source of an input, or an error that names every invalid field.
func (s *Service) newSource(p principal.Principal, in api.CreateSourceInput) (*model.Source, error) {
	src := &model.Source{
		ID: model.NewID(model.SourcePrefix), WorkspaceID: p.WorkspaceID, CreatedByID: optional.NonEmpty(p.UserID),
		URL: s.spelled(optional.ValueOr(in.URL.Value(), "")), Name: strings.TrimSpace(optional.ValueOr(in.Name.Value(), "")),
		Kind: optional.ValueOr(in.Kind.Value(), model.SourceKindFeed), LinkPrefix: in.LinkPrefix.Value(),
		IntervalMinutes: optional.ValueOr(in.IntervalMinutes.Value(), 60),
		Visibility:      optional.ValueOr(in.Visibility.Value(), ""), // "" until the workspace is locked
		MediaProvenance: in.MediaProvenance.Value(), TakesAll: optional.ValueOr(in.TakesAll.Value(), false),
		TitleIncludes: in.TitleIncludes.Value(), TitleExcludes: in.TitleExcludes.Value(), Tags: in.Tags.Value(),
		CreatedAt: model.Now(), Version: model.NewID(model.VersionPrefix),
	}
	src.UpdatedAt = src.CreatedAt
	if err := checkChoice(in.URL.Value(), in.Mailbox.Value()); err != nil {
		return nil, err
	}
	if box := in.Mailbox.Value(); box != nil {
		s.setMailbox(src, box)
	} else if src.Kind == model.SourceKindMailbox {
		return nil, errs.Invalid(errs.BodyField("enum", "must be feed, sitemap or page for an address", "kind"))
	}
	if err := s.checkSource(src); err != nil {
		return nil, err
	}
	src.Name = cmp.Or(src.Name, nameOf(src))
	s.setPaused(src, optional.ValueOr(in.IsPaused.Value(), false))
	return src, nil
}

// checkSource trims the words of a source and returns an error that names every invalid field.
func (s *Service) checkSource(src *model.Source) error {
	var invalid errs.FieldErrors
	if src.Mailbox != nil {
		s.checkMailbox(&invalid, src.Mailbox)
		src.URL = addressOf(src.Mailbox)
	} else if _, err := s.fetch.CheckURL(src.URL); err != nil {
		invalid.Body("bad_url", refusalOf(err).Message, "url")
	}
	s.checkLinkPrefix(&invalid, src)
	if src.Visibility == model.VisibilityEmbargoed {
		invalid.Body("enum", "must be public or internal: an embargo has an end, which a source has not", "visibility")
	}
	for _, list := range []struct {
		name  string
		words *[]string
	}{{"titleIncludes", &src.TitleIncludes}, {"titleExcludes", &src.TitleExcludes}, {"tags", &src.Tags}} {
		*list.words = trimWords(&invalid, list.name, *list.words)
	}
	return invalid.Err()
}

// trimWords returns the words without surrounding white space, and notes invalid ones.
func trimWords(invalid *errs.FieldErrors, name string, words []string) []string {
	if len(words) > maxSourceWords {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxSourceWords), name)
	}
	trimmed := make([]string, len(words))
	for i, word := range words {
		trimmed[i] = strings.TrimSpace(word)
		if n := len([]rune(trimmed[i])); n == 0 || n > maxSourceWord {
			invalid.Body("length", fmt.Sprintf("must have 1 to %d characters", maxSourceWord), name, i)
		}
	}
	return trimmed
}

// nameOf returns the name of a source that has been given none.
func nameOf(src *model.Source) string {
	if src.Mailbox != nil {
		return src.Mailbox.Username
	}
	return hostOf(src.URL)
}

// hostOf returns the host of a checked address.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return strings.TrimPrefix(u.Hostname(), "www.")
	}
	return ""
}

// setPaused pauses a source for its owner, or makes it due at once.
func (s *Service) setPaused(src *model.Source, paused bool) {
	now := s.now()
	if paused {
		reason := model.SourcePausedReasonOwner
		src.PausedReason, src.PausedAt, src.NextPollAt = &reason, &now, nil
		return
	}
	src.PausedReason, src.PausedAt, src.NextPollAt, src.IsSnoozed = nil, nil, &now, false
}

// auditSource records the change of a source in the feed and in the audit log. The address may hold a
// secret, so the log has its host only.
func (s *Service) auditSource(ctx context.Context, tx dbx.Tx, action string, src *model.Source) error {
	s.recordChange(tx, src.WorkspaceID, model.EventSourceChanged, src.ID)
	return s.audit(ctx, tx, src.WorkspaceID, action, src.ID,
		map[string]any{"name": src.Name, "host": hostOf(src.URL), "is_paused": src.IsPaused()})
}

// UpdateSource changes the given fields of a source. It returns errs.NotFound for an unknown id,
// errs.PreconditionFailed if its version is not among the input's, errs.ValidationFailed for invalid
// fields and without any, and errs.Conflict if another source has the address.
func (s *Service) UpdateSource(ctx context.Context, in api.UpdateSourceInput) (*api.UpdateSourcePayload, error) {
	p := principal.Must(ctx)
	var src *model.Source
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if src, err = s.lockSource(ctx, tx, p.WorkspaceID, in.SourceID); err != nil {
			return err
		}
		if !model.IsAmong(src.Version, in.IfVersion.Value()) {
			return errs.New(errs.PreconditionFailed,
				"the source has changed since this version: read it again and save with its current version")
		}
		if err := s.applyPatch(src, in); err != nil {
			return err
		}
		if err := s.checkSealOf(ctx, tx, src); err != nil {
			return err
		}
		if err := saveSource(ctx, tx, src); err != nil {
			return err
		}
		return s.auditSource(ctx, tx, "source.updated", src)
	})
	if err != nil {
		return nil, fmt.Errorf("update source: %w", err)
	}
	return &api.UpdateSourcePayload{Source: src}, nil
}

// applyPatch sets the given fields and makes it a new version. It returns an error that names every
// invalid field.
func (s *Service) applyPatch(src *model.Source, in api.UpdateSourceInput) error {
	if err := checkSourcePatch(in); err != nil {
		return err
	}
	if err := s.applyMailboxPatch(src, in); err != nil {
		return err
	}
	s.applySourcePatch(src, in)
	src.Version, src.UpdatedAt = model.NewID(model.VersionPrefix), s.now()
	return s.checkSource(src)
}

// checkSourcePatch returns an error for a patch without fields, and for null where a source needs a
// value.
func checkSourcePatch(in api.UpdateSourceInput) error {
	var invalid errs.FieldErrors
	isSet := in.MediaProvenance.IsSet()
	for _, field := range []struct {
		name          string
		isSet, isNull bool
	}{
		given("url", in.URL), given("linkPrefix", in.LinkPrefix), given("mailbox", in.Mailbox), given("name", in.Name),
		given("intervalMinutes", in.IntervalMinutes), given("visibility", in.Visibility), given("isPaused", in.IsPaused),
		{"titleIncludes", in.TitleIncludes.IsSet(), in.TitleIncludes.Value() == nil},
		{"titleExcludes", in.TitleExcludes.IsSet(), in.TitleExcludes.Value() == nil},
		{"tags", in.Tags.IsSet(), in.Tags.Value() == nil},
	} {
		isSet = isSet || field.isSet
		if field.isSet && field.isNull {
			invalid.Body("null", "must not be null", field.name)
		}
	}
	if !isSet {
		invalid.Body("missing", "is required, or another field to change", "name")
	}
	return invalid.Err()
}

// given describes a field of a patch: whether it is set, and set to null.
func given[T any](name string, value graphql.Omittable[*T]) struct {
	name          string
	isSet, isNull bool
} {
	return struct {
		name          string
		isSet, isNull bool
	}{name, value.IsSet(), value.Value() == nil}
}

// applySourcePatch sets the given fields. A poll under way of the former address becomes void.
func (s *Service) applySourcePatch(src *model.Source, in api.UpdateSourceInput) {
	if address := in.URL.Value(); address != nil && s.spelled(*address) != s.spelled(src.URL) {
		src.URL, src.ETag, src.LastModified = s.spelled(*address), "", ""
		src.IsKnown = src.IsKnown && src.Kind != model.SourceKindPage
		s.restart(src)
	}
	if prefix := in.LinkPrefix.Value(); prefix != nil &&
		(src.LinkPrefix == nil || s.spelled(*prefix) != s.spelled(*src.LinkPrefix)) {
		src.LinkPrefix, src.ETag, src.LastModified, src.IsKnown = prefix, "", "", false
		s.restart(src)
	}
	src.Name = strings.TrimSpace(optional.ValueOr(in.Name.Value(), src.Name))
	src.IntervalMinutes = optional.ValueOr(in.IntervalMinutes.Value(), src.IntervalMinutes)
	src.Visibility = optional.ValueOr(in.Visibility.Value(), src.Visibility)
	if in.MediaProvenance.IsSet() {
		src.MediaProvenance = in.MediaProvenance.Value()
	}
	if in.TitleIncludes.IsSet() {
		src.TitleIncludes = in.TitleIncludes.Value()
	}
	if in.TitleExcludes.IsSet() {
		src.TitleExcludes = in.TitleExcludes.Value()
	}
	if in.Tags.IsSet() {
		src.Tags = in.Tags.Value()
	}
	if paused := in.IsPaused.Value(); paused != nil && *paused != src.IsPaused() {
		s.setPaused(src, *paused)
	}
}

// restart makes a poll under way void, and the source due at once unless it is paused.
func (s *Service) restart(src *model.Source) {
	src.LeaseToken, src.LeaseUntil = src.LeaseToken+1, nil
	if !src.IsPaused() {
		s.setPaused(src, false)
	}
}

// DeleteSource deletes a source with its entries; its documents stay. It returns errs.NotFound for an
// unknown id.
func (s *Service) DeleteSource(ctx context.Context, id string) (*api.DeleteSourcePayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := s.lockSource(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if err := deleteSource(ctx, tx, src); err != nil {
			return err
		}
		return s.auditSource(ctx, tx, "source.deleted", src)
	})
	if err != nil {
		return nil, fmt.Errorf("delete source: %w", err)
	}
	return &api.DeleteSourcePayload{DeletedID: id}, nil
}

// PollSource makes a source due now. It returns errs.NotFound for an unknown id, and
// errs.InvalidState for a paused source.
func (s *Service) PollSource(ctx context.Context, id string) (*api.PollSourcePayload, error) {
	p := principal.Must(ctx)
	var src *model.Source
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if src, err = s.lockSource(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		if src.IsPaused() {
			return errs.New(errs.InvalidState, "the source is paused; resume it to poll it")
		}
		s.setPaused(src, false)
		s.recordChange(tx, p.WorkspaceID, model.EventSourceChanged, id)
		return saveSource(ctx, tx, src)
	})
	if err != nil {
		return nil, fmt.Errorf("poll source: %w", err)
	}
	return &api.PollSourcePayload{Source: src}, nil
}
