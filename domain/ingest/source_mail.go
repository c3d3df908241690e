package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/domain/ingest/mailbox"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// maxPolledMails is how many bytes of mails a poll reads; further ones wait for the next one.
	maxPolledMails = 200_000_000
	// largeMail is the size in bytes above which a mail waits for one of largeMails slots of the process,
	// because it is in memory whole.
	largeMail, largeMails = 5_000_000, 2
	// subjectLength is how many characters of a subject the name of a mail's file has.
	subjectLength = 150
	// maxRefusals is how many refused sign-ins since the last poll that succeeded pause a mailbox.
	maxRefusals = 3
	// pausedRefused follows the reason of a mailbox that is paused.
	pausedRefused = "; the source is paused so that the account is not locked: enter the password again and resume it"
)

func isRefused(failure error) bool {
	failed, ok := errors.AsType[*mailbox.Error](failure)
	return ok && failed.Kind == mailbox.Refused
}

// newestMails returns the heads of the newest mails, the newest first, and sets how many there are.
func (s *Service) newestMails(ctx context.Context, box *model.Mailbox, password string,
	out *api.PreviewSourcePayload) ([]mailbox.Head, error) {
	session, err := mailbox.Open(ctx, s.fetch, *box, password)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	out.EntryCount = int(session.Count)
	before, err := uidBefore(ctx, session, previewedEntries)
	if err != nil {
		return nil, err
	}
	uids, _, err := session.UIDsAfter(ctx, before, previewedEntries)
	if err != nil {
		return nil, err
	}
	heads, err := session.Heads(ctx, uids)
	slices.Reverse(heads)
	return heads, err
}

// uidBefore returns the UID of the mail before the newest n, or 0 if there is none.
func uidBefore(ctx context.Context, session *mailbox.Session, n uint32) (uint32, error) {
	if session.Count <= n {
		return 0, nil
	}
	uid, err := session.UIDAt(ctx, session.Count-n)
	if err == nil && uid == 0 {
		err = &mailbox.Error{Kind: mailbox.Busy, Cause: errors.New("the mail before the newest ones is gone")}
	}
	return uid, err
}

// mailPoll is a poll of a mailbox.
type mailPoll struct {
	*Service
	polled  *model.Source
	session *mailbox.Session
	src     *model.Source // as it was stored last
	place   mailPlace
	bytes   int64 // of the mails that were read
	out     pollOutcome

	leftOut  int    // mails of which no documents could be made
	firstOut string // the first of them, and why
}

// mailPlace is how far a poll has come.
type mailPlace struct {
	seen    uint32 // mails up to this UID were looked at
	passed  int    // mails that were looked at since the position was stored
	waiting int    // mails that were not looked at
}

// pollMailbox makes documents of the new mails of a mailbox. It returns errors of the database and
// errLeaseLost; a mailbox that cannot be read is an outcome.
func (s *Service) pollMailbox(ctx context.Context, src *model.Source) (pollOutcome, error) {
	p := &mailPoll{Service: s, polled: src, src: src}
	err := p.run(ctx)
	if errors.Is(err, context.DeadlineExceeded) && p.bytes > 0 {
		return p.out, nil // the rest waits for the next poll
	}
	if _, ok := errors.AsType[*mailbox.Error](err); ok || errors.Is(err, context.DeadlineExceeded) {
		p.out.failure, err = pollFailure(ctx, err), nil
	}
	if errs.Is(err, errs.BudgetExhausted) {
		p.out.waits, err = waitsForRuns(), nil
	}
	if known := errs.From(err); err != nil && known.Code != errs.Internal && !errors.Is(err, errLeaseLost) {
		p.out.waits, err = &model.SourceError{Code: string(known.Code), Message: known.Message, Retryable: true}, nil
	}
	return p.out, err
}

