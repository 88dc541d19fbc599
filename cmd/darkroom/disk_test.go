package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// disk is what a home lies on: it can be full.
type disk struct {
	t    *testing.T
	root string // the home as the test sees it
}

// smallDisk is a home on a file system in memory of its own, of some megabytes, in a mount
// namespace that the test's user may make. Where the system allows none it is on the usual
// disk, and ok is false.
func smallDisk(t *testing.T, extra ...string) (h *home, d *disk, ok bool) {
	t.Helper()
	h = newHome(t, extra...)
	pid, ok := h.mount(t, `mount -t tmpfs -o size=12m,mode=0700 tmpfs "$1"`)
	if !ok {
		return h, &disk{t, h.dir}, false
	}
	return h, &disk{t, filepath.Join("/proc", pid, "root", h.dir)}, true
}

// mount has the home's commands run in a mount namespace of their own, in which a shell ran the
// script with the home as its first argument, and the others after it. pid is a process in it.
// Where the system allows none nothing is changed, and ok is false.
func (h *home) mount(t *testing.T, script string, args ...string) (pid string, ok bool) {
	t.Helper()
	words := append([]string{"--user", "--map-root-user", "--mount", "sh", "-c", script + " && echo ready && exec cat", "sh", h.dir}, args...)
	holder := exec.Command("unshare", words...) // #nosec G204 -- ours
	in, err := holder.StdinPipe()
	require.NoError(t, err)
	out, err := holder.StdoutPipe()
	require.NoError(t, err)
	if err := holder.Start(); err != nil {
		t.Logf("no disk of its own: %v", err)
		return "", false
	}
	t.Cleanup(func() { _ = in.Close(); _ = holder.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Log("no disk of its own: mounting is not allowed here")
		return "", false
	}
	pid = strconv.Itoa(holder.Process.Pid)
	h.within = []string{"nsenter", "--preserve-credentials", "--user", "--mount", "--target", pid, "--"}
	return pid, true
}

func (d *disk) filler() string { return filepath.Join(d.root, "filler") }

// fill leaves no room at all.
func (d *disk) fill() error {
	f, err := os.OpenFile(d.filler(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for _, size := range []int{64 << 10, 4 << 10, 1} {
		for err = nil; err == nil; _, err = f.Write(make([]byte, size)) {
		}
		if !errors.Is(err, syscall.ENOSPC) {
			break
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return errors.Join(fmt.Errorf("the disk is not full: %w", err), f.Close())
	}
	return f.Close()
}

// free makes room again.
func (d *disk) free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); !errors.Is(err, os.ErrNotExist) {
		require.NoError(d.t, err)
	}
}
