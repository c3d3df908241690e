package source_test

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// machinePath matches absolute paths of one machine. Texts about a standard location, such as
// /usr/bin, are none.
var machinePath = regexp.MustCompile(`(^|[\s"'=(:])/(home|Users|root|work|mnt|tmp/bash_jobs)/[A-Za-z0-9._-]+`)

// packageRegistry matches hosts of package registries and mirrors. No file names one; lock files
// carry no download addresses.
var packageRegistry = regexp.MustCompile(`https?://[^\s"'/]*(npm|registry|proxy|artifactory|nexus|mirror)[^\s"'/]*`)

// TestTracked checks the files that git tracks: a clone on another machine must work.
func TestTracked(t *testing.T) {
	entries := trackedFiles(t)
	t.Run("no_symbolic_links", func(t *testing.T) {
		for name, mode := range entries {
			if mode == "120000" {
				t.Errorf("%s is a symbolic link", name)
			}
		}
	})
	t.Run("no_paths_of_one_machine", func(t *testing.T) {
		for name, text := range textFiles(t, entries) {
			if found := machinePath.FindString(text); found != "" && name != "test/source/tracked_test.go" {
				t.Errorf("%s has the path %s", name, strings.TrimSpace(found))
			}
		}
	})
	t.Run("no_package_registries", func(t *testing.T) {
		for name, text := range textFiles(t, entries) {
			if base := path.Base(name); base != "package-lock.json" && base != ".npmrc" && base != "go.mod" &&
				base != "Makefile" && path.Dir(name) != ".ci" {
				continue
			}
			if found := packageRegistry.FindString(text); found != "" {
				t.Errorf("%s has the registry %s", name, found)
			}
		}
	})
}

// trackedFiles returns the modes of the files in git's index by their names. Without git the test
// is skipped, except in CI.
func trackedFiles(t *testing.T) map[string]string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "git", "ls-files", "-s", "-z").Output()
	if err != nil && os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("git ls-files: %v", err)
	}
	if err != nil {
		t.Skipf("needs a git checkout: %v", err)
	}
	files := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(output), "\x00"), "\x00") {
		head, name, _ := strings.Cut(line, "\t")
		files[name], _, _ = strings.Cut(head, " ")
	}
	return files
}

// textFiles reads the tracked files that are text.
func textFiles(t *testing.T, entries map[string]string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for name, mode := range entries {
		text, err := os.ReadFile(name)
		if mode == "120000" || os.IsNotExist(err) { // deleted and not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text[:min(len(text), 8000)], []byte{0}) {
			texts[name] = string(text)
		}
	}
	return texts
}
