package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// serveLoopback serves on a free loopback port until stop is called.
func serveLoopback(ctx context.Context, handler http.Handler) (base string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) //nolint:errcheck // it ends with stop, and requests fail when it ends before
	return "http://" + listener.Addr().String(), server.Close, nil
}
