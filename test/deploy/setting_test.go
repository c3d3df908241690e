package deploy_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// settingName matches the names of settings in files of deploy/, and declaredSetting those in
// app/config.go. The AWS SDK and container images have others.
var (
	settingName     = regexp.MustCompile(`\b(ROSTRUM|LLM|OIDC)_[A-Z_]*[A-Z]\b|\b(DATABASE|REDIS)_URL\b`)
	declaredSetting = regexp.MustCompile(`env:"([A-Z_]+)"`)
)

// TestSettings checks that the program has each setting that a file of deploy/ names.
func TestSettings(t *testing.T) {
	declared := map[string]bool{}
	for _, match := range declaredSetting.FindAllStringSubmatch(readFile(t, "app/config.go"), -1) {
		declared[match[1]] = true
	}
	if len(declared) == 0 {
		t.Fatal("app/config.go declares no settings")
	}
	err := filepath.WalkDir("deploy", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range settingName.FindAllString(string(text), -1) {
			if !declared[name] {
				t.Errorf("%s names %s, which is no setting", path, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
