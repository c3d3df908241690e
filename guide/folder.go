//go:build !release

package guide

import "io/fs"

// Embedded returns nil: only a release contains the guide.
func Embedded() fs.FS { return nil }
