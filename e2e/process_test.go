package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/model"
	"rostrum/testkit"
)

// startTime is how long a process may take to answer: the first start migrates and makes the demo workspace.
const startTime = 30 * time.Second

// program builds the program, once for all tests, and gives its path; TestMain removes it.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rostrum-e2e-")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "rostrum")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

// built is the folder that program made.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// place is where processes keep their data: those of one place are gateways of one installation.
type place struct {
	name, folder, database, redis, namespace string
}

// places makes an empty place on each stack at hand: SQLite with the embedded Redis, and Postgres with a real Redis.
func places(t *testing.T) []func(testing.TB) place {
	t.Helper()
	var makers []func(testing.TB) place
	for _, backend := range testkit.Backends(t) {
		if backend.Name == "sqlite" {
			makers = append(makers, func(t testing.TB) place { return place{name: "sqlite", folder: t.TempDir()} })
		} else if redis := testkit.RedisServer(t); redis != "" {
			makers = append(makers, func(t testing.TB) place {
				return place{"postgres_redis", t.TempDir(), backend.Address(t), redis, strings.ToLower(model.NewID("e2e"))}
			})
		}
	}
	return makers
}

// eachPlace runs the test on every stack at hand, each time in an empty place.
func eachPlace(t *testing.T, test func(*testing.T, place)) {
	t.Helper()
	t.Parallel()
	names := []string{"sqlite", "postgres_redis"}
	for i, make := range places(t) {
		t.Run(names[i], func(t *testing.T) {
			t.Parallel()
			test(t, make(t))
		})
	}
}

// sharedPlace makes an empty place that several processes can use at once; without a Postgres and a Redis the test is skipped.
func sharedPlace(t *testing.T) place {
	t.Helper()
	makers := places(t)
	if len(makers) < 2 {
		t.Skip("needs Postgres and Redis")
	}
	return makers[1](t)
}

// environment is the test's own without any setting of the program, and the place's settings.
func (p place) environment(more ...string) []string {
	var env []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if name != "DATABASE_URL" && name != "REDIS_URL" && !strings.HasPrefix(name, "ROSTRUM_") && !strings.HasPrefix(name, "LLM_") {
			env = append(env, setting)
		}
	}
	modules, _ := filepath.Abs("../playground/node_modules")
	env = append(env, "ROSTRUM_DATA_DIR="+p.folder, "ROSTRUM_FETCH_ALLOW=127.0.0.0/8", "ROSTRUM_DEMO=true",
		"ROSTRUM_RATE_PER_KEY=0", "ROSTRUM_RATE_PER_ADDRESS=0", "ROSTRUM_QUERY_TIME=1m", "ROSTRUM_PLAYGROUND_DIR="+modules)
	if p.database != "" {
		env = append(env, "DATABASE_URL="+p.database, "REDIS_URL="+p.redis, "ROSTRUM_NAMESPACE="+p.namespace)
	}
	return append(env, more...)
}

// command runs one of the program's operator commands in the place and gives what it prints.
func (p place) command(t *testing.T, arguments ...string) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	defer cancel()
	command := exec.CommandContext(ctx, path, arguments...)
	command.Dir, command.Env = p.folder, p.environment()
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("rostrum %s: %v\n%s", strings.Join(arguments, " "), err, &complaint)
	}
	return strings.TrimSpace(string(out))
}

// process is a running gateway.
type process struct {
	url, key string
	command  *exec.Cmd
	log      *logbook
	ended    chan struct{}
}

// start starts a gateway in the place and waits until it is ready and the demo workspace's key is there; it ends with the test.
func (p place) start(t *testing.T) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	g := &process{url: "http://" + address, command: exec.Command(path, "serve"), log: &logbook{}, ended: make(chan struct{})}
	g.command.Dir, g.command.Env = p.folder, p.environment("ROSTRUM_ADDR="+address, "ROSTRUM_FETCH_CA="+testkit.Authority(t))
	g.command.Stdout, g.command.Stderr = g.log, g.log
	if err := g.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(g.ended)
		_ = g.command.Wait()
	}()
	t.Cleanup(func() { g.close(t) })
	g.awaitReady(t, filepath.Join(p.folder, "demo.key"))
	return g
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func (g *process) awaitReady(t *testing.T, keyFile string) {
	t.Helper()
	eventually(t, startTime, "the process becomes ready", func() error {
		select {
		case <-g.ended:
			t.Fatalf("the process ended instead of becoming ready:\n%s", g.log)
		default:
		}
		response, err := caller.Get(g.url + "/readyz")
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz answers %s", response.Status)
		}
		key, err := os.ReadFile(keyFile)
		g.key = strings.TrimSpace(string(key))
		if err == nil && g.key == "" {
			return errors.New("the demo key is not written yet")
		}
		return err
	})
}

// kill ends the process as kill -9 does.
func (g *process) kill(t *testing.T) {
	t.Helper()
	if err := g.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.ended
}

// close asks the process to end, which it must do by itself, and shows its log when the test failed.
func (g *process) close(t *testing.T) {
	_ = g.command.Process.Signal(os.Interrupt)
	select {
	case <-g.ended:
	case <-time.After(startTime):
		_ = g.command.Process.Kill()
		<-g.ended
		t.Errorf("the process did not end within %s of an interrupt", startTime)
	}
	if strings.Contains(g.log.String(), "DATA RACE") || strings.Contains(g.log.String(), "panic:") {
		t.Error("the process panicked")
	}
	if t.Failed() {
		t.Logf("the log of %s:\n%s", g.url, g.log)
	}
}

// logbook keeps the last part of what a process wrote.
type logbook struct {
	mu   sync.Mutex
	text []byte
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	if extra := len(l.text) - 32<<10; extra > 0 {
		l.text = append([]byte(nil), l.text[extra:]...)
	}
	return len(p), nil
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// eventually tries until there is no error; when the time is over the last one fails the test.
func eventually(t *testing.T, limit time.Duration, what string, try func() error) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) || t.Context().Err() != nil {
			t.Fatalf("not within %s: %s: %v", limit, what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
