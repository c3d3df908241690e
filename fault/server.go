package main

import (
	"context"
	"errors"
	"fmt"
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

// readyTimeout limits the start of a server.
const readyTimeout = time.Minute

// server is a process that the command starts, ends and starts again on the same address.
type server struct {
	name    string
	address string
	command func() *exec.Cmd
	ready   func(context.Context) error
	running *exec.Cmd
	ended   chan struct{}
}

// start starts the process and waits until it is ready.
func (s *server) start(ctx context.Context) error {
	s.running, s.ended = s.command(), make(chan struct{})
	if err := s.running.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.name, err)
	}
	go func(running *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = running.Wait()
	}(s.running, s.ended)
	return s.awaitReady(ctx)
}

func (s *server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := s.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("%s exited before it was ready", s.name)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready within %s: %w", s.name, readyTimeout, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// signal sends a signal to the process.
func (s *server) signal(sig syscall.Signal) error { return s.running.Process.Signal(sig) }

// end sends the signal and waits for the process to exit; one that does not is killed and reported.
func (s *server) end(sig syscall.Signal) error {
	if err := s.signal(sig); err != nil {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(readyTimeout):
		_ = s.running.Process.Kill()
		<-s.ended
		return fmt.Errorf("%s did not exit within %s of %s", s.name, readyTimeout, sig)
	}
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// newRedis returns a Redis server that stores nothing on disk.
func newRedis(folder string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	client := redis.NewClient(&redis.Options{Addr: address})
	return &server{
		name: "Redis", address: address,
		command: func() *exec.Cmd {
			return exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", folder)
		},
		ready: func(ctx context.Context) error { return client.Ping(ctx).Err() },
	}, nil
}

// newPostgres creates a database cluster in the folder and returns its server. A superuser runs it as the user postgres, as the server
// refuses superusers.
func newPostgres(ctx context.Context, folder string) (*server, error) {
	programs, err := postgresFolder()
	if err != nil {
		return nil, err
	}
	attributes, err := postgresUser(folder)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(folder, "data")
	create := exec.CommandContext(ctx, filepath.Join(programs, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale", "C")
	create.Dir, create.SysProcAttr = folder, attributes
	if out, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	return &server{
		name: "Postgres", address: address,
		command: func() *exec.Cmd {
			command := exec.Command(filepath.Join(programs, "postgres"), "-D", data, "-p", port, "-k", folder, "-h", "127.0.0.1", "-c", "max_connections=120")
			command.Dir, command.SysProcAttr = folder, attributes
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

// postgresUser gives the folder to the user that runs the server, and returns the attributes of the server's process.
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
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(folder, int(uid), int(gid))
}
