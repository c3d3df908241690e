//go:build !release

package console

import "io/fs"

// Embedded returns nil: only a release contains the console.
func Embedded() fs.FS { return nil }
