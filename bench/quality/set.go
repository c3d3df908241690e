package quality

import (
	"embed"
	"io/fs"
)

//go:embed page/*.txtar
var set embed.FS

// Set is the labelled set, ready for Load.
func Set() (fs.FS, error) { return fs.Sub(set, "page") }
