// Package proxy is a TCP proxy in front of a server, for tests of lost and frozen connections.
package proxy

import (
	"io"
	"net"
	"sync"
)

// Proxy forwards connections to a server, closes them on request, and stops forwarding bytes while
// it is frozen.
type Proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	conns    map[net.Conn]bool
	thawed   chan struct{} // closed while bytes are forwarded
}

// New returns a proxy of a server's host:port on a free port. It returns an error if it cannot
// listen.
func New(target string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, target: target, conns: map[net.Conn]bool{}, thawed: make(chan struct{})}
	close(p.thawed)
	go p.accept()
	return p, nil
}

// Address returns the host:port that clients connect to.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Close accepts no more connections and closes those that exist.
func (p *Proxy) Close() {
	_ = p.listener.Close()
	p.Cut()
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.forward(conn)
	}
}

func (p *Proxy) forward(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	p.track(client, server)
	defer p.forget(client, server)
	done := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() {
			_, _ = io.Copy(&frozenWriter{p, pair[1]}, pair[0])
			done <- struct{}{}
		}()
	}
	<-done
}

func (p *Proxy) track(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		p.conns[conn] = true
	}
}

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		delete(p.conns, conn)
	}
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// Freeze stops forwarding until Thaw; connections stay open.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.thawed = make(chan struct{})
}

// Thaw forwards what was written since Freeze, which must precede it.
func (p *Proxy) Thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.thawed)
}

func (p *Proxy) waitForThaw() {
	p.mu.Lock()
	thawed := p.thawed
	p.mu.Unlock()
	<-thawed
}

// frozenWriter delays writes while the proxy is frozen.
type frozenWriter struct {
	proxy *Proxy
	conn  net.Conn
}

func (w *frozenWriter) Write(data []byte) (int, error) {
	w.proxy.waitForThaw()
	return w.conn.Write(data)
}
