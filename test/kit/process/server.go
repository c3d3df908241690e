package process

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// ReadyTimeout limits the start of a server.
const ReadyTimeout = time.Minute

// Server is a process that the command starts, ends and starts again on the same address.
type Server struct {
	Name    string
	Address string
	Command func() *exec.Cmd
	ready   func(context.Context) error
	running *exec.Cmd
	ended   chan struct{}
}

// NewServer returns a server that is ready once the function returns nil.
func NewServer(name, address string, command func() *exec.Cmd, ready func(context.Context) error) *Server {
	return &Server{Name: name, Address: address, Command: command, ready: ready}
}

// Start starts the process and waits until it is ready.
func (s *Server) Start(ctx context.Context) error {
	s.running, s.ended = s.Command(), make(chan struct{})
	if err := s.running.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.Name, err)
	}
	go func(running *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = running.Wait()
	}(s.running, s.ended)
	return s.awaitReady(ctx)
}

func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, ReadyTimeout)
	defer cancel()
	for {
		err := s.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("%s exited before it was ready", s.Name)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready within %s: %w", s.Name, ReadyTimeout, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Signal sends a signal to the process.
func (s *Server) Signal(sig syscall.Signal) error { return s.running.Process.Signal(sig) }

// End sends the signal and waits for the process to exit; one that does not is killed and reported.
func (s *Server) End(sig syscall.Signal) error {
	if err := s.Signal(sig); err != nil {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(ReadyTimeout):
		_ = s.running.Process.Kill()
		<-s.ended
		return fmt.Errorf("%s did not exit within %s of %s", s.Name, ReadyTimeout, sig)
	}
}

// The ports of servers are below those of connections on Linux, which may take any of theirs before
// the server starts.
const (
	firstPort = 10_000
	ports     = 22_000
)

// FreeAddress returns an address of loopback that no process listens on.
func FreeAddress() (address string, err error) {
	for range 20 {
		address = net.JoinHostPort("127.0.0.1", strconv.Itoa(firstPort+rand.IntN(ports)))
		var listener net.Listener
		if listener, err = net.Listen("tcp", address); err == nil {
			return address, listener.Close()
		}
	}
	return "", fmt.Errorf("find a free port: %w", err)
}

// NewRedis returns a Redis server that stores nothing on disk.
func NewRedis(folder string) (*Server, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	client := redis.NewClient(&redis.Options{Addr: address})
	return &Server{
		Name: "Redis", Address: address,
		Command: func() *exec.Cmd {
			return exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly",
				"no", "--dir", folder)
		},
		ready: func(ctx context.Context) error { return client.Ping(ctx).Err() },
	}, nil
}

// NewPostgres creates a database cluster in the folder and returns its server, whose process has
// the settings of env too. A superuser runs it as the user postgres, as the server refuses
// superusers.
func NewPostgres(ctx context.Context, folder string, env ...string) (*Server, error) {
	programs, err := postgresFolder()
	if err != nil {
		return nil, err
	}
	attributes, err := postgresUser(folder)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(folder, "data")
	create := exec.CommandContext(ctx, filepath.Join(programs, "initdb"), "-D", data, "-U", "postgres", "-A", "trust",
		"-N", "-E", "UTF8", "--locale", "C")
	create.Dir, create.SysProcAttr = folder, attributes
	if out, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	return &Server{
		Name: "Postgres", Address: address,
		Command: func() *exec.Cmd {
			command := exec.Command(filepath.Join(programs, "postgres"), "-D", data, "-p", port, "-k", folder, "-h",
				"127.0.0.1", "-c", "max_connections=120")
			command.Dir, command.SysProcAttr, command.Env = folder, attributes, append(os.Environ(), env...)
			return command
		},
		ready: func(ctx context.Context) error {
			conn, err := pgx.Connect(ctx, "postgres://postgres@"+address+"/postgres?sslmode=disable")
			if err == nil {
				err = conn.Close(ctx)
			}
			return err
		},
	}, nil
}

// postgresFolder returns the folder of the newest installed version's programs.
func postgresFolder() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.New("no initdb was found: install a Postgres server")
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
	return filepath.Dir(newest), nil
}

func majorVersion(path string) int {
	version, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return version
}

// postgresUser gives the folder to the user that runs the server, and returns the attributes of the
// server's process.
func postgresUser(folder string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.ParseUint(account.Uid, 10, 32)
	gid, _ := strconv.ParseUint(account.Gid, 10, 32)
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}},
		os.Chown(folder, int(uid), int(gid))
}

// Stop ends the process if it was started, also if it is paused.
func (s *Server) Stop() {
	if s != nil && s.running != nil {
		_ = s.Signal(syscall.SIGCONT)
		_ = s.End(syscall.SIGINT)
	}
}

// Started reports whether the process was started, even if it has exited.
func (s *Server) Started() bool { return s.running != nil && s.running.Process != nil }

// PID returns the id of the process.
func (s *Server) PID() int { return s.running.Process.Pid }

// HasEnded reports whether the process has exited.
func (s *Server) HasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}
