package deploy_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"rostrum/test/kit/harness"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/process"
)

// topology is three gateways behind HAProxy with deploy/haproxy.cfg, on a Postgres and a Redis of
// their own: what deploy/compose.yaml starts, as processes.
type topology struct {
	folder, url, key         string
	postgres, redis, haproxy *process.Server
	gateways                 []*process.Server
}

// TestTopology replaces one gateway after another behind HAProxy while clients of REST and GraphQL
// send requests, and others follow the events by SSE and WebSocket. No request may fail and no
// event may be missing. It uses the program ROSTRUM_TEST_PROGRAM, which make topology builds.
func TestTopology(t *testing.T) {
	program := os.Getenv("ROSTRUM_TEST_PROGRAM")
	if program == "" {
		t.Skip("needs a program in ROSTRUM_TEST_PROGRAM; run make topology")
	}
	need(t, "haproxy", "haproxy")
	need(t, "redis-server", "redis-server")
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	top := startTopology(t, program)
	l := startLoad(t, top)
	before := l.requests()
	for i, gateway := range top.gateways {
		l.awaitProgress(t)
		if err := gateway.End(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		l.awaitProgress(t) // with two gateways
		if err := gateway.Start(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, harness.LastLines(top.folder))
		}
		t.Logf("gateway %d was replaced after %d requests", i+1, l.requests()-before)
	}
	l.awaitProgress(t)
	l.finish(t)
}

// startTopology starts the servers, the gateways and HAProxy.
func startTopology(t *testing.T, program string) *topology {
	t.Helper()
	folder, err := os.MkdirTemp("", "rostrum-topology-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := errors.Join(os.Chmod(folder, 0o755), os.Mkdir(filepath.Join(folder, "files"), 0o755)); err != nil {
		t.Fatal(err) // the user postgres enters the folder
	}
	top := &topology{folder: folder}
	t.Cleanup(top.stop)
	if top.postgres, err = harness.StartPostgres(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	if top.redis, err = process.NewRedis(folder); err == nil {
		err = top.redis.Start(t.Context())
	}
	if err == nil {
		err = top.startGateways(t.Context(), program)
	}
	if err == nil {
		err = top.startProxy(t.Context())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, harness.LastLines(folder))
	}
	return top
}

// startGateways starts three gateways with the settings that compose.yaml gives them.
func (top *topology) startGateways(ctx context.Context, program string) error {
	seal := make([]byte, 32)
	_, _ = rand.Read(seal)
	for range 3 {
		gateway, err := harness.NewGateway(func() string { return program }, top.folder,
			"ROSTRUM_SEAL_KEY="+base64.StdEncoding.EncodeToString(seal), "ROSTRUM_SHUTDOWN_DELAY=3s",
			"ROSTRUM_PROXIES=127.0.0.0/8", "DATABASE_URL="+harness.DatabaseURL(top.postgres.Address),
			"REDIS_URL=redis://"+top.redis.Address, "ROSTRUM_DATA_DIR="+filepath.Join(top.folder, "files"))
		if err != nil {
			return err
		}
		if len(top.gateways) == 0 {
			if _, top.key, err = harness.CreateWorkspace(ctx, gateway, "Topology"); err != nil {
				return err
			}
		}
		top.gateways = append(top.gateways, gateway)
		if err := gateway.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// startProxy starts HAProxy with the configuration that is shipped.
func (top *topology) startProxy(ctx context.Context) error {
	address, err := process.FreeAddress()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(top.folder, "log-haproxy"))
	if err != nil {
		return err
	}
	top.url = "http://" + address
	top.haproxy = process.NewServer("HAProxy", address, func() *exec.Cmd {
		command := exec.Command("haproxy", "-db", "-f", "deploy/haproxy.cfg")
		command.Env = []string{"BIND=" + address}
		for i, gateway := range top.gateways {
			command.Env = append(command.Env, fmt.Sprintf("GATEWAY_%d=%s", i+1, gateway.Address))
		}
		command.Stdout, command.Stderr = log, log
		return command
	}, func(ctx context.Context) error {
		got := harness.Send(ctx, http.DefaultClient, http.MethodGet, top.url+"/readyz", nil, nil)
		if got.Err == nil && got.Status != http.StatusOK {
			return fmt.Errorf("/readyz returns %d through HAProxy", got.Status)
		}
		return got.Err
	})
	return top.haproxy.Start(ctx)
}

func (top *topology) stop() {
	for _, server := range append(slices.Clone(top.gateways), top.haproxy, top.redis, top.postgres) {
		if server != nil && server.Started() {
			server.Stop()
		}
	}
}

// TestProxy checks HAProxy's configuration.
func TestProxy(t *testing.T) {
	need(t, "haproxy", "haproxy")
	command := exec.CommandContext(t.Context(), "haproxy", "-c", "-f", "deploy/haproxy.cfg")
	command.Env = []string{"BIND=127.0.0.1:8080"}
	for i := range 3 {
		command.Env = append(command.Env, fmt.Sprintf("GATEWAY_%d=%s", i+1, net.JoinHostPort("127.0.0.1", "8081")))
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("haproxy -c: %v\n%s", err, out)
	}
}

// awaitProgress waits until each client has sent a few requests more.
func (l *load) awaitProgress(t *testing.T) {
	t.Helper()
	const more = 20
	var before []int64
	for _, c := range l.clients {
		before = append(before, c.sent.Load())
	}
	poll.Until(t, func() bool {
		for i, c := range l.clients {
			if c.sent.Load() < before[i]+more {
				return false
			}
		}
		return true
	}, "each client sends requests: %v", before)
}
