package ingest

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/ingest/mailbox"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/principal"
)

// checkChoice returns an error unless exactly one of an address and a mailbox is given.
func checkChoice(address *string, box *api.MailboxInput) error {
	if address == nil && box == nil {
		return errs.Invalid(errs.BodyField("missing", "is required, or a mailbox", "url"))
	}
	if address != nil && box != nil {
		return errs.Invalid(errs.BodyField("conflict", "must not be given together with a url", "mailbox"))
	}
	return nil
}

// mailboxOf returns the mailbox of an input, with its defaults.
func mailboxOf(in *api.MailboxInput) *model.Mailbox {
	box := &model.Mailbox{
		Host: strings.TrimSpace(in.Host), Username: strings.TrimSpace(in.Username),
		Folder:   optional.ValueOr(in.Folder.Value(), "INBOX"),
		Security: optional.ValueOr(in.Security.Value(), model.MailboxSecurityTLS),
	}
	box.Port = optional.ValueOr(in.Port.Value(), 143)
	if in.Port.Value() == nil && box.Security == model.MailboxSecurityTLS {
		box.Port = 993
	}
	return box
}

// setMailbox makes a new source that of a mailbox. Mail is private, so its documents are internal
// unless the input says otherwise.
func (s *Service) setMailbox(src *model.Source, in *api.MailboxInput) {
	src.Kind, src.Mailbox, src.Password = model.SourceKindMailbox, mailboxOf(in), s.sealer.Seal(src.ID, in.Password)
	if src.Visibility == "" {
		src.Visibility = model.VisibilityInternal
	}
}

// checkMailbox normalizes the host and notes invalid fields.
func (s *Service) checkMailbox(invalid *errs.FieldErrors, box *model.Mailbox) {
	u, err := s.fetch.CheckURL("https://" + net.JoinHostPort(box.Host, strconv.Itoa(box.Port)))
	failed, _ := errors.AsType[*fetch.Error](err)
	switch {
	case failed != nil && failed.Kind == fetch.Blocked:
		invalid.Body("blocked_address", (&mailbox.Error{Kind: mailbox.Kind(fetch.Blocked)}).Message(), "mailbox", "host")
	case err != nil || u.Path+u.RawQuery+u.Fragment != "":
		invalid.Body("bad_host", "must be the name or the address of a host, such as imap.example.com", "mailbox", "host")
	default:
		box.Host = u.Hostname()
	}
	for _, field := range []struct{ name, text string }{{"username", box.Username}, {"folder", box.Folder}} {
		if strings.TrimSpace(field.text) == "" || strings.ContainsFunc(field.text, unicode.IsControl) {
			invalid.Body("text", "must have a visible character and no control characters", "mailbox", field.name)
		}
	}
}

// addressOf returns the address of a mailbox (RFC 5092), which is unique in its workspace.
func addressOf(box *model.Mailbox) string {
	u := url.URL{Scheme: "imap", User: url.User(box.Username), Path: "/" + box.Folder,
		Host: net.JoinHostPort(box.Host, strconv.Itoa(box.Port))}
	if box.Security == model.MailboxSecurityTLS {
		u.Scheme = "imaps"
	}
	return u.String()
}

// applyMailboxPatch sets the given fields of a mailbox. A poll under way becomes void, and another
// folder or server is read from its start. It returns errs.ValidationFailed if the stored password
// would be sent to another server.
func (s *Service) applyMailboxPatch(src *model.Source, in api.UpdateSourceInput) error {
	patch := in.Mailbox.Value()
	if src.Mailbox != nil && in.URL.Value() != nil {
		return errs.Invalid(errs.BodyField("not_allowed", "must be absent: change the fields of the mailbox", "url"))
	}
	if patch == nil {
		return nil
	}
	if src.Mailbox == nil {
		return errs.Invalid(errs.BodyField("not_allowed", "must be absent: this source is no mailbox", "mailbox"))
	}
	box, password := patchedMailbox(*src.Mailbox, patch), patch.Password.Value()
	folder := box.Folder
	box.Folder = src.Mailbox.Folder
	if box != *src.Mailbox && password == nil {
		return errs.Invalid(errs.BodyField("missing", "is required with a new host, port, user name or encryption, so that the stored "+
			"one is sent to no other server", "mailbox", "password"))
	}
	box.Folder = folder
	if box != *src.Mailbox {
		src.UIDValidity = 0
	}
	src.Mailbox = &box
	if password != nil {
		src.Password = s.sealer.Seal(src.ID, *password)
	}
	s.restart(src)
	return nil
}

