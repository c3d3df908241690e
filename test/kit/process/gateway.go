package process

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// readyClient asks gateways whether they are ready.
var readyClient = &http.Client{Timeout: 20 * time.Second}

// BuildProgram builds the program from the folder of its source with further flags, and returns its
// path in the other folder. It has no symbols for debuggers, as it is linked sooner without them.
func BuildProgram(ctx context.Context, source, folder string, flags ...string) (string, error) {
	path := filepath.Join(folder, "rostrum")
	build := exec.CommandContext(ctx, "go", append(append([]string{"build", "-ldflags=-w", "-o", path}, flags...),
		".")...)
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
}

// NewGateway returns the process of a gateway.
func NewGateway(address string, command func() *exec.Cmd) *Server {
	return &Server{Name: "gateway " + address, Address: address, Command: command,
		ready: func(ctx context.Context) error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
			if err != nil {
				return err
			}
			response, err := readyClient.Do(request)
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

// ServeCommand returns the command of a gateway's process, with the folder that it runs in, the
// address that it listens on and further settings.
func ServeCommand(program, folder, address string, settings ...string) *exec.Cmd {
	command := exec.Command(program, "serve")
	command.Dir, command.Env = folder, append(append(plainEnvironment(), "ROSTRUM_ADDR="+address), settings...)
	return command
}

// plainEnvironment returns the environment without the program's settings, and the settings that
// all gateways have.
func plainEnvironment() []string {
	var env []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if name != "DATABASE_URL" && name != "REDIS_URL" && !strings.HasPrefix(name, "ROSTRUM_") &&
			!strings.HasPrefix(name, "LLM_") {
			env = append(env, setting)
		}
	}
	return append(env, "ROSTRUM_FETCH_ALLOW=127.0.0.0/8", "ROSTRUM_RATE_PER_KEY=0", "ROSTRUM_RATE_PER_ADDRESS=0",
		"ROSTRUM_SESSIONS_PER_ADDRESS=0", "ROSTRUM_SHUTDOWN_DELAY=1s", "ROSTRUM_DEMO=false")
}

// Operate runs an operator's command of the program with the settings of a gateway and returns its
// output.
func Operate(ctx context.Context, gateway *exec.Cmd, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, gateway.Path, arguments...)
	command.Dir, command.Env = gateway.Dir, gateway.Env
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("rostrum %s: %w\n%s%s", strings.Join(arguments, " "), err, out, &problem)
	}
	return strings.TrimSpace(string(out)), nil
}
