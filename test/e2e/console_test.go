package e2e

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/mailtest"
	"rostrum/test/kit/oidctest"
	"rostrum/test/kit/webhooktest"
)

// consoleTimeout is the maximum time of the console's tests on one installation.
const consoleTimeout = 35 * time.Minute

// browserSlots limits the browsers that run at the same time, each of which has several processes.
var browserSlots = make(chan struct{}, 2)

// consolePassword is the password of the user of the console's tests.
const consolePassword = "correct horse battery"

// TestConsole takes the main paths of the console in a browser, on both databases: console/test has
// the tests, which Playwright runs. What a screen follows live is tested on Postgres, where a
// second process changes it, and what happens in one browser is tested on SQLite.
func TestConsole(t *testing.T) {
	needConsole(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		g, settings := p.startConsole(t)
		if p.name == "sqlite" {
			runConsoleTests(t, g, "paths", settings)
			return
		}
		dbtest.ReserveConns(t, 1)
		runConsoleTests(t, g, "peers", append(settings, "CONSOLE_PEER_URL="+p.start(t).url))
	})
}

// TestConsoleScreens tests what does not depend on the database, such as the requests and the
// layout of every screen.
func TestConsoleScreens(t *testing.T) {
	t.Parallel()
	needConsole(t)
	p := installation{name: "sqlite", folder: t.TempDir()}
	g, settings := p.startConsole(t)
	runConsoleTests(t, g, "screens", append(settings, "CONSOLE_LARGE_KEY="+p.largeWorkspace(t)))
}

// TestConsoleTrusted opens every screen of a gateway that runs only stored operations. Another
// process of the installation runs the operations of the test.
func TestConsoleTrusted(t *testing.T) {
	t.Parallel()
	needConsole(t)
	p := sharedInstallation(t, 2)
	g, settings := p.startConsole(t)
	strict := p.start(t, "ROSTRUM_TRUSTED_DOCUMENTS=enforce")
	runConsoleTests(t, strict, "trusted", append(settings, "CONSOLE_URL="+strict.url,
		"CONSOLE_OPERATIONS_URL="+g.url))
}

// startConsole starts a gateway with an identity provider, a mail server and the workspaces of the
// console's tests, and returns their settings.
func (p installation) startConsole(t *testing.T) (g *gateway, settings []string) {
	t.Helper()
	issuer := oidctest.NewIssuer(t)
	relay := mailtest.NewRelay(t)
	mails := httptest.NewServer(relay)
	t.Cleanup(mails.Close)
	g = p.start(t, "OIDC_ISSUER="+issuer.URL, "OIDC_CLIENT_ID="+oidctest.Client, "OIDC_CLIENT_SECRET="+oidctest.Secret,
		"ROSTRUM_MAIL_URL="+relay.Address(), "ROSTRUM_MAIL_FROM=Rostrum <rostrum@example.com>")
	email, settings := p.consoleWorkspace(t, g)
	issuer.SetClaims(map[string]any{"email": email, "sub": "console"})
	return g, append(append(settings, "CONSOLE_ISSUER="+issuer.URL, "CONSOLE_MAILS="+mails.URL), receiverCertificate(t)...)
}

// TestConsoleModel uses the screens that need a text model or an embedding model, on both
// databases.
func TestConsoleModel(t *testing.T) {
	needConsole(t)
	eachInstallation(t, func(t *testing.T, p installation) {
		server := llmtest.NewServer(t, consoleAnswers()...)
		server.Synonyms(map[string]string{"crew": "workers", "closes": "shut", "harbour": "port"})
		g := p.start(t, "LLM_BASE_URL="+server.URL, "LLM_API_KEY=local", "LLM_MODEL="+llmtest.ScriptedModel,
			"LLM_EMBEDDING_MODEL=vectors-1", "LLM_PROMPT_PRICE=2", "LLM_ANSWER_PRICE=8")
		_, settings := p.consoleWorkspace(t, g)
		runConsoleTests(t, g, "model", settings)
	})
}

