package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"os"
	"path/filepath"
	"time"

	"rostrum/test/kit/harness"
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
	for _, path := range []string{c.folder, filepath.Join(c.folder, "files")} {
		if err := os.Mkdir(path, 0o755); err != nil {
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
	if c.postgres, err = harness.StartPostgres(ctx, c.folder, c.clock.environment()...); err != nil {
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
			if c.workspace, c.key, err = harness.CreateWorkspace(ctx, g.Server, "Faults"); err != nil {
				return err
			}
		}
		if err := g.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) newGateway(seal string) (g *gateway, err error) {
	g = &gateway{}
	if g.postgres, err = proxy.New(c.postgres.Address); err != nil {
		return nil, err
	}
	if g.redis, err = proxy.New(c.redis.Address); err != nil {
		return nil, err
	}
	g.Server, err = harness.NewGateway(func() string { return c.program }, c.folder, "ROSTRUM_SEAL_KEY="+seal,
		"ROSTRUM_OPEN_METRICS=true", "DATABASE_URL="+harness.DatabaseURL(g.postgres.Address()),
		"REDIS_URL=redis://"+g.redis.Address(), "ROSTRUM_DATA_DIR="+filepath.Join(c.folder, "files"), "ROSTRUM_FETCH_CA="+c.receiver.authority)
	return g, err
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
var caller = harness.NewClient(20 * time.Second)

// getJSON reads a resource from the first gateway.
func (c *cluster) getJSON(ctx context.Context, path string, out any) error {
	return harness.ReadJSON(ctx, caller, c.gateways[0].url()+path, c.key, out)
}
