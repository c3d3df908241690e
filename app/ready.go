package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// readyTime limits how long the command ready waits: /readyz itself waits 2 s for the database.
const readyTime = 5 * time.Second

// readyCommand asks the gateway of this machine whether it is ready. Images of containers have no
// other program that could.
type readyCommand struct{}

// Run returns an error if the gateway does not answer, or with another status than 200.
func (readyCommand) Run(ctx context.Context, config Config) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, readyURL(config.Addr), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the gateway is not ready: %s", strings.TrimSpace(string(text)))
	}
	return err
}

// readyURL returns the address of /readyz for a listen address, which may name all interfaces.
func readyURL(listen string) string {
	host, port, _ := net.SplitHostPort(listen)
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz"
}
