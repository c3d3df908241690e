package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// splitRequest is a request whose second part is sent later.
type splitRequest struct {
	name        string
	reused      bool // the connection has served a request before
	first, rest string
	conn        net.Conn
	answers     *bufio.Reader
}

// splitRequests returns requests of which a part of the header, the header or a part of the body is
// sent at first.
func splitRequests(key string) []*splitRequest {
	header := func(path, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: test\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, key, len(body))
	}
	document := `{"title": "Late", "content": "` + strings.Repeat("This request was open. ", 9000) + `"}`
	query := `{"query": "{ documents { totalCount } }"}`
	var all []*splitRequest
	for _, path := range []string{"/api/v1/documents", "/graphql"} {
		body := document
		if path == "/graphql" {
			body = query
		}
		whole := header(path, body) + body
		for name, at := range map[string]int{
			"a method": 2, "a part of the header": 30,
			"all but the last byte of the header": len(header(path, body)) - 1,
			"a header":                            len(header(path, body)),
			"a part of the body":                  len(whole) - len(body)/2,
		} {
			for _, reused := range []bool{false, true} {
				all = append(all, &splitRequest{name: fmt.Sprintf("%s of %s, reused: %t", name, path, reused),
					reused: reused, first: whole[:at], rest: whole[at:]})
			}
		}
	}
	return all
}

// connect opens the connection and, if it is to be reused, sends a whole request on it.
func (s *splitRequest) connect(t *testing.T, address string) {
	t.Helper()
	s.conn, s.answers = dialGateway(t, address)
	if s.reused {
		sendWhole(t, s.conn, s.answers)
	}
}

// sendParts sends one part of every request. The gateway refuses a request whose parts are 10
// seconds apart, so no answer is read in between.
func sendParts(t *testing.T, requests []*splitRequest, part func(*splitRequest) string) {
	t.Helper()
	var sent errgroup.Group
	for _, r := range requests {
		sent.Go(func() error {
			if _, err := io.WriteString(r.conn, part(r)); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			return nil
		})
	}
	if err := sent.Wait(); err != nil {
		t.Error(err)
	}
}

// checkAnswer reads the response, which must be successful and end the connection.
func (s *splitRequest) checkAnswer(t *testing.T) {
	t.Helper()
	response, err := http.ReadResponse(s.answers, nil)
	if err != nil {
		t.Errorf("%s: no response: %v", s.name, err)
		return
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !response.Close {
		t.Errorf("%s: %s, close: %t, %.200s (%v)", s.name, response.Status, response.Close, text, err)
	}
	if _, err := s.answers.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("%s: the connection stays open: %v", s.name, err)
	}
}

func dialGateway(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(startTimeout))
	return conn, bufio.NewReader(conn)
}

// sendWhole sends a request and reads its response, after which the connection is idle.
func sendWhole(t *testing.T, conn net.Conn, answers *bufio.Reader) {
	t.Helper()
	_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n")
	response, err := http.ReadResponse(answers, nil)
	if err != nil || response.Close {
		t.Fatalf("the connection does not stay open: %v", err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
}

// TestShutdown_half_sent terminates a gateway to which 20 requests were sent in part. Idle
// connections are closed, and each request is answered when its other part arrives.
func TestShutdown_half_sent(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		address := strings.TrimPrefix(g.url, "http://")
		requests := splitRequests(g.key)
		for _, r := range requests {
			r.connect(t, address)
		}
		idle, idleAnswers := dialGateway(t, address)
		sendWhole(t, idle, idleAnswers)
		sendParts(t, requests, func(r *splitRequest) string { return r.first })
		if err := g.command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _, err := idleAnswers.ReadByte(); !errors.Is(err, io.EOF) {
			t.Errorf("the idle connection stays open: %v", err)
		}
		awaitSuccess(t, startTimeout, "the listener is closed", func() error {
			probe, err := net.Dial("tcp", address)
			if err != nil {
				return nil
			}
			probe.Close()
			return os.ErrExist
		})
		if len(requests) != 20 {
			t.Errorf("%d requests were sent in part", len(requests))
		}
		sendParts(t, requests, func(r *splitRequest) string { return r.rest })
		for _, r := range requests {
			r.checkAnswer(t)
		}
		<-g.ended
		if !g.command.ProcessState.Success() {
			t.Errorf("the process ends with %s", g.command.ProcessState)
		}
	})
}
