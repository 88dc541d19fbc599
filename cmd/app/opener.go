package app

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"darkroom/client/child"
	"darkroom/jobs/download"
)

// openWait is how long the desktop's program has to fail: what goes wrong later is its own.
const openWait = time.Second

// openFile opens a file, or shows a folder, with the desktop's program for it, and does not wait for
// that to end. What fails at once is told.
func openFile(path string) error {
	name, args := "xdg-open", []string{path}
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() && filepath.IsAbs(path) {
		if runtime.GOOS == "darwin" {
			args = []string{"-a", "Finder", path} // by itself it would start a folder that is a program
		}
	} else if err := download.Openable(path); err != nil {
		return err
	}
	bin, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed (apt install xdg-utils); copy the path instead", name)
	}
	cmd := child.Command(context.Background(), nil, bin, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s found no program for it (%w); copy the path instead", name, err)
		}
	case <-time.After(openWait):
	}
	return nil
}
