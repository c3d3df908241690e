package app

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestSettings_named checks that the error of each setting with a wrong value has the name of its
// variable, and not that of a field or a type of Go, nor the value, which may be a key.
func TestSettings_named(t *testing.T) {
	t.Chdir(t.TempDir()) // without a .env file
	inGo := regexp.MustCompile(`\b(field|parse|strconv|type|syntax|int|bool|netip|Config)\b`)
	wrong := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		name := field.Tag.Get("env")
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "mysql://wrong-value")
			_, err := FromEnvironment()
			if err == nil {
				return
			}
			wrong++
			if text := err.Error(); !strings.Contains(text, name) || strings.Contains(text, "wrong-value") ||
				inGo.MatchString(text) {
				t.Errorf("%s", text)
			}
		})
	}
	if wrong < 20 {
		t.Errorf("only %d settings refuse a wrong value", wrong)
	}
}
