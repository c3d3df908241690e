package deploy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/joho/godotenv"

	"rostrum/test/kit/harness"
	"rostrum/test/kit/process"
)

// Where the package puts what the test looks at.
const (
	installedProgram  = "/usr/bin/rostrum"
	installedSettings = "/etc/rostrum/rostrum.env"
	installedData     = "/var/lib/rostrum"
)

// TestPackage installs the Debian package ROSTRUM_TEST_DEB on this machine, uses it and removes it.
// make deb-check builds the package and sets the variable.
func TestPackage(t *testing.T) {
	path := os.Getenv("ROSTRUM_TEST_DEB")
	if path == "" {
		t.Skip("needs a package in ROSTRUM_TEST_DEB; run make deb-check")
	}
	for _, existing := range []string{installedProgram, installedData, installedSettings} {
		if _, err := os.Stat(existing); err == nil {
			t.Fatalf("%s exists: the test installs and removes the package, so it needs a machine without one", existing)
		}
	}
	t.Cleanup(func() {
		_ = exec.Command("dpkg", "--purge", "rostrum").Run()
		_ = os.RemoveAll(installedData)
		_ = exec.Command("deluser", "--system", "--quiet", "rostrum").Run()
	})
	run(t, "dpkg", "--install", path)
	t.Run("settings_are_private", func(t *testing.T) {
		info, err := os.Stat(installedSettings)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", installedSettings, info, err)
		}
	})
	t.Run("units_are_valid", func(t *testing.T) {
		need(t, "systemd-analyze", "systemd")
		for _, name := range units {
			run(t, "systemd-analyze", "verify", "--man=no", "/usr/lib/systemd/system/"+name)
		}
	})
	t.Run("the_program_serves", testInstalledProgram)
	t.Run("an_upgrade_keeps_settings", func(t *testing.T) {
		changed := readFile(t, installedSettings) + "ROSTRUM_RATE_PER_KEY=100\n"
		if err := os.WriteFile(installedSettings, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, "dpkg", "--install", path)
		if readFile(t, installedSettings) != changed {
			t.Error("the settings were replaced")
		}
	})
	t.Run("removal_keeps_data", func(t *testing.T) {
		run(t, "dpkg", "--purge", "rostrum")
		if _, err := os.Stat(filepath.Join(installedData, "rostrum.db")); err != nil {
			t.Error(err)
		}
		for _, gone := range []string{installedProgram, filepath.Dir(installedSettings), "/usr/share/rostrum"} {
			if _, err := os.Stat(gone); err == nil {
				t.Errorf("%s is left", gone)
			}
		}
	})
}

// testInstalledProgram runs the installed program as its unit does, far from the source tree.
func testInstalledProgram(t *testing.T) {
	settings, err := godotenv.Read(installedSettings)
	if err != nil {
		t.Fatal(err)
	}
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	gateway := process.NewGateway(address, func() *exec.Cmd {
		command := exec.Command("setpriv", "--reuid=rostrum", "--regid=rostrum", "--clear-groups", "--no-new-privs",
			installedProgram, "serve")
		command.Dir, command.Env = installedData, []string{"ROSTRUM_ADDR=" + address, "PATH=/usr/bin:/bin"}
		for name, value := range settings {
			command.Env = append(command.Env, name+"="+value)
		}
		command.Stderr = &log
		return command
	})
	if err := gateway.Start(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	t.Cleanup(gateway.Stop)
	for path, needed := range map[string]string{"/readyz": "ready", "/console/": "<div id=", "/guide/": "Rostrum",
		"/guide/settings": "ROSTRUM_FONT_DIR", "/playground/": "<div id=", "/docs": "Rostrum"} {
		got := harness.Send(t.Context(), http.DefaultClient, http.MethodGet, "http://"+address+path, nil, nil)
		if got.Err != nil || got.Status != http.StatusOK || !bytes.Contains(got.Body, []byte(needed)) {
			t.Errorf("GET %s: %d, %v: %.300s", path, got.Status, got.Err, got.Body)
		}
	}
	checkPlayground(t, address)
	checkPDF(t, address, operatorKey(t, gateway))
}

// operatorKey makes a workspace and a key as an operator does, beside the running gateway.
func operatorKey(t *testing.T, gateway *process.Server) string {
	t.Helper()
	operate := func(arguments ...string) string {
		command := gateway.Command()
		command.Args = append(command.Args[:len(command.Args)-1], arguments...)
		command.Stderr = nil
		out, err := command.Output()
		if err != nil {
			t.Fatalf("rostrum %s: %v", strings.Join(arguments, " "), err)
		}
		return strings.TrimSpace(string(out))
	}
	workspace := operate("workspace", "create", "--name", "Package", "--plan", "team")
	return operate("key", "mint", "--workspace", workspace, "--name", "package")
}

// checkPlayground checks that the playground names no other host for its scripts and styles.
func checkPlayground(t *testing.T, address string) {
	t.Helper()
	got := harness.Send(t.Context(), http.DefaultClient, http.MethodGet, "http://"+address+"/playground/", nil, nil)
	for _, foreign := range []string{`src="http`, `href="http`, `src="//`, `href="//`} {
		if bytes.Contains(got.Body, []byte(foreign)) {
			t.Errorf("the playground loads from elsewhere: %s", got.Body)
		}
	}
}

// checkPDF exports a draft in English, Chinese and Hindi. The response names the characters that the
// file shows as boxes, and the text can be read out of the file.
func checkPDF(t *testing.T, address, key string) {
	t.Helper()
	send := func(path string, body map[string]string) harness.Response {
		text, _ := json.Marshal(body)
		got := harness.Send(t.Context(), http.DefaultClient, http.MethodPost, "http://"+address+path,
			http.Header{"X-Api-Key": {key}, "Content-Type": {"application/json"}}, text)
		if got.Err != nil || got.Status >= 300 {
			t.Fatalf("POST %s: %d, %v: %.500s", path, got.Status, got.Err, got.Body)
		}
		return got
	}
	texts := []string{"Clean water for everyone.", "人人享有清洁用水。", "सबके लिए स्वच्छ जल।"}
	content := strings.Join(texts, "\n\n")
	send("/api/v1/content-creation/drafts", map[string]string{"title": "Water", "content": content})
	exported := send("/api/v1/content-creation/export",
		map[string]string{"title": "Water", "content_text": content, "format": "pdf"})
	if boxes := exported.Header.Get("X-Export-Warning"); boxes != "" {
		t.Errorf("the PDF has boxes: %s", boxes)
	}
	need(t, "pdftotext", "poppler-utils")
	file := filepath.Join(t.TempDir(), "water.pdf")
	if err := os.WriteFile(file, exported.Body, 0o600); err != nil {
		t.Fatal(err)
	}
	text := run(t, "pdftotext", file, "-")
	for _, needed := range texts {
		if !strings.Contains(text, needed) {
			t.Errorf("the PDF does not have %q: %q", needed, text)
		}
	}
}

// run runs a program and returns what it prints; the test fails if the program does.
func run(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	var out bytes.Buffer
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w\n%s", program, strings.Join(arguments, " "), err, &out))
	}
	return out.String()
}
