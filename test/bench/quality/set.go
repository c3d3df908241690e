package quality

import (
	"embed"
	"io/fs"
)

//go:embed page/*.txtar
var set embed.FS

// Set returns the labeled set, ready for Load.
func Set() (fs.FS, error) { return fs.Sub(set, "page") }
