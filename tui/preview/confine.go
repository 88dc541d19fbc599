package preview

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
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

// limiting sets the bounds before the program starts. One that the system does not know, or that is
// lower already, stays as it is.
const limiting = `ulimit -c 0; ulimit -v "$1" || :; ulimit -t "$2" || :; ulimit -f "$3" || :; shift 3; exec "$@"`

// confined returns a command that runs a program with nothing of our environment, within bounds,
// and in a process group that is killed as a whole when the context ends.
func confined(ctx context.Context, b bounds, program string, args ...string) *exec.Cmd {
	const kilo, block = 1024, 512 // what ulimit counts in
	shell := []string{"-c", "{ " + limiting + "; } 2>/dev/null", "sh",
		strconv.FormatInt(b.memory/kilo, 10), strconv.Itoa(int(b.cpu.Seconds())), strconv.FormatInt(b.file/block, 10), program}
	cmd := child.Command(ctx, []string{"LC_ALL=C"}, "/bin/sh", append(shell, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}
