//go:build release

package guide

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Embedded returns the files of the built guide, which are in the folder dist.
func Embedded() fs.FS { return files }
