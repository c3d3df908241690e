package app

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"rostrum/testkit/golden"
)

// TestReadme/settings_are_all_listed keeps the README's table the one that the struct says.
func TestReadme(t *testing.T) {
	t.Run("settings_are_all_listed", func(t *testing.T) {
		const start, end = "<!-- settings -->\n", "<!-- /settings -->"
		readme, err := os.ReadFile("../README.md")
		if err != nil {
			t.Fatal(err)
		}
		before, rest, _ := strings.Cut(string(readme), start)
		_, after, ok := strings.Cut(rest, end)
		if !ok {
			t.Fatal("the README has no place for the settings")
		}
		golden.Check(t, "../README.md", []byte(before+start+settingsTable()+end+after))
	})
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| Setting | Default | |\n|---|---|---|\n")
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		value := "none"
		if d := field.Tag.Get("envDefault"); d != "" {
			value = "`" + d + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", field.Tag.Get("env"), value, field.Tag.Get("help"))
	}
	return b.String()
}
