package export

import (
	"bytes"
	"context"
	"runtime"

	"rostrum/errs"
)

// maxFile is the maximum number of bytes of a file.
const maxFile = 64 << 20

// fileBuffer collects a file. After limit bytes, or the end of its context, it discards further
// writes and keeps the error.
type fileBuffer struct {
	buffer bytes.Buffer
	limit  int
	ctx    context.Context //nolint:containedctx // the buffer lives for one call
	writes int
	err    error
}

func newFileBuffer(ctx context.Context, limit int) *fileBuffer {
	return &fileBuffer{ctx: ctx, limit: limit}
}

// checkEvery is the number of writes between two looks at the context, at which the processor is
// left to other requests that wait for it.
const checkEvery = 256

// isStopped reports whether the buffer has an error, which ends the loops of the writers.
func (b *fileBuffer) isStopped() bool { return b.err != nil }

// accepts reports whether a write of n bytes is kept.
func (b *fileBuffer) accepts(n int) bool {
	if b.err == nil && b.buffer.Len()+n > b.limit {
		b.err = errs.New(errs.TooLarge, "the file would be over %d MiB; export a part of the content, or as another format", b.limit>>20)
	}
	if b.writes++; b.err == nil && b.writes%checkEvery == 0 {
		runtime.Gosched()
		b.err = context.Cause(b.ctx)
	}
	return b.err == nil
}

func (b *fileBuffer) Write(p []byte) (int, error) {
	if b.accepts(len(p)) {
		b.buffer.Write(p)
	}
	return len(p), nil
}

// WriteString writes text like Write.
func (b *fileBuffer) WriteString(text string) (int, error) {
	if b.accepts(len(text)) {
		b.buffer.WriteString(text)
	}
	return len(text), nil
}

// WriteByte writes a byte like Write.
func (b *fileBuffer) WriteByte(c byte) error {
	if b.accepts(1) {
		b.buffer.WriteByte(c)
	}
	return nil
}
