package preview

import (
	"context"
	"io"
)

// atOnce is how many bytes a decoder gets at a time. They are few: a decoder can have much to do
// for a few bytes, and only when it wants more is it found out whether anybody still waits.
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
