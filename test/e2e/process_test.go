package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/process"
	"rostrum/test/kit/webhooktest"
)

// startTimeout is the maximum time until a process responds: the first start may migrate and
// creates the demo workspace.
const startTimeout = 2 * time.Minute

// buildProgram builds the program, once for all tests, and returns its path; TestMain removes it.
// It is that of "make release", or without the console that of "make run".
var buildProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rostrum-e2e-")
	if err != nil {
		return "", err
	}
	buildFolder = dir
	var flags []string
	if _, err := os.Stat(consolePage); err == nil {
		flags = []string{"-tags=release", "-ldflags=-s -w"}
	}
	return process.BuildProgram(context.Background(), "../..", dir, flags...)
})

// consolePage is a file of the built console.
const consolePage = "../../console/dist/index.html"

// buildFolder is the folder that buildProgram created.
var buildFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, folder := range []string{buildFolder, packageFolder} {
		if folder != "" {
			_ = os.RemoveAll(folder)
		}
	}
	os.Exit(code)
}

// installation is the storage of an installation: its processes share a database and a Redis.
type installation struct {
	name, folder, database, redis, namespace string
	// defaultDemo leaves the setting about the demo workspace to the program.
	defaultDemo bool
}

// programFiles are the files that are compiled for the program and for no test.
var programFiles = []string{"../../main.go", "../../console/embed.go", "../../domain/ingest/extract/race_off.go"}

// programPath returns the path of the program. It looks at the files that only the program has, so
// that go test runs the tests again after a change of one instead of printing their last result.
func programPath(t *testing.T) string {
	t.Helper()
	for _, path := range programFiles {
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
	}
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// openDatabase returns the address of a new database: [dbtest.Backend.Address] migrates it, and
// [dbtest.Backend.EmptyAddress] leaves that to the program.
type openDatabase func(dbtest.Backend, testing.TB) string

// newInstallations returns a new installation for each available stack: SQLite with the embedded
// Redis, and Postgres with a real Redis.
func newInstallations(t *testing.T, open openDatabase) []func(testing.TB) installation {
	t.Helper()
	var makers []func(testing.TB) installation
	for _, backend := range dbtest.Backends(t) {
		if backend.Name == "sqlite" {
			makers = append(makers, func(t testing.TB) installation {
				return installation{name: "sqlite", folder: filepath.Dir(open(backend, t))}
			})
		} else if redis := dbtest.RedisAddress(t); redis != "" {
			makers = append(makers, func(t testing.TB) installation {
				return installation{
					name: "postgres_redis", folder: t.TempDir(), database: open(backend, t), redis: redis,
					namespace: strings.ToLower(model.NewID("e2e")),
				}
			})
		}
	}
	return makers
}

// sqliteInstallation returns a new installation with SQLite.
func sqliteInstallation(t *testing.T) installation {
	t.Helper()
	return newInstallations(t, dbtest.Backend.Address)[0](t)
}

// eachInstallation runs the test on every available stack, each time in a new installation.
func eachInstallation(t *testing.T, test func(*testing.T, installation)) {
	t.Helper()
	eachDatabase(t, dbtest.Backend.Address, test)
}

// eachEmptyInstallation is eachInstallation with databases that the program migrates at its first
// start.
func eachEmptyInstallation(t *testing.T, test func(*testing.T, installation)) {
	t.Helper()
	eachDatabase(t, dbtest.Backend.EmptyAddress, test)
}

func eachDatabase(t *testing.T, open openDatabase, test func(*testing.T, installation)) {
	t.Helper()
	t.Parallel()
	names := []string{"sqlite", "postgres_redis"}
	for i, make := range newInstallations(t, open) {
		t.Run(names[i], func(t *testing.T) {
			t.Parallel()
			test(t, make(t))
		})
	}
}

// sharedInstallation returns a new installation that so many processes share; without a Postgres
// and a Redis the test is skipped.
func sharedInstallation(t *testing.T, processes int) installation {
	t.Helper()
	makers := newInstallations(t, dbtest.Backend.Address)
	if len(makers) < 2 {
		t.Skip("needs Postgres and Redis")
	}
	p := makers[1](t)
	dbtest.ReserveConns(t, processes-1)
	return p
}

// environment returns the test's environment without the program's settings, and the installation's
// settings.
func (p installation) environment(more ...string) []string {
	var env []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if name != "DATABASE_URL" && name != "REDIS_URL" && !strings.HasPrefix(name, "ROSTRUM_") &&
			!strings.HasPrefix(name, "LLM_") {
			env = append(env, setting)
		}
	}
	modules, _ := filepath.Abs("../../asset/playground/node_modules")
	env = append(env, "ROSTRUM_DATA_DIR="+p.folder, "ROSTRUM_FETCH_ALLOW=127.0.0.0/8",
		"ROSTRUM_RATE_PER_KEY=0", "ROSTRUM_RATE_PER_ADDRESS=0", "ROSTRUM_SESSIONS_PER_ADDRESS=0",
		"ROSTRUM_SHUTDOWN_DELAY=0s", "ROSTRUM_QUERY_TIME=1m",
		"ROSTRUM_PLAYGROUND_DIR="+modules)
	if !p.defaultDemo {
		env = append(env, "ROSTRUM_DEMO=true")
	}
	if p.database != "" {
		env = append(env, "DATABASE_URL="+p.database, "REDIS_URL="+p.redis, "ROSTRUM_NAMESPACE="+p.namespace)
	}
	return append(env, more...)
}

