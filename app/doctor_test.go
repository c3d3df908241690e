package app

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// findingsOf returns the findings by their checks.
func findingsOf(t *testing.T, config Config) map[string]finding {
	t.Helper()
	found := map[string]finding{}
	for _, f := range examine(t.Context(), config) {
		if (f.Status == findingFailed) && f.Remedy == "" {
			t.Errorf("%s does not say what to do", f.Check)
		}
		found[f.Check] = f
	}
	return found
}

// TestDoctor checks an app that works on each database, before and after its first start.
func TestDoctor(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		check := func() {
			t.Helper()
			for name, f := range findingsOf(t, config) {
				if f.Status == findingFailed {
					t.Errorf("%s: %s", name, f.Message)
				}
			}
		}
		check()
		newApp(t, config)
		check()
		if f := findingsOf(t, config)["database"]; f.Status != findingOK {
			t.Errorf("the database: %+v", f)
		}
		if err := (doctorCommand{}).Run(t.Context(), config); err != nil {
			t.Error(err)
		}
	})
}

// TestDoctor_finds checks that each wrong setting fails its own check, and only this one.
func TestDoctor_finds(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Config)
		failed string
	}{
		"no database": {func(c *Config) { c.Database = "postgres://rostrum:s3cret@" + closedPort + "/rostrum" }, "database"},
		"no redis":    {func(c *Config) { c.Redis = "redis://:s3cret@" + closedPort }, "redis"},
		"no store of files": {func(c *Config) {
			c.BlobURL = "s3://bucket?region=x&endpoint=http://" + closedPort + "&use_path_style=true"
		}, "files"},
		"a file as folder": {func(c *Config) { c.DataDir = filepath.Join(file, "data") }, "data database files"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := testConfig(t)
			c.change(&config)
			var out bytes.Buffer
			findings := examine(t.Context(), config)
			if err := (doctorCommand{JSON: true}).print(&out, findings); err != nil {
				t.Fatal(err)
			}
			var read []finding
			if err := json.Unmarshal(out.Bytes(), &read); err != nil {
				t.Fatal(err)
			}
			var failed []string
			for _, f := range read {
				if f.Status == findingFailed {
					failed = append(failed, f.Check)
				}
			}
			if got := strings.Join(failed, " "); got != c.failed {
				t.Errorf("%q failed, want %q: %s", got, c.failed, out.String())
			}
			if strings.Contains(out.String(), "s3cret") {
				t.Errorf("a password is printed: %s", out.String())
			}
			if err := (doctorCommand{}).Run(t.Context(), config); err == nil {
				t.Error("the command ends without an error")
			}
		})
	}
}

// closedPort is an address at which nothing listens.
var closedPort = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), 1).String()

// TestClockFinding checks both directions.
func TestClockFinding(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[time.Duration]findingStatus{
		0: findingOK, -time.Second: findingOK, 3 * time.Second: findingWarning, -3 * time.Second: findingWarning,
	} {
		if got := clockFinding(ahead).Status; got != want {
			t.Errorf("%s: %s, want %s", ahead, got, want)
		}
	}
}
