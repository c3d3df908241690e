package errs_test

import (
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"rostrum/errs"
)

func TestCatchPanic(t *testing.T) {
	var group errgroup.Group
	group.Go(errs.CatchPanic(func() error { panic("no value") }))
	err := errs.From(group.Wait())
	if err.Code != errs.Internal || strings.Contains(err.Message, "no value") {
		t.Errorf("a caller sees %s: %q", err.Code, err.Message)
	}
	if cause := err.Unwrap().Error(); !strings.Contains(cause, "no value") ||
		!strings.Contains(cause, "panic_test.go") {
		t.Errorf("the cause %q has no panic with a stack", cause)
	}
	missing := errs.New(errs.NotFound, "no such document")
	if err := errs.CatchPanic(func() error { return missing })(); err != missing {
		t.Errorf("an error of the work became %v", err)
	}
}