// patchedMailbox returns a mailbox with the given fields, without the password.
func patchedMailbox(box model.Mailbox, patch *api.MailboxPatchInput) model.Mailbox {
	box.Host = strings.TrimSpace(optional.ValueOr(patch.Host.Value(), box.Host))
	box.Port = optional.ValueOr(patch.Port.Value(), box.Port)
	box.Username = strings.TrimSpace(optional.ValueOr(patch.Username.Value(), box.Username))
	box.Folder = optional.ValueOr(patch.Folder.Value(), box.Folder)
	box.Security = optional.ValueOr(patch.Security.Value(), box.Security)
	return box
}

// checkSealOf returns an error if a source has a password and the database has secrets of another
// key.
func (s *Service) checkSealOf(ctx context.Context, tx dbx.Tx, src *model.Source) error {
	if src.Mailbox == nil {
		return nil
	}
	return s.checkSeal(ctx, tx)
}

// LostPasswords returns how many passwords of mailboxes are stored, and the sources of those that
// were sealed with another key.
func (s *Service) LostPasswords(ctx context.Context, tx dbx.Tx) (sealed int, lost []*model.Source, err error) {
	var rows []*model.Source
	err = tx.NewSelect().Model(&rows).Column("id", "workspace_id", "name", "password").Where("password IS NOT NULL").
		Order("workspace_id", "id").Scan(ctx)
	for _, src := range rows {
		if _, err := s.sealer.Open(src.ID, src.Password); err != nil {
			lost = append(lost, src)
		}
	}
	return len(rows), lost, dbx.Err(err)
}

// previewMailbox signs in to a mailbox and returns its newest mails.
func (s *Service) previewMailbox(ctx context.Context, in *api.MailboxInput) (*api.PreviewSourcePayload, error) {
	box := mailboxOf(in)
	var invalid errs.FieldErrors
	s.checkMailbox(&invalid, box)
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	kind := model.SourceKindMailbox
	out := &api.PreviewSourcePayload{Kind: &kind, URL: addressOf(box), Name: box.Username, FeedUrls: []string{},
		Entries: []*api.SourcePreviewEntry{}, LinkGroups: []*api.SourceLinkGroup{}}
	heads, err := s.newestMails(ctx, box, in.Password, out)
	if failed, ok := errors.AsType[*mailbox.Error](err); ok {
		return nil, errs.Invalid(errs.BodyField(failed.Code(), failed.Message(), "mailbox", failed.Field()))
	}
	if err != nil {
		return nil, err
	}
	workspace := principal.Must(ctx).WorkspaceID
	if out.SourceID, err = s.sourceByURL(ctx, workspace, out.URL); err != nil {
		return nil, err
	}
	for _, head := range heads {
		entry := &api.SourcePreviewEntry{URL: out.URL + "/;UID=" + strconv.FormatUint(uint64(head.UID), 10),
			Title: optional.NonEmpty(extract.CleanTitle(head.Subject)), PublishedAt: &head.Received}
		if head.MessageID != "" {
			known, err := s.documents.FindByURL(ctx, s.db, workspace, mailKey(head, nil))
			if err != nil {
				return nil, err
			}
			if known != nil {
				entry.DocumentID = &known.ID
			}
		}
		out.Entries = append(out.Entries, entry)
	}
	return out, nil
}
