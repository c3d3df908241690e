//go:build release

package playground

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Embedded returns the files of the built playground, which are in the folder dist.
func Embedded() fs.FS { return files }
