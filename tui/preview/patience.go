package preview

import (
	"context"
	"fmt"
	"io"
)

// maxProbe bounds what is read of a file to tell what it is, by all readers together.
const maxProbe = 64 << 20

// readerAt reads a file for as long as a context lasts, and so many bytes of it. It reads
// nothing any more once it had to refuse: nobody goes on with heads alone.
type readerAt struct {
	ctx  context.Context //nolint:containedctx // it is that of one call
	r    io.ReaderAt
	left int64
	err  error
}

// ReadAt implements io.ReaderAt.
func (f *readerAt) ReadAt(p []byte, at int64) (int, error) {
	if f.ctx.Err() != nil {
		return 0, context.Cause(f.ctx)
	}
	if f.err == nil && int64(len(p)) > f.left {
		f.err = fmt.Errorf("more than %d MB of it would have to be read", maxProbe>>20)
	}
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.r.ReadAt(p, at)
	f.left -= int64(n)
	return n, err
}

// atOnce is how much a decoder is handed at a time. It is little: a decoder can have much to
// do for a few bytes, and looks whether somebody still waits for it when it wants more.
const atOnce = 256

// reader reads for as long as a context lasts.
type reader struct {
	ctx  context.Context //nolint:containedctx // it is that of one call
	r    io.Reader
	most int // bytes at a time
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p[:min(len(p), r.most)])
}
