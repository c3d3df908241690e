package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// gatewayCount is the number of gateways of the cluster.
const gatewayCount = 3

// cluster is three gateways on one Postgres and one Redis, which they reach through proxies of their own.
type cluster struct {
	program, folder string
	postgres, redis *server
	receiver        *receiver
	gateways        []*gateway
	workspace, key  string
}

// gateway is a process with its connections to the servers.
type gateway struct {
	*server
	postgres, redis *proxy
}

func (g *gateway) url() string { return "http://" + g.address }

// buildProgram builds the program and returns its path.
func buildProgram(ctx context.Context, folder string) (string, error) {
	path := filepath.Join(folder, "rostrum")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
}

// startCluster starts the servers and the gateways, and creates a workspace with a key.
func startCluster(ctx context.Context, program, folder string) (c *cluster, err error) {
	c = &cluster{program: program, folder: filepath.Join(folder, "cluster")}
	defer func() {
		if err != nil {
			c.stop()
		}
	}()
	for _, path := range []string{c.folder, filepath.Join(c.folder, "postgres"), filepath.Join(c.folder, "files")} {
		if err := os.Mkdir(path, 0o755); err != nil { //nolint:gosec // the database server runs as another user
			return c, err
		}
	}
	if c.receiver, err = newReceiver(c.folder); err != nil {
		return c, err
	}
	if err := c.startServers(ctx); err != nil {
		return c, err
	}
	return c, c.startGateways(ctx)
}

func (c *cluster) startServers(ctx context.Context) (err error) {
	if c.postgres, err = newPostgres(ctx, filepath.Join(c.folder, "postgres")); err != nil {
		return err
	}
	if err = c.postgres.start(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, "postgres://postgres@"+c.postgres.address+"/postgres?sslmode=disable")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE rostrum"); err != nil {
		return err
	}
	if c.redis, err = newRedis(c.folder); err != nil {
		return err
	}
	return c.redis.start(ctx)
}

func (c *cluster) startGateways(ctx context.Context) error {
	seal := make([]byte, 32)
	_, _ = rand.Read(seal)
	for range gatewayCount {
		g, err := c.newGateway(base64.StdEncoding.EncodeToString(seal))
		if err != nil {
			return err
		}
		c.gateways = append(c.gateways, g)
		if len(c.gateways) == 1 {
			if err := c.createWorkspace(ctx, g); err != nil {
				return err
			}
		}
		if err := g.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) newGateway(seal string) (*gateway, error) {
	g := &gateway{}
	var err error
	if g.postgres, err = newProxy(c.postgres.address); err != nil {
		return nil, err
	}
	if g.redis, err = newProxy(c.redis.address); err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	env := append(plainEnvironment(), "ROSTRUM_ADDR="+address, "ROSTRUM_PUBLIC_URL=http://"+address, "ROSTRUM_SEAL_KEY="+seal,
		"DATABASE_URL=postgres://postgres@"+g.postgres.address()+"/rostrum?sslmode=disable", "REDIS_URL=redis://"+g.redis.address(),
		"ROSTRUM_DATA_DIR="+filepath.Join(c.folder, "files"), "ROSTRUM_FETCH_CA="+c.receiver.authority)
	log, err := os.Create(filepath.Join(c.folder, "log-"+strings.ReplaceAll(address, ":", "-")))
	if err != nil {
		return nil, err
	}
	g.server = newGatewayServer(address, func() *exec.Cmd {
		command := exec.Command(c.program, "serve")
		command.Dir, command.Env, command.Stdout, command.Stderr = c.folder, env, log, log
		return command
	})
	return g, nil
}

// newGatewayServer returns the process of a gateway.
func newGatewayServer(address string, command func() *exec.Cmd) *server {
	return &server{name: "gateway " + address, address: address, command: command, ready: func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := caller.Do(request)
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz returns %s", response.Status)
		}
		return nil
	}}
}

// plainEnvironment returns the environment without the program's settings, and the settings that all gateways have.
func plainEnvironment() []string {
	var env []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if name != "DATABASE_URL" && name != "REDIS_URL" && !strings.HasPrefix(name, "ROSTRUM_") && !strings.HasPrefix(name, "LLM_") {
			env = append(env, setting)
		}
	}
	return append(env, "ROSTRUM_FETCH_ALLOW=127.0.0.0/8", "ROSTRUM_RATE_PER_KEY=0", "ROSTRUM_RATE_PER_ADDRESS=0",
		"ROSTRUM_SESSIONS_PER_ADDRESS=0", "ROSTRUM_SHUTDOWN_DELAY=1s", "ROSTRUM_DEMO=false")
}

// createWorkspace creates a workspace of the plan team with a budget and a key, as an operator does.
func (c *cluster) createWorkspace(ctx context.Context, g *gateway) (err error) {
	if c.workspace, err = c.operate(ctx, g, "workspace", "create", "--name", "Faults", "--plan", "team"); err != nil {
		return err
	}
	if _, err = c.operate(ctx, g, "workspace", "budget", "--workspace", c.workspace, "--limit", "1000000"); err != nil {
		return err
	}
	c.key, err = c.operate(ctx, g, "key", "mint", "--workspace", c.workspace, "--name", "faults")
	return err
}

// operate runs an operator's command with the settings of a gateway and returns its output.
func (c *cluster) operate(ctx context.Context, g *gateway, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, c.program, arguments...)
	command.Dir, command.Env = c.folder, g.command().Env
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("rostrum %s: %w\n%s%s", strings.Join(arguments, " "), err, out, &problem)
	}
	return strings.TrimSpace(string(out)), nil
}

// logNotes returns the different errors in the logs of the gateways, without times and ids, with how often each was logged.
func (c *cluster) logNotes() []string {
	counts := map[string]int{}
	files, _ := filepath.Glob(filepath.Join(c.folder, "log-*"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if _, message, ok := strings.Cut(line, "level=ERROR "); ok {
				message, _, _ = strings.Cut(strings.TrimSpace(message), " request_id=")
				counts[message]++
			}
		}
	}
	notes := make([]string, 0, len(counts))
	for _, message := range sortedKeys(counts) {
		notes = append(notes, fmt.Sprintf("%d times in the logs: %.300s", counts[message], message))
	}
	return notes
}

// stop ends all processes.
func (c *cluster) stop() {
	for _, g := range c.gateways {
		stopServer(g.server)
	}
	stopServer(c.redis)
	stopServer(c.postgres)
	if c.receiver != nil {
		c.receiver.Close()
	}
}

func stopServer(s *server) {
	if s != nil && s.running != nil {
		_ = s.signal(syscall.SIGCONT)
		_ = s.end(syscall.SIGINT)
	}
}

// caller sends requests that are read to their end.
var caller = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second}}

// getJSON reads a resource from the first gateway.
func (c *cluster) getJSON(ctx context.Context, path string, out any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.gateways[0].url()+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-API-Key", c.key)
	response, err := caller.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s returns %s", path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(out)
}
