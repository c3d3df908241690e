package mailbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/net/html/charset"

	"rostrum/errs"
)

const (
	// MaxHeads is how many mails Heads reads at once.
	MaxHeads = 100
	// headBytes is the longest head that is read of a mail.
	headBytes = 16 << 10
)

// ErrTooLarge reports a mail that is over the limit. The session is closed.
var ErrTooLarge = errs.New(errs.TooLarge, "the mail is too large")

// Head is what the list of a folder has of a mail.
type Head struct {
	UID       uint32
	Size      int64
	Received  time.Time
	Subject   string
	MessageID string // without its brackets; empty if the mail has none
}

// UIDAt returns the UID of the mail at a place in the folder, from 1, or 0 if it is gone.
func (s *Session) UIDAt(ctx context.Context, place uint32) (uint32, error) {
	found, err := s.fetch(ctx, imap.SeqSetNum(place), &imap.FetchOptions{UID: true})
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return uint32(found[0].UID), nil
}

// UIDsAfter returns the lowest UIDs above one, at most limit in ascending order, and how many there
// are in all.
func (s *Session) UIDsAfter(ctx context.Context, uid uint32, limit int) (uids []uint32, total int, err error) {
	var found *imap.SearchData
	criteria := &imap.SearchCriteria{UID: []imap.UIDSet{{imap.UIDRange{Start: imap.UID(uid) + 1}}}}
	err = s.do(ctx, commandTime, commandBytes, func() (err error) {
		found, err = s.client.UIDSearch(criteria, nil).Wait()
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	set, _ := found.All.(imap.UIDSet)
	for _, r := range set { // sorted; a range may have four billion UIDs
		first, last := max(uint32(r.Start), uid+1), uint32(r.Stop)
		if first > last { // n:* has the last mail, also if it is below n
			continue
		}
		total = min(total+int(last-first)+1, int(s.Count))
		for next := first; len(uids) < limit && next <= last && next >= first; next++ {
			uids = append(uids, next)
		}
	}
	return uids, max(total, len(uids)), nil
}

// headOptions ask for the head of a mail. Its own lines are read and not the server's ENVELOPE, which
// some servers write so that it cannot be read.
var headOptions = &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true,
	BodySection: []*imap.FetchItemBodySection{{Specifier: imap.PartSpecifierHeader, Peek: true,
		HeaderFields: []string{"Subject", "Message-ID"}, Partial: &imap.SectionPartial{Size: headBytes}}}}

// Heads returns the heads of up to MaxHeads mails in the order of their UIDs. It omits those that are
// gone.
func (s *Session) Heads(ctx context.Context, uids []uint32) ([]Head, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	found, err := s.fetch(ctx, setOf(uids...), headOptions)
	heads := make([]Head, 0, len(found))
	for _, one := range found {
		head := Head{UID: uint32(one.UID), Size: one.RFC822Size, Received: one.InternalDate}
		for _, section := range one.BodySection {
			head.Subject, head.MessageID = readHead(section.Bytes)
		}
		heads = append(heads, head)
	}
	slices.SortFunc(heads, func(a, b Head) int { return cmp.Compare(a.UID, b.UID) })
	return heads, err
}

func setOf(uids ...uint32) imap.UIDSet {
	var set imap.UIDSet
	for _, uid := range uids {
		set.AddNum(imap.UID(uid))
	}
	return set
}

// readHead returns the subject and the identifier of a mail. Of lines that it cannot read it returns
// the text, or nothing.
func readHead(lines []byte) (subject, id string) {
	parsed, err := mail.ReadMessage(bytes.NewReader(append(bytes.TrimRight(lines, "\r\n"), "\r\n\r\n"...)))
	if err != nil {
		return "", ""
	}
	decoder := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	subject = parsed.Header.Get("Subject")
	if decoded, err := decoder.DecodeHeader(subject); err == nil {
		subject = decoded
	}
	subject = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(subject, "\x00", ""), "\uFFFD")), " ")
	return subject, strings.Trim(strings.TrimSpace(parsed.Header.Get("Message-Id")), "<>")
}

// fetch returns what a FETCH without whole mails finds.
func (s *Session) fetch(ctx context.Context, set imap.NumSet, options *imap.FetchOptions) (
	found []*imapclient.FetchMessageBuffer, err error) {
	err = s.do(ctx, commandTime, commandBytes, func() (err error) {
		found, err = s.client.Fetch(set, options).Collect()
		return err
	})
	return found, err
}

// Mail returns the bytes of a mail without marking it as read, or nil if it is gone. It returns
// ErrTooLarge for one that is longer than limit, whatever size the server names in the list, and
// *Error of the kind Unreadable for one that the server refuses to give.
func (s *Session) Mail(ctx context.Context, uid uint32, limit int64) (body []byte, err error) {
	err = s.do(ctx, mailTime, limit+mailOverhead, func() error {
		command := s.client.Fetch(setOf(uid), &imap.FetchOptions{UID: true,
			BodySection: []*imap.FetchItemBodySection{{Peek: true}}})
		for message := command.Next(); message != nil; message = command.Next() {
			for item := message.Next(); item != nil; item = message.Next() {
				section, ok := item.(imapclient.FetchItemDataBodySection)
				if !ok || section.Literal == nil {
					continue
				}
				if section.Literal.Size() > limit {
					s.conn.Close()
					err = ErrTooLarge
					continue
				}
				body, _ = io.ReadAll(section.Literal) // the command has the error
			}
		}
		return errors.Join(err, command.Close())
	})
	if errors.Is(err, ErrTooLarge) {
		return nil, ErrTooLarge
	}
	return body, refusedAs(Unreadable, err)
}