// command runs an operator command of the program in the installation and returns its output.
func (p installation) command(t *testing.T, arguments ...string) string {
	t.Helper()
	return p.commandWithInput(t, "", arguments...)
}

// commandWithInput is command with a standard input.
func (p installation) commandWithInput(t *testing.T, input string, arguments ...string) string {
	t.Helper()
	path := programPath(t)
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, path, arguments...)
	command.Dir, command.Env, command.Stdin = p.folder, p.environment(), strings.NewReader(input)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("rostrum %s: %v\n%s", strings.Join(arguments, " "), err, &complaint)
	}
	return strings.TrimSpace(string(out))
}

// gateway is a running process.
type gateway struct {
	url, key string
	command  *exec.Cmd
	log      *logTail
	ended    chan struct{}
}

// start starts a gateway in the installation, with further settings, and waits until it is ready
// and the demo workspace's key is written; it stops with the test.
func (p installation) start(t *testing.T, settings ...string) *gateway {
	t.Helper()
	address := freeAddress(t)
	g := &gateway{url: "http://" + address, command: exec.Command(programPath(t), "serve"), log: &logTail{},
		ended: make(chan struct{})}
	g.command.Dir = p.folder
	g.command.Env = p.environment(append(settings, "ROSTRUM_ADDR="+address,
		"ROSTRUM_FETCH_CA="+webhooktest.Authority(t))...)
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
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func (g *gateway) awaitReady(t *testing.T, keyFile string) {
	t.Helper()
	awaitSuccess(t, startTimeout, "the process becomes ready", func() error {
		select {
		case <-g.ended:
			t.Fatalf("the process exited before it was ready:\n%s", g.log)
		default:
		}
		response, err := caller.Get(g.url + "/readyz")
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz returns %s", response.Status)
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
func (g *gateway) kill(t *testing.T) {
	t.Helper()
	if err := g.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.ended
}

// close interrupts the process, which must exit by itself, and prints its log when the test failed.
func (g *gateway) close(t *testing.T) {
	_ = g.command.Process.Signal(os.Interrupt)
	select {
	case <-g.ended:
	case <-time.After(startTimeout):
		_ = g.command.Process.Kill()
		<-g.ended
		t.Errorf("the process did not exit within %s of an interrupt", startTimeout)
	}
	if strings.Contains(g.log.String(), "DATA RACE") || strings.Contains(g.log.String(), "panic:") {
		t.Error("the process panicked")
	}
	if t.Failed() {
		t.Logf("the log of %s:\n%s", g.url, g.log)
	}
}

// logTail keeps the last part of a process's output.
type logTail struct {
	mu   sync.Mutex
	text []byte
}

func (l *logTail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	if extra := len(l.text) - 32<<10; extra > 0 {
		l.text = append([]byte(nil), l.text[extra:]...)
	}
	return len(p), nil
}

func (l *logTail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// awaitSuccess retries until there is no error; after the limit the last error fails the test.
func awaitSuccess(t *testing.T, limit time.Duration, label string, try func() error) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) || t.Context().Err() != nil {
			t.Fatalf("%[2]s: not within %[1]s: %[3]v", limit, label, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
