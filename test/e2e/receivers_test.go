package e2e

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/domain/webhook/message"
)

// TestReceivers starts the examples that receive webhooks. They accept signed deliveries, and refuse
// other ones.
func TestReceivers(t *testing.T) {
	t.Parallel()
	needClients(t)
	folder := buildPackages(t)
	for name, command := range map[string]func(port string) *exec.Cmd{
		"express": nodeReceiver(t, "express.mjs"),
		"hono":    nodeReceiver(t, "hono.mjs"),
		"net_http": func(string) *exec.Cmd {
			return exec.CommandContext(t.Context(), filepath.Join(folder, "receiver"))
		},
		"fastapi": func(port string) *exec.Cmd {
			return pythonCommand(t.Context(), folder, "-m", "uvicorn", "--port", port, "--app-dir",
				filepath.Join(clients, "python/examples"), "receiver:app")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testReceiver(t, command)
		})
	}
}

func nodeReceiver(t *testing.T, file string) func(string) *exec.Cmd {
	return func(string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "node", filepath.Join(clients, "typescript/examples", file))
	}
}

func testReceiver(t *testing.T, newCommand func(port string) *exec.Cmd) {
	t.Helper()
	secret, stranger := message.NewSecret(), message.NewSecret()
	address := freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	command := newCommand(port)
	if command.Env == nil {
		command.Env = os.Environ()
	}
	command.Env = append(command.Env, "PORT="+port, "WEBHOOK_SECRET="+secret)
	log := &logTail{}
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	awaitSuccess(t, startTimeout, "the receiver listens", func() error {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err == nil {
			connection.Close()
		}
		return err
	})
	for name, c := range map[string]struct {
		secrets []string
		age     time.Duration
		body    string
		want    int
	}{
		"signed":                       {[]string{secret}, 0, "", http.StatusNoContent},
		"signed during a rotation":     {[]string{stranger, secret}, 0, "", http.StatusNoContent},
		"signed with another secret":   {[]string{stranger}, 0, "", http.StatusUnauthorized},
		"sent again after ten minutes": {[]string{secret}, 10 * time.Minute, "", http.StatusUnauthorized},
		"of the future":                {[]string{secret}, -10 * time.Minute, "", http.StatusUnauthorized},
		"changed on the way":           {[]string{secret}, 0, `{"event":"link.opened"}`, http.StatusUnauthorized},
		"without a signature":          {nil, 0, "", http.StatusUnauthorized},
	} {
		if got := deliver(t, "http://"+address+"/hook", c.secrets, c.age, c.body); got != c.want {
			t.Errorf("a delivery %s gets %d, want %d\n%s", name, got, c.want, log)
		}
	}
	awaitSuccess(t, startTimeout, "the event is printed", func() error {
		if !strings.Contains(log.String(), "evt_1 document.ready") {
			return errors.New("it is not")
		}
		return nil
	})
}

// deliver posts an event as the gateway does, and returns the status. It sends another body than the
// one that is signed, if one is given.
func deliver(t *testing.T, address string, secrets []string, age time.Duration, sent string) int {
	t.Helper()
	const body = `{"event":"document.ready","data":{"title":"Grüße"},"timestamp":"2026-01-01T00:00:00Z"}`
	at := time.Now().Add(-age)
	if sent == "" {
		sent = body
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"application/json"}}
	request.Header.Set(message.HeaderID, "evt_1")
	request.Header.Set(message.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	if secrets != nil {
		signature, err := message.Sign(secrets, "evt_1", at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(message.HeaderSignature, signature)
	}
	response, err := caller.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}
