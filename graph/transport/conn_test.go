package transport

import (
	"bytes"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// recordingConn records each write.
type recordingConn struct {
	net.Conn
	writes [][]byte
}

func (r *recordingConn) Write(p []byte) (int, error) {
	r.writes = append(r.writes, bytes.Clone(p))
	return len(p), nil
}

func (*recordingConn) SetWriteDeadline(time.Time) error { return nil }

func TestCoalescingConn(t *testing.T) {
	t.Parallel()
	r := &recordingConn{}
	w := &coalescingConn{Conn: r, early: []byte("early")}
	write := func(text string) {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	write("alone")
	w.startCoalescing()
	write("one ")
	w.startCoalescing()
	write("two")
	if len(r.writes) != 1 {
		t.Errorf("%d writes before the flush", len(r.writes))
	}
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	w.startCoalescing()
	long := strings.Repeat("x", maxCoalesced+1)
	write("before ")
	write(long)
	write("behind")
	if err := w.flush(); err != nil {
		t.Error(err)
	}
	var got []string
	for _, p := range r.writes {
		got = append(got, string(p))
	}
	if want := []string{"alone", "one two", "before ", long, "behind"}; !slices.Equal(got, want) {
		t.Errorf("%.100q", got)
	}
	into := make([]byte, 3)
	for _, want := range []string{"ear", "ly"} {
		if n, err := w.Read(into); string(into[:n]) != want || err != nil {
			t.Errorf("%q, %v", into[:n], err)
		}
	}
}