// consoleAnswers returns a persona's replies to the probes of its health, and the signals and the
// comparison of two executives.
func consoleAnswers() []llmtest.Answer {
	signals := func(statement string) string {
		return fmt.Sprintf(`{"signals": [{"statement": %q, "theme": "tidal power", "stance": "positive", "quote": %[1]q, "speaker": "", "company": ""}]}`, statement)
	}
	return []llmtest.Answer{
		{Task: "persona.probe", Text: "The harbour matters to me, and this troubles me."},
		{Task: "executive.signals", When: "Tidal power is a great success",
			Text: signals("Tidal power is a great success")},
		{Task: "executive.signals", When: "Tidal power is a terrible risk",
			Text: signals("Tidal power is a terrible risk for the eels")},
		{Task: "executive.compare", Text: `{"summaries": [], "at_a_glance": [{"text": "Tidal power is a great success.", "signals": [1]}], "similarities": [], "differences": [],
			"unique_perspectives": [], "matrix": [], "attack": [{"text": "Tidal power is a great success.", "signals": [1]}],
			"defend": [{"text": "Tidal power is a terrible risk for the eels.", "signals": [2]}], "whitespace": []}`},
		{Status: http.StatusBadRequest}, // tasks of the demo workspace
	}
}

// consoleWorkspace creates a workspace with keys and a user, who is a member of a second one, and
// returns the user's email and the settings of the console's tests. The demo's workspace is still
// being filled.
func (p installation) consoleWorkspace(t *testing.T, g *gateway) (email string, settings []string) {
	t.Helper()
	workspace := p.command(t, "workspace", "create", "--name", "Console", "--plan", "pro")
	second := p.command(t, "workspace", "create", "--name", "Second", "--plan", "pro")
	empty := p.command(t, "workspace", "create", "--name", "Empty", "--plan", "pro")
	email = strings.ToLower(workspace) + "@a-long-name-of-a-host-that-has-no-place-to-break.example.org"
	p.commandWithInput(t, consolePassword+"\n", "user", "create", "--email", email, "--workspace", workspace, "--role",
		"owner")
	p.command(t, "user", "create", "--email", email, "--workspace", second, "--role", "member")
	return email, []string{
		"CONSOLE_URL=" + g.url, "CONSOLE_CHROMIUM=" + chromiumPath(t), "CONSOLE_EMAIL=" + email, "CONSOLE_PASSWORD=" +
			consolePassword,
		"CONSOLE_KEY=" + p.mintKey(t, workspace, allScopes), "CONSOLE_READ_KEY=" + p.mintKey(t, workspace, "read"),
		"CONSOLE_EMPTY_KEY=" + p.mintKey(t, empty, allScopes),
	}
}

const allScopes = "read,write,admin"

// mintKey creates a key of the workspace and returns its secret.
func (p installation) mintKey(t *testing.T, workspaceID, scopes string) string {
	t.Helper()
	return p.command(t, "key", "mint", "--workspace", workspaceID, "--name", scopes, "--scopes", scopes)
}

// receiverCertificate writes the certificate of httptest's https servers, which the gateways trust,
// and its private key to files, and returns the settings of the console's tests that name them.
func receiverCertificate(t *testing.T) []string {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	private, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "receiver.key")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"CONSOLE_RECEIVER_CERT=" + webhooktest.Authority(t), "CONSOLE_RECEIVER_KEY=" + path}
}

// runConsoleTests runs a project of console/playwright.config.ts with the settings. What a failed
// test leaves, such as its trace, is in console/test-results.
func runConsoleTests(t *testing.T, g *gateway, project string, settings []string) {
	t.Helper()
	browserSlots <- struct{}{}
	defer func() { <-browserSlots }()
	ctx, cancel := context.WithTimeout(t.Context(), consoleTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "npx", "playwright", "test",
		"--project="+project, "--output=test-results/"+t.Name())
	command.Dir, command.Env = "../../console", append(os.Environ(), settings...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Run(); err != nil {
		t.Errorf("%v\n%s\n%s", err, &output, g.log)
	} else if testing.Verbose() {
		t.Logf("%s", &output)
	}
}

// needConsole skips the test if the console is not built or its packages are not installed.
func needConsole(t *testing.T) {
	t.Helper()
	needNode(t)
	for _, name := range []string{"playwright.config.ts", "dist/index.html", "node_modules/@playwright/test"} {
		if _, err := os.Stat(filepath.Join("../../console", name)); err != nil {
			skipMissing(t, "the console (make console)", err)
		}
	}
}

// chromiumPath returns the browser without windows, which needs half the time of the processor, or
// else the usual one.
func chromiumPath(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		skipMissing(t, "chromium", err)
	}
	return path
}
