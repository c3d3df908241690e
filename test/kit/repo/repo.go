// Package repo locates the files of the source tree for tests, whichever package a test belongs to.
package repo

import (
	"os"
	"path/filepath"
	"sync"
)

// Path returns the path of a file or folder below the module's root.
func Path(elements ...string) string {
	return filepath.Join(append([]string{root()}, elements...)...)
}

// root is the closest folder with a go.mod at or above the working directory, which is the
// package's folder while its tests run. The binary does not know the path of its sources: it is
// built with -trimpath.
var root = sync.OnceValue(func() string {
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		if _, found := os.Stat(filepath.Join(folder, "go.mod")); found == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return "."
})
