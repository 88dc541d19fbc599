package child

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// Bounds are what a program that reads strangers' files may take. It is killed, or denied, what goes
// beyond.
type Bounds struct {
	Memory int64         // bytes of address space, where the system bounds that (Linux does)
	CPU    time.Duration // of its processors, in whole seconds
	File   int64         // bytes of a file that it writes
}

// limiting sets the bounds before the program starts. One that the system does not know, or that is
// lower already, stays as it is.
const limiting = `ulimit -c 0; ulimit -v "$1" || :; ulimit -t "$2" || :; ulimit -f "$3" || :; shift 3; exec "$@"`

// Confined returns a command that runs a program with nothing of our environment, within bounds,
// and in a process group that is killed as a whole when the context ends.
func Confined(ctx context.Context, b Bounds, program string, args ...string) *exec.Cmd {
	const kilo, block = 1024, 512 // what ulimit counts in
	shell := []string{"-c", "{ " + limiting + "; } 2>/dev/null", "sh",
		strconv.FormatInt(b.Memory/kilo, 10), strconv.Itoa(int(b.CPU.Seconds())), strconv.FormatInt(b.File/block, 10), program}
	cmd := Command(ctx, []string{"LC_ALL=C"}, "/bin/sh", append(shell, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}
