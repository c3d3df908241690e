package main

import (
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
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/test/kit/process"
	"rostrum/test/kit/proxy"
)

// gatewayCount is the number of gateways of the cluster.
const gatewayCount = 3

// cluster is three gateways on one Postgres and one Redis, which they reach through proxies of
// their own.
type cluster struct {
	program, folder string
	postgres, redis *process.Server
	receiver        *receiver
	clock           *clock
	gateways        []*gateway
	workspace, key  string
}

// gateway is a process with its connections to the servers.
type gateway struct {
	*process.Server
	postgres, redis *proxy.Proxy
}

func (g *gateway) url() string { return "http://" + g.Address }

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
	if c.clock, err = newClock(c.folder); err != nil {
		return c, err
	}
	if err := c.startServers(ctx); err != nil {
		return c, err
	}
	return c, c.startGateways(ctx)
}

func (c *cluster) startServers(ctx context.Context) (err error) {
	if c.postgres, err = process.NewPostgres(ctx, filepath.Join(c.folder, "postgres"),
		c.clock.environment()...); err != nil {
		return err
	}
	if err = c.postgres.Start(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, "postgres://postgres@"+c.postgres.Address+"/postgres?sslmode=disable")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE rostrum"); err != nil {
		return err
	}
	if c.redis, err = process.NewRedis(c.folder); err != nil {
		return err
	}
	return c.redis.Start(ctx)
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
		if err := g.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) newGateway(seal string) (*gateway, error) {
	g := &gateway{}
	var err error
	if g.postgres, err = proxy.New(c.postgres.Address); err != nil {
		return nil, err
	}
	if g.redis, err = proxy.New(c.redis.Address); err != nil {
		return nil, err
	}
	address, err := process.FreeAddress()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(c.folder, "log-"+strings.ReplaceAll(address, ":", "-")))
	if err != nil {
		return nil, err
	}
	g.Server = process.NewGateway(address, func() *exec.Cmd {
		command := process.ServeCommand(c.program, c.folder, address, "ROSTRUM_PUBLIC_URL=http://"+address,
			"ROSTRUM_SEAL_KEY="+seal,
			"DATABASE_URL=postgres://postgres@"+g.postgres.Address()+"/rostrum?sslmode=disable", "REDIS_URL=redis://"+
				g.redis.Address(),
			"ROSTRUM_DATA_DIR="+filepath.Join(c.folder, "files"), "ROSTRUM_FETCH_CA="+c.receiver.authority)
		command.Stdout, command.Stderr = log, log
		return command
	})
	return g, nil
}

// createWorkspace creates a workspace of the plan team with a budget and a key, as an operator
// does.
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
	return process.Operate(ctx, g.Command(), arguments...)
}

// logNotes returns the different errors in the logs of the gateways, without times and ids, with
// how often each was logged.
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

// lastLines returns the last lines of the log of each gateway, which tell why it exited.
func (c *cluster) lastLines() string {
	const count = 5
	var out strings.Builder
	files, _ := filepath.Glob(filepath.Join(c.folder, "log-*"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&out, "%s\n%s\n", filepath.Base(path), strings.Join(lines[max(0, len(lines)-count):], ""))
	}
	return out.String()
}

// stop ends all processes.
func (c *cluster) stop() {
	for _, g := range c.gateways {
		g.Server.Stop()
	}
	c.redis.Stop()
	c.postgres.Stop()
	if c.receiver != nil {
		c.receiver.Close()
	}
}

// caller sends requests that are read to their end.
var caller = &http.Client{Timeout: 20 * time.Second,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second}}

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
