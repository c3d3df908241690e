package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// units are the systemd units.
var units = []string{"rostrum.service", "rostrum-work.service", "rostrum-backup.service"}

// maxExposure is what systemd-analyze may rate a unit's exposure with at most, in tenths: 100 is a
// service without any sandbox.
const maxExposure = "20"

// TestUnits/… check the systemd units with systemd's own tools.
func TestUnits(t *testing.T) {
	for _, name := range units {
		unit := readFile(t, "deploy/systemd/"+name)
		t.Run(name+"/is_valid", func(t *testing.T) {
			need(t, "systemd-analyze", "systemd")
			path := filepath.Join(t.TempDir(), name)
			installed := strings.Replace(unit, "/usr/bin/rostrum", "/bin/true", 1) // must exist
			if err := os.WriteFile(path, []byte(installed), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput()
			if err != nil || strings.Contains(string(out), name) {
				t.Errorf("systemd-analyze verify: %v\n%s", err, out)
			}
			out, err = exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true",
				"--threshold="+maxExposure, path).CombinedOutput()
			if err != nil {
				t.Errorf("systemd-analyze security: %v\n%s", err, out)
			}
		})
		t.Run(name+"/lets_the_program_work", func(t *testing.T) {
			// wazero writes the code that it compiles; child processes get a filter of their own.
			if strings.Contains(unit, "\nMemoryDenyWriteExecute=yes") {
				t.Error("a PDF cannot be read with MemoryDenyWriteExecute")
			}
			for _, needed := range []string{"\nSystemCallFilter=@system-service seccomp\n",
				"\nOOMPolicy=continue\n", "\nKillMode=mixed\n"} {
				if !strings.Contains(unit, needed) {
					t.Errorf("the unit has no line %q", needed)
				}
			}
		})
	}
}

// TestUnitsDiffer compares the two units: they differ in what they run alone.
func TestUnitsDiffer(t *testing.T) {
	serve := strings.Split(readFile(t, "deploy/systemd/rostrum.service"), "\n")
	work := strings.Split(readFile(t, "deploy/systemd/rostrum-work.service"), "\n")
	if len(serve) != len(work) {
		t.Fatalf("%d and %d lines", len(serve), len(work))
	}
	for i := range serve {
		if serve[i] != work[i] && !strings.HasPrefix(serve[i], "ExecStart=") && !strings.HasPrefix(serve[i], "Description=") {
			t.Errorf("line %d: %q and %q", i+1, serve[i], work[i])
		}
	}
}
