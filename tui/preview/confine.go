package preview

import (
	"context"
	"os/exec"
	"time"

	"darkroom/client/child"
)

// bounds are what a program that reads strangers' files may take. It is killed, or denied,
// what goes beyond.
type bounds struct {
	memory int64         // bytes of address space, where the system bounds that (Linux does)
	cpu    time.Duration // of its processors, in whole seconds
	file   int64         // bytes of a file that it writes
}

// toolBounds is for ffmpeg with one thread: an 8K video takes some 800 MB of address space. Each
// call bounds the time that passes; the bound of processor time holds even if we have ended before.
var toolBounds = bounds{memory: 1 << 30, cpu: time.Minute, file: frameMost}

// confined returns a command that runs a program within bounds, see [child.Confined].
func confined(ctx context.Context, b bounds, program string, args ...string) *exec.Cmd {
	return child.Confined(ctx, child.Bounds{Memory: b.memory, CPU: b.cpu, File: b.file}, program, args...)
}
