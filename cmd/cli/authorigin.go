package cli

import (
	"context"
	"errors"
	"time"

	"darkroom/client"
	"darkroom/cmd/config"
)

// sameKey asks on a terminal whether a key that was kept for another gateway is to be used for
// the one that the settings name now; nil without a terminal.
func (g *globals) sameKey(ctx context.Context) func(*config.OriginError) bool {
	if g.io.TtyIn == nil || g.io.TtyErr == nil {
		return nil
	}
	return func(e *config.OriginError) bool {
		sure, err := g.ask(ctx, client.CleanLine("The key of profile "+e.Profile+" was kept for "+e.Kept+"; the settings name "+e.Now+" now. Send it there?"))
		return err == nil && sure
	}
}

// originLook bounds how long the console waits for the keyring before its first frame.
const originLook = 300 * time.Millisecond

// settleOrigin asks before the console opens, which owns the terminal then. Without a yes it
// opens all the same, and nothing is sent with that key; interrupted, it does not open.
func (g *globals) settleOrigin(ctx context.Context, p config.Profile) error {
	if p.Embedded || config.IsEnv(p.Name) {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, originLook)
	defer cancel()
	_, err := await(short, func() (string, error) {
		k, _, err := g.secrets().Find(p)
		return k, err
	})
	moved, ok := errors.AsType[*config.OriginError](err)
	if !ok {
		return nil
	}
	ask := g.sameKey(ctx)
	sure := ask != nil && ask(moved)
	if ctx.Err() != nil { // it was interrupted, which is no answer
		return context.Cause(ctx)
	}
	if !sure {
		g.io.note("%s\n", client.CleanLine(moved.Error()))
		return nil
	}
	return g.secrets().Confirm(p)
}
