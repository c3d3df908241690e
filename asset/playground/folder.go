//go:build !release

package playground

import "io/fs"

// Embedded returns nil: only a release contains the playground.
func Embedded() fs.FS { return nil }