func (p *mailPoll) run(ctx context.Context) error {
	password, err := p.sealer.Open(p.polled.ID, p.polled.Password)
	if err != nil {
		return &mailbox.Error{Kind: mailbox.Lost, Cause: err}
	}
	if p.session, err = mailbox.Open(ctx, p.fetch, *p.polled.Mailbox, password); err != nil {
		return err
	}
	defer p.session.Close()
	if !p.src.IsKnown || p.src.UIDValidity != p.session.UIDValidity {
		if err := p.startOver(ctx); err != nil {
			return err
		}
	}
	uids, total, err := p.session.UIDsAfter(ctx, p.src.UIDSeen, maxTaken)
	if err != nil {
		return err
	}
	p.place = mailPlace{seen: p.src.UIDSeen, waiting: total}
	for some := range slices.Chunk(uids, mailbox.MaxHeads) {
		heads, err := p.session.Heads(ctx, some)
		if err != nil {
			return err
		}
		p.place.waiting -= len(some) - len(heads) // the others are gone
		for _, head := range heads {
			if more, err := p.takeMail(ctx, head); err != nil || !more {
				return errors.Join(err, p.storePosition(ctx))
			}
		}
		p.place.seen = some[len(some)-1]
		if err := p.storePosition(ctx); err != nil {
			return err
		}
	}
	return nil
}

// startOver sets the position before the newest mails: at the first poll those of which documents are
// made, later all that a poll looks at. Of those only the ones that came since the source was added
// become documents.
func (p *mailPoll) startOver(ctx context.Context) error {
	newest := uint32(firstEntries)
	if p.src.IsKnown || p.src.TakesAll {
		newest = maxEntries
	}
	before, err := uidBefore(ctx, p.session, newest)
	if err != nil {
		return err
	}
	last := uint32(0)
	if p.src.IsKnown && !p.src.TakesAll {
		if last, err = uidBefore(ctx, p.session, 0); err != nil {
			return err
		}
	}
	return p.change(ctx, func(_ context.Context, _ dbx.Tx, src *model.Source) error {
		src.IsKnown, src.UIDValidity, src.UIDSeen, src.UIDOld = true, p.session.UIDValidity, before, last
		return nil
	})
}

// change changes the source in a transaction, if this poll still has its lease.
func (p *mailPoll) change(ctx context.Context,
	change func(ctx context.Context, tx dbx.Tx, src *model.Source) error) error {
	return p.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := p.lockLeased(ctx, tx, p.polled)
		if err != nil {
			return err
		}
		if err := change(ctx, tx, src); err != nil {
			return err
		}
		p.src = src
		return saveSource(ctx, tx, src)
	})
}

// advance sets how far the mailbox was read.
func (p *mailPoll) advance(src *model.Source) {
	src.UIDSeen, src.WaitingCount = p.place.seen, max(p.place.waiting, 0)
	src.EntriesSeen += p.place.passed
}

// storePosition stores that mails were looked at of which no documents are made.
func (p *mailPoll) storePosition(ctx context.Context) error {
	err := p.change(ctx, func(_ context.Context, _ dbx.Tx, src *model.Source) error {
		p.advance(src)
		return nil
	})
	if err == nil {
		p.place.passed = 0
	}
	return err
}

// pass notes a mail that was looked at.
func (p *mailPoll) pass(head mailbox.Head) {
	p.place.seen = head.UID
	p.place.passed++
	p.place.waiting--
}

// leaveOut passes a mail of which no document can be made, and notes why.
func (p *mailPoll) leaveOut(head mailbox.Head, code, reason string) {
	p.pass(head)
	if p.leftOut++; p.leftOut > 1 {
		p.out.leftOut.Message = fmt.Sprintf("%d mails were left out, the first %s", p.leftOut, p.firstOut)
		return
	}
	p.firstOut = fmt.Sprintf("%q: %s", shorten(head.Subject), reason)
	p.out.leftOut = &model.SourceError{Code: code, Message: "a mail was left out, " + p.firstOut}
}

// takeMail makes documents of a mail and its attachments, unless the source does not want it or the
// workspace has it. It reports whether the poll may read on.
func (p *mailPoll) takeMail(ctx context.Context, head mailbox.Head) (more bool, err error) {
	known, err := p.isPassed(ctx, head)
	switch {
	case err != nil:
		return false, err
	case known:
		p.pass(head)
		return true, nil
	case head.Size > maxUpload:
		p.leaveOut(head, string(errs.TooLarge), "it is over 50 MB")
		return true, nil
	case p.bytes > 0 && p.bytes+head.Size > maxPolledMails:
		return false, nil
	}
	release, err := p.acquireMail(ctx, head)
	if err != nil {
		return false, err
	}
	defer release()
	body, err := p.session.Mail(ctx, head.UID, maxUpload)
	p.bytes += int64(len(body))
	failed, _ := errors.AsType[*mailbox.Error](err)
	switch {
	case errors.Is(err, mailbox.ErrTooLarge):
		p.leaveOut(head, string(errs.TooLarge), "it is over 50 MB")
		return false, nil // the connection is closed
	case failed != nil && failed.Kind == mailbox.Unreadable:
		p.leaveOut(head, failed.Code(), failed.Message())
		return true, nil
	case err != nil:
		return false, err
	case body == nil: // it was deleted meanwhile
		p.pass(head)
		return true, nil
	}
	return true, p.storeMail(ctx, head, body)
}

