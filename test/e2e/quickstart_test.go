package e2e

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mostLines is how many lines a quick start may have. Imports, and lines without a word, do not
// count.
const mostLines = 20

// quickStart is a section of the page: commands, and the file that they run.
type quickStart struct{ commands, file, text string }

var sectionPattern = regexp.MustCompile(
	"(?s)\n### ([A-Za-z ]+)\n\n```sh\n(.*?)```\n\n`([a-z.]+)`:\n\n```[a-z]+\n(.*?)```")

// readQuickStarts reads the quick starts from the page about clients.
func readQuickStarts(t *testing.T) map[string]quickStart {
	t.Helper()
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]quickStart{}
	for _, section := range sectionPattern.FindAllStringSubmatch(string(page), -1) {
		found[section[1]] = quickStart{section[2], section[3], section[4]}
	}
	return found
}

var importPattern = regexp.MustCompile(`(?ms)^(package \w+|import \(.*?^\)|import .*?|from .*?)$`)

// lines returns how many lines are one's own.
func (q quickStart) lines() (n int) {
	for line := range strings.Lines(importPattern.ReplaceAllString(q.text, "")) {
		if strings.ContainsFunc(line, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
			n++
		}
	}
	return n
}

// TestQuickStarts runs what the page about clients says, each in an empty folder: it receives a
// delivery that is signed, lists documents, and hears of a new one.
func TestQuickStarts(t *testing.T) {
	t.Parallel()
	needClients(t)
	folder := buildPackages(t)
	g := sqliteInstallation(t).start(t)
	starts := readQuickStarts(t)
	for _, name := range []string{"TypeScript", "Go", "Python", "By MCP"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, ok := starts[name]
			if !ok {
				t.Fatal("the page has no such quick start")
			}
			if n := start.lines(); n > mostLines {
				t.Errorf("it has %d lines, more than %d", n, mostLines)
			} else {
				t.Logf("it has %d lines", n)
			}
			start.run(t, g, folder)
		})
	}
}

func (q quickStart) run(t *testing.T, g *gateway, packages string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, q.file), []byte(q.text), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	log := &logTail{}
	command := exec.CommandContext(t.Context(), "sh", "-ec", q.commands)
	command.Dir, command.Stdout, command.Stderr = folder, log, log
	// What the machine has is enough: npm looks into its cache first, and pip has no index.
	command.Env = append(os.Environ(), "ROSTRUM="+root, "PACKAGES="+packages, "ROSTRUM_URL="+g.url,
		"ROSTRUM_KEY="+g.key, "PUBLIC_URL="+newTunnel(t, address), "PORT="+port,
		"npm_config_prefer_offline=true", "npm_config_audit=false", "npm_config_fund=false",
		"PIP_NO_INDEX=1", "PIP_NO_DEPS=1", "PIP_TARGET=.", "PIP_FIND_LINKS="+packages)
	if interpreter, err := python(); err == nil && strings.HasSuffix(q.file, ".py") {
		command.Env = append(command.Env, "PATH="+filepath.Dir(interpreter)+":"+os.Getenv("PATH"))
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	})
	awaitPrinted(t, log, "webhook link.opened", "\ndocument ")
	t.Logf("a verified webhook and a list after %s", time.Since(begun).Round(time.Second/10))
	var made struct{ Document struct{ ID string } }
	g.rest(t, http.MethodPost, "/api/v1/documents", map[string]any{"title": "New", "content": "A new text."}, &made)
	awaitPrinted(t, log, made.Document.ID)
	t.Logf("a live list after %s", time.Since(begun).Round(time.Second/10))
}

// newTunnel returns an https address that leads to a local one.
func newTunnel(t *testing.T, address string) string {
	t.Helper()
	tunnel := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address}))
	t.Cleanup(func() { tunnel.CloseClientConnections(); tunnel.Close() })
	return tunnel.URL
}

func awaitPrinted(t *testing.T, log *logTail, texts ...string) {
	t.Helper()
	for _, text := range texts {
		awaitSuccess(t, startTimeout, "it prints "+text, func() error {
			if !strings.Contains("\n"+log.String(), text) {
				return errors.New(log.String())
			}
			return nil
		})
	}
}
