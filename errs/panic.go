package errs

import (
	"fmt"
	"runtime/debug"
)

// CatchPanic returns work for a goroutine of its own. A panic of the work is an Internal error with the stack of the panic: no recover of the
// goroutine that waits for the work would stop it from ending the process.
func CatchPanic(work func() error) func() error {
	return func() (err error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				err = From(fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
			}
		}()
		return work()
	}
}
