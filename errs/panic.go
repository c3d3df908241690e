package errs

import (
	"fmt"
	"runtime/debug"
)

// FromPanic returns the Internal error of a panic. Its cause has the panic and its stack, so it
// must be called while the panic is recovered.
func FromPanic(panicked any) *Error {
	return From(fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
}

// CatchPanic returns work for a goroutine of its own. A panic of the work is an Internal error with
// the stack of the panic: no recover of the goroutine that waits for the work would stop it from
// ending the process.
func CatchPanic(work func() error) func() error {
	return func() (err error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				err = FromPanic(panicked)
			}
		}()
		return work()
	}
}
