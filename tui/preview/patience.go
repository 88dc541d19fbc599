package preview

import (
	"context"
	"io"
)

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