// acquireMail waits for a slot if the mail is large.
func (p *mailPoll) acquireMail(ctx context.Context, head mailbox.Head) (release func(), err error) {
	if head.Size <= largeMail {
		return func() {}, nil
	}
	select {
	case p.mails <- struct{}{}:
		return func() { <-p.mails }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// isPassed reports whether a mail becomes no document: its subject does not fit, it was there before
// the source, or the workspace has it.
func (p *mailPoll) isPassed(ctx context.Context, head mailbox.Head) (bool, error) {
	if !isWanted(p.src, extract.FeedEntry{Title: head.Subject}) ||
		head.UID <= p.src.UIDOld && head.Received.Before(p.src.CreatedAt) {
		return true, nil
	}
	if head.MessageID == "" {
		return false, nil
	}
	known, err := p.documents.FindByURL(ctx, p.db, p.src.WorkspaceID, mailKey(head, nil))
	return known != nil, err
}

// mailKey identifies a mail: by its Message-ID, or by its bytes if it has none.
func mailKey(head mailbox.Head, body []byte) string {
	if head.MessageID != "" {
		return "mail:" + digestOf("id", head.MessageID)
	}
	return "mail:" + digestOf("bytes", string(body))
}

// mailName returns the name of a mail's file.
func mailName(subject string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, subject)
	if name = strings.TrimSpace(shorten(name)); name == "" {
		name = "mail"
	}
	return name + ".eml"
}

func shorten(subject string) string {
	text := []rune(subject)
	return string(text[:min(len(text), subjectLength)])
}

// storeMail stores the documents of a mail and of its attachments together with the position: a mail
// is looked at exactly if its documents were committed.
func (p *mailPoll) storeMail(ctx context.Context, head mailbox.Head, body []byte) error {
	var docs []*model.Document
	b := newFileBatch(p.Service, p.requestBy(p.src))
	b.keep = func(_ context.Context, doc *model.Document) error {
		docs = append(docs, doc)
		return nil
	}
	discard := func(cause error) {
		for _, doc := range docs {
			p.documents.DiscardOriginal(context.WithoutCancel(ctx), doc.Original, cause)
		}
	}
	err := b.add(ctx, givenFile{path: mailName(head.Subject), body: body})
	if err = cmp.Or(err, b.failure); err != nil {
		discard(err)
		return err
	}
	if len(docs) == 0 {
		refusal := b.out.Files[0].Refusal
		p.leaveOut(head, refusal.Code, refusal.Message)
		return nil
	}
	key, before := mailKey(head, body), p.place
	docs[0].CanonicalURL = &key
	p.pass(head)
	isKnown := false
	err = p.change(ctx, func(ctx context.Context, tx dbx.Tx, src *model.Source) (err error) {
		if isKnown, err = p.insertMail(ctx, tx, b, docs); err != nil {
			return err
		}
		if !isKnown {
			src.DocumentsCreated += len(docs)
		}
		p.advance(src)
		return nil
	})
	if err != nil || isKnown {
		discard(err)
	}
	p.place.passed = 0
	if err != nil {
		p.place = before
	}
	return err
}

// insertMail stores the documents of a mail, the mail itself first, unless the workspace has the mail.
func (p *mailPoll) insertMail(ctx context.Context, tx dbx.Tx, b *fileBatch, docs []*model.Document) (isKnown bool,
	err error) {
	workspace := p.src.WorkspaceID
	if _, err := p.accounts.LockWorkspace(ctx, tx, workspace); err != nil {
		return false, err
	}
	known, err := p.documents.FindByURL(ctx, tx, workspace, *docs[0].CanonicalURL)
	if err != nil || known != nil {
		return known != nil, err
	}
	for _, doc := range docs {
		if err := b.insertTx(ctx, tx, doc); err != nil {
			return false, err
		}
	}
	return false, nil
}
