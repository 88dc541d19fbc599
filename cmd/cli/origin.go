package cli

import (
	"context"
	"errors"
	"time"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// originLook bounds how long the console waits for the keyring before its first frame. A key in a file
// is read however long it takes: on a slow disk the question was left out.
const originLook = 300 * time.Millisecond

// settleOrigin asks before the console opens, which then owns the terminal. Without a yes the
// console opens all the same, but nothing is sent with that key; if interrupted, it does not open.
func settleOrigin(ctx context.Context, k *kit.Kit, p config.Profile) error {
	if p.Embedded || config.IsEnv(p.Name) {
		return nil
	}
	look := k.Secrets()
	look.Patience = originLook
	_, _, err := look.Find(p)
	moved, ok := errors.AsType[*config.OriginError](err)
	if !ok {
		return nil
	}
	ask := k.SameKey(ctx)
	sure := ask != nil && ask(moved)
	if ctx.Err() != nil { // an interrupt is no answer
		return context.Cause(ctx)
	}
	if !sure {
		k.IO.Notef("%s\n", client.CleanLine(moved.Error()))
		return nil
	}
	return k.Secrets().Confirm(p)
}
