package compare

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

var graphJin = &Peer{
	Name: "GraphJin", License: "Apache-2.0",
	Setup:  "its compiler as a library in production mode with stored queries, in a server of a few lines on net/http that writes the data as it is",
	folder: "graphjin", extension: ".gql", storesText: true, version: requiredGraphJin,
	install: func(ctx context.Context, folder string) error {
		return runInstaller(ctx, folder, "go", "build", "-o", "graphjin", ".")
	},
	command: func(target string, s Settings) *exec.Cmd {
		command := exec.Command(filepath.Join(target, "graphjin"))
		command.Dir = target
		command.Env = append(os.Environ(), "DATABASE_URL="+s.Database, "PORT="+portOf(s.Address),
			"CONNECTIONS="+strconv.Itoa(s.Connections), "QUERIES="+target)
		return command
	},
}

var graphJinModule = regexp.MustCompile(`github\.com/dosco/graphjin/core/v3 (v\S+)`)

// requiredGraphJin returns the version of the library in a folder's go.mod.
func requiredGraphJin(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return "", err
	}
	found := graphJinModule.FindSubmatch(text)
	if found == nil {
		return "", errors.New("go.mod requires no GraphJin")
	}
	return "core " + string(found[1]), nil
}
