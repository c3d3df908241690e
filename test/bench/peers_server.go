package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"rostrum/test/bench/compare"
	"rostrum/test/kit/process"
)

// handWrittenVariable holds the listen address in the environment of a process that serves the
// hand-written handler. DATABASE_URL and CONNECTIONS are its database and the number of connections
// to it.
const handWrittenVariable = "ROSTRUM_BENCH_HANDWRITTEN"

// rostrumName is the name of the gateway among other servers.
const rostrumName = "Rostrum"

// comparedServer is a server that runs as a process.
type comparedServer struct {
	name, version string
	base          string
	process       *process.Server // nil if it could not be installed
	failure       string          // the reason why it is not measured
	request       func(answer compare.Answer, s shape, t target) (request, error)
	// nil: responses are those of the gateway or the hand-written handler
	canonical func(body []byte) ([]byte, error)
}

// startServers starts the gateway, the hand-written handler and the other servers. The first two
// must start, another may fail.
func (m *peerMeasurement) startServers(ctx context.Context) (err error) {
	peers := compare.Peers()
	if m.connections, err = m.sharedConnections(ctx, 2+len(peers)); err != nil {
		return err
	}
	own := []func(context.Context, *comparedServer, string) (func() *exec.Cmd, error){m.ownCommand,
		m.handWrittenCommand}
	for i, name := range []string{rostrumName, "hand-written"} {
		s, err := m.newServer(name)
		if err != nil {
			return err
		}
		address := s.base[len("http://"):]
		command, err := own[i](ctx, s, address)
		if err != nil {
			return err
		}
		s.process = compare.NewServer(name, address, m.logPath(name), command)
		if err := s.process.Start(ctx); err != nil {
			return fmt.Errorf("%w: %s", err, compare.LogReason(m.logPath(name)))
		}
	}
	for _, p := range peers {
		if err := m.startPeer(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// newServer adds a server with a free address.
func (m *peerMeasurement) newServer(name string) (*comparedServer, error) {
	address, err := process.FreeAddress()
	if err != nil {
		return nil, err
	}
	s := &comparedServer{name: name, base: "http://" + address}
	m.servers = append(m.servers, s)
	return s, nil
}

// ownCommand builds the gateway and returns the command of its process. Its key is limited by no
// rate, as those of the other reads.
func (m *peerMeasurement) ownCommand(ctx context.Context, s *comparedServer, address string) (func() *exec.Cmd, error) {
	logProgress("building the gateway")
	program, err := process.BuildProgram(ctx, ".", m.folder)
	if err != nil {
		return nil, err
	}
	database, err := url.Parse(m.database)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	query := database.Query()
	query.Set("pool_max_conns", strconv.Itoa(m.connections+queueConnections))
	database.RawQuery = query.Encode()
	data := filepath.Join(m.folder, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	s.version = "of this revision"
	s.request = func(_ compare.Answer, sh shape, t target) (request, error) { return sh.graphQL(s.base, t), nil }
	return func() *exec.Cmd {
		return process.ServeCommand(program, data, address, "DATABASE_URL="+database.String(), "ROSTRUM_DATA_DIR="+data)
	}, nil
}

// handWrittenCommand returns the command of the hand-written handler's process, which is this
// program.
func (m *peerMeasurement) handWrittenCommand(_ context.Context, s *comparedServer, address string) (func() *exec.Cmd,
	error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	s.version = "net/http, pgx and encoding/json"
	s.request = func(_ compare.Answer, sh shape, t target) (request, error) { return sh.handWritten(s.base, t), nil }
	return func() *exec.Cmd {
		command := exec.Command(self)
		command.Env = append(os.Environ(), "DATABASE_URL="+m.database,
			"CONNECTIONS="+strconv.Itoa(m.connections), handWrittenVariable+"="+address)
		return command
	}, nil
}

// startPeer installs and starts the server of another project. A failure is noted for the table;
// the error is the context's.
func (m *peerMeasurement) startPeer(ctx context.Context, p *compare.Peer) error {
	s, err := m.newServer(p.Name)
	if err != nil {
		return err
	}
	s.canonical = compare.Canonical
	s.request = func(answer compare.Answer, sh shape, t target) (request, error) {
		body, err := p.Body(peersFolder, answer, compare.Variables{Workspace: t.workspace.workspaceID, ID: t.id,
			Offset: max(0, t.page-1) * sh.documents()})
		return request{method: http.MethodPost, url: s.base + "/graphql", body: body, documents: sh.documents()}, err
	}
	if s.version, err = p.Version(peersFolder); err != nil {
		return fmt.Errorf("read the version of %s (run from the repository's root): %w", p.Name, err)
	}
	logProgress("installing %s %s", p.Name, s.version)
	if err := p.Install(ctx, peersFolder, m.folder); err != nil {
		s.failure = "could not be installed: " + err.Error()
		return ctx.Err()
	}
	s.process = p.NewServer(m.folder, m.logPath(p.Name), compare.Settings{
		Database: m.database, Address: s.base[len("http://"):], Connections: m.connections,
		Processes: runtime.NumCPU(),
	})
	if err := s.process.Start(ctx); err != nil {
		s.failure = "could not be started: " + compare.LogReason(m.logPath(p.Name))
	}
	return ctx.Err()
}

// stopServers ends the processes of all servers.
func (m *peerMeasurement) stopServers() {
	for _, s := range m.servers {
		compare.StopGroup(s.process)
	}
}

// serveHandWritten serves the hand-written handler until the context ends.
func serveHandWritten(ctx context.Context, address, database, connections string) error {
	n, err := strconv.ParseInt(connections, 10, 32)
	if err != nil {
		return fmt.Errorf("read CONNECTIONS: %w", err)
	}
	pool, err := openPoolOf(ctx, database, int32(n))
	if err != nil {
		return err
	}
	defer pool.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: handWritten{pool}.handler(), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
