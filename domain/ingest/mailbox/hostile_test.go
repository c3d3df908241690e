package mailbox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"rostrum/domain/ingest/mailbox"
	"rostrum/model"
)

// hostile is a connection of a server that a test writes by hand.
type hostile struct {
	net.Conn
	lines *bufio.Reader
	ended <-chan struct{}
}

// startHostile starts a server without encryption that answers with a func.
func startHostile(t *testing.T, answer func(*hostile)) model.Mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	ended := t.Context().Done()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				answer(&hostile{Conn: conn, lines: bufio.NewReader(conn), ended: ended})
			}()
		}
	}()
	return inboxOf(listener.Addr().(*net.TCPAddr).Port, model.MailboxSecurityNone)
}

// say writes a text; what a closed connection does not take is lost.
func (w *hostile) say(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// flood writes until the client hangs up.
func (w *hostile) flood(part string) {
	part = strings.Repeat(part, 1+4096/len(part))
	for {
		if _, err := w.Write([]byte(part)); err != nil {
			return
		}
	}
}

// serve answers as a server with one mail does, and the commands of the map in its own way.
func (w *hostile) serve(own map[string]func(tag string)) {
	w.say("* OK [CAPABILITY IMAP4rev1] hello\r\n")
	for {
		line, err := w.lines.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(strings.Replace(line, "UID ", "UID", 1))
		tag, name := words[0], words[1]
		if answer := own[name]; answer != nil {
			answer(tag)
			continue
		}
		if name == "EXAMINE" {
			w.say("* 1 EXISTS\r\n* OK [UIDVALIDITY 7] a\r\n* OK [UIDNEXT 2] b\r\n")
		}
		w.say("%s OK done\r\n", tag)
	}
}

// read does all that a poll does.
func read(ctx context.Context, box model.Mailbox) error {
	s, err := mailbox.Open(ctx, newDialer(loopback), box, "secret word")
	if err != nil {
		return err
	}
	defer s.Close()
	uids, _, err := s.UIDsAfter(ctx, 0, 3)
	if err != nil {
		return err
	}
	if len(uids) > 3 {
		return errors.New("there are more UIDs than the limit")
	}
	if _, err = s.Heads(ctx, []uint32{1}); err == nil {
		_, err = s.Mail(ctx, 1, 1000)
	}
	return err
}

func TestSession_with_hostile_servers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(w *hostile)
		want   mailbox.Kind
	}{
		"endless greeting": {func(w *hostile) { w.flood("* OK ") }, mailbox.Protocol},
		"web server":       {func(w *hostile) { w.say("HTTP/1.1 400 Bad Request\r\n\r\n") }, mailbox.Protocol},
		"hangs up":         {func(*hostile) {}, mailbox.Protocol},
		"binary":           {func(w *hostile) { w.flood("\x00\xff\x17\x03") }, mailbox.Protocol},
		"bye":              {func(w *hostile) { w.say("* BYE too many connections\r\n") }, mailbox.Busy},
		"login repeats the password": {func(w *hostile) {
			w.serve(map[string]func(string){"LOGIN": func(tag string) { w.say("%s NO not secret word\r\n", tag) }})
		}, mailbox.Refused},
		"login is not possible now": {func(w *hostile) {
			w.serve(map[string]func(string){"LOGIN": func(tag string) { w.say("%s NO [UNAVAILABLE] later\r\n", tag) }})
		}, mailbox.Busy},
		"no UIDVALIDITY": {func(w *hostile) {
			w.serve(map[string]func(string){"EXAMINE": func(tag string) { w.say("%s OK\r\n", tag) }})
		}, mailbox.Protocol},
		"endless search": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDSEARCH": func(string) { w.say("* SEARCH"); w.flood(" 1 9") }})
		}, mailbox.Protocol},
		"large head": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(string) {
				w.say("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (SUBJECT MESSAGE-ID)]<0> {90000000000}\r\n")
				w.flood("x")
			}})
		}, mailbox.Protocol},
		"nested lists": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(string) { w.say("* 1 FETCH (UID 1 BODYSTRUCTURE "); w.flood("(") }})
		}, mailbox.Protocol},
		"nested parts with texts": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(string) {
				w.say("* 1 FETCH (UID 1 BODY ")
				w.flood("((\"text\" \"plain)))\" NIL NIL NIL \"7bit\" 1 1)")
			}})
		}, mailbox.Protocol},
		"nested lists in a hidden place": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(string) {
				w.say("* LIST () NIL {29}\r\n* 1 FETCH (BODY[] {9000000}\r\n\r\n* 1 FETCH (UID 1 BODYSTRUCTURE ")
				w.flood("(")
			}})
		}, mailbox.Protocol},
		"other answers": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(string) { w.flood("* 1 FETCH (UID 1)\r\n* 5 EXISTS\r\n") }})
		}, mailbox.Protocol},
		"no mail": {func(w *hostile) {
			w.serve(map[string]func(string){"UIDFETCH": func(tag string) { w.say("%s NO broken\r\n", tag) }})
		}, mailbox.Busy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := read(t.Context(), startHostile(t, c.answer))
			failed, ok := errors.AsType[*mailbox.Error](err)
			if !ok || failed.Kind != c.want {
				t.Fatalf("%v, want %s", err, c.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error repeats the password: %v", err)
			}
		})
	}
}

// TestUIDsAfter_counts_no_range_one_by_one has a server with four billion UIDs.
func TestUIDsAfter_counts_no_range_one_by_one(t *testing.T) {
	t.Parallel()
	box := startHostile(t, func(w *hostile) {
		w.serve(map[string]func(string){"UIDSEARCH": func(tag string) {
			w.say("* ESEARCH (TAG \"%s\") UID ALL 1:4294967295\r\n%s OK\r\n", tag, tag)
		}})
	})
	s, err := mailbox.Open(t.Context(), newDialer(loopback), box, "p")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if uids, total, err := s.UIDsAfter(t.Context(), 5, 3); err != nil || len(uids) != 3 || uids[0] != 6 || total > 3 {
		t.Errorf("%v of %d, %v", uids, total, err)
	}
}

// TestMail_is_cut_at_its_limit has mails that are larger than the list says.
func TestMail_is_cut_at_its_limit(t *testing.T) {
	t.Parallel()
	box := startHostile(t, func(w *hostile) {
		w.serve(map[string]func(string){"UIDFETCH": func(string) {
			w.say("* 1 FETCH (UID 1 BODY[] {90000000000}\r\n")
			w.flood("x")
		}})
	})
	s, err := mailbox.Open(t.Context(), newDialer(loopback), box, "p")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Mail(t.Context(), 1, 1000); !errors.Is(err, mailbox.ErrTooLarge) {
		t.Error(err)
	}
}
