package source_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// operationName matches the constants of the operations that cost runs.
var operationName = regexp.MustCompile(`(?m)^\s+op[A-Z]\w+\s+= "(\w+)"`)

// TestMessages_name_operations checks that the console has a name for every operation that costs runs.
func TestMessages_name_operations(t *testing.T) {
	t.Parallel()
	found := 0
	for _, language := range []string{"en", "de"} {
		text, err := os.ReadFile("console/src/messages/" + language + ".json")
		var messages map[string]string
		if err == nil {
			err = json.Unmarshal(text, &messages)
		}
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob("domain/*/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range operationName.FindAllSubmatch(source, -1) {
				if found++; messages["operation."+string(match[1])] == "" {
					t.Errorf("%s: no message operation.%s in %s", name, match[1], language)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d operations", found)
	}
}
