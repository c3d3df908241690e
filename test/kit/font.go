package kit

import (
	"os"
	"testing"

	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/repo"
)

// fontFolder is the folder that npm installs the fonts of PDFs in.
func fontFolder() string { return repo.Path("asset", "font", "node_modules") }

// NeedFonts skips the test where the fonts of PDFs are not installed. With ROSTRUM_TEST_REQUIRE
// set, as in CI, it fails the test instead.
func NeedFonts(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(fontFolder()); err != nil {
		dbtest.Missing(t, "fonts (npm ci in asset/font)", err)
		t.Skip("needs the fonts of asset/font")
	}
}
