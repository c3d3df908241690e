//go:build release

package playground

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Embedded returns the files of the built playground.
func Embedded() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the name of the folder is valid
	}
	return dist
}
