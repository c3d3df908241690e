// Package compare installs and starts GraphQL servers of other projects on the bench's tables, and
// reads their answers. Nothing of them is part of this project: their packages are installed into a
// temporary folder, in the versions that the files of this folder require.
package compare

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
	"syscall"
	"time"

	"rostrum/test/kit/process"
)

// Answer is an answer that a server is asked for; it is the name of the file of a peer's query.
type Answer string

// The answers that peers are compared in.
const (
	OneDocument      Answer = "one"
	ListedDocuments  Answer = "list"
	TaggedDocuments  Answer = "tags"  // a list with the auto-tags of each document
	CountedDocuments Answer = "total" // a list with the number of all documents of the workspace
)

// installTimeout limits the installation of a peer.
const installTimeout = 4 * time.Minute

// Peer is a GraphQL server of another project.
type Peer struct {
	Name    string
	License string
	Setup   string // how it is run, for the results

	folder     string // of its configuration, in the folder of this package
	extension  string // of the files of its queries
	storesText bool   // the server has the queries, and requests name them
	install    func(ctx context.Context, target string) error
	version    func(source string) (string, error)
	command    func(target string, s Settings) *exec.Cmd
}

// Settings are the settings of a server process.
type Settings struct {
	Database    string
	Address     string
	Connections int // to the database, of all processes of the server together
	Processes   int // of a server that runs JavaScript, which uses one processor in a process
}

// Peers returns the servers that can be compared.
func Peers() []*Peer {
	return []*Peer{postGraphile5, postGraphile4, graphJin}
}

// Version returns the version that the configuration in the source folder requires.
func (p *Peer) Version(source string) (string, error) {
	return p.version(filepath.Join(source, p.folder))
}

// Install copies the configuration from the source folder to a folder of the peer in target and
// installs the packages there. The error contains a short reason without addresses of this machine.
func (p *Peer) Install(ctx context.Context, source, target string) error {
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	folder := filepath.Join(target, p.folder)
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(source, p.folder))); err != nil {
		return errors.New(plainReason(err.Error()))
	}
	return p.install(ctx, folder)
}

// NewServer returns the process of a peer that was installed in target. Its output is appended to
// the file at the path of the log.
func (p *Peer) NewServer(target, log string, s Settings) *process.Server {
	return NewServer(p.Name, s.Address, log, func() *exec.Cmd { return p.command(filepath.Join(target, p.folder), s) })
}

// NewServer returns a process that is ready once it responds to HTTP on its address. It has a
// process group of its own, whose usage can be measured, and which StopGroup ends.
func NewServer(name, address, log string, command func() *exec.Cmd) *process.Server {
	return process.NewServer(name, address, func() *exec.Cmd {
		c := command()
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		// without a log only the reason of a failure is missing
		if file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			c.Stdout, c.Stderr = file, file
		}
		return c
	}, func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		return response.Body.Close()
	})
}

// StopGroup ends a process and the processes that it has started.
func StopGroup(s *process.Server) {
	if s == nil || !s.Started() {
		return
	}
	s.Stop()
	_ = syscall.Kill(-s.PID(), syscall.SIGKILL) // usually none is left
}

// LogReason returns the end of a server's output as a short reason.
func LogReason(log string) string {
	text, _ := os.ReadFile(log) // a server that did not start has no log
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return plainReason(string(bytes.Join(lines[max(0, len(lines)-3):], []byte(" "))))
}

// runInstaller runs a package client in the folder. The error is the client's own message.
func runInstaller(ctx context.Context, folder, program string, arguments ...string) error {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = folder
	command.WaitDelay = 5 * time.Second
	out, err := command.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not end in time", program)
	case err != nil && len(bytes.TrimSpace(out)) == 0:
		return errors.New(plainReason(err.Error()))
	case err != nil:
		return errors.New(plainReason(string(out)))
	}
	return nil
}

// portOf returns the port of an address.
func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address) // process.FreeAddress returned it
	return port
}
