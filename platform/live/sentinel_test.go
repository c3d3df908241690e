package live_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/process"
)

// startRedis starts a Redis with the lines of a configuration, and returns it with its port.
func startRedis(t *testing.T, password string, lines ...string) (server *process.Server, port string) {
	t.Helper()
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(address)
	path := filepath.Join(t.TempDir(), "redis.conf")
	lines = append(lines, "bind 127.0.0.1", "port "+port, "dir "+filepath.Dir(path))
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func() *exec.Cmd {
		if password == "" {
			return exec.Command("redis-server", path, "--sentinel")
		}
		return exec.Command("redis-server", path)
	}
	client := redis.NewClient(&redis.Options{Addr: address, Password: password})
	server = process.NewServer("Redis", address, command, func(ctx context.Context) error { return client.Ping(ctx).Err() })
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server, port
}

// TestSentinel kills the server behind a Sentinel: its replica takes over, has what was stored, and notifications
// arrive again.
func TestSentinel(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("redis-server"); err != nil {
		dbtest.Missing(t, "redis-server", err) // which fails where servers are required, as in CI
		t.Skip("redis-server is not installed")
	}
	const password = "s3cret"
	protected := []string{"requirepass " + password, "masterauth " + password, `save ""`}
	first, firstPort := startRedis(t, password, protected...)
	second, _ := startRedis(t, password, append(protected, "replicaof 127.0.0.1 "+firstPort)...)
	_, sentinelPort := startRedis(t, "", "sentinel monitor main 127.0.0.1 "+firstPort+" 1", "sentinel auth-pass main "+password,
		"sentinel down-after-milliseconds main 1000", "sentinel failover-timeout main 5000")
	config := live.Config{Address: fmt.Sprintf("redis://127.0.0.1:%s/0?master_name=main&password=%s", sentinelPort, password),
		Namespace: "sentinel"}
	one, two := dbtest.OpenLive(t, config), dbtest.OpenLive(t, config)
	awaitCondition(t, "both are connected", func() bool { return one.Connected() && two.Connected() })
	if err := one.Client().Set(t.Context(), "kept", "yes", 0).Err(); err != nil {
		t.Fatal(err)
	}
	replica := redis.NewClient(&redis.Options{Addr: second.Address, Password: password})
	awaitCondition(t, "the replica has the value", func() bool { return replica.Get(t.Context(), "kept").Val() == "yes" })
	s := subscribeTopic(t, two, "mine")
	if err := first.End(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitCondition(t, "the replica takes over", func() bool { return one.Client().Set(t.Context(), "later", "yes", 0).Err() == nil })
	if kept, err := one.Client().Get(t.Context(), "kept").Result(); err != nil || kept != "yes" {
		t.Errorf("the stored value is %q (%v)", kept, err)
	}
	awaitCondition(t, "messages arrive again", func() bool {
		one.Publish(t.Context(), "mine", []byte("hello"))
		return len(s.C()) > 0
	})
}
