package testkit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// fontFolder is where npm puts the fonts of PDFs, whichever package the test belongs to.
func fontFolder() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "font", "node_modules")
}

// NeedFonts skips the test loudly where the fonts of PDFs are not installed.
// With ROSTRUM_TEST_REQUIRE set, as CI sets it, they must be.
func NeedFonts(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(fontFolder()); err != nil {
		missing(t, "fonts (npm ci in font)", err)
		t.Skip("needs the fonts of font/")
	}
}
