package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// watchFor are the events of the history's folder that matter: a write to the log, which
// every commit of any process makes, and the end of the folder itself.
const watchFor = unix.IN_MODIFY | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Watch implements jobs.Watcher by inotify on the folder. Nothing of the history is opened
// for it, and nothing wakes up while nobody writes.
func (s *SQLite) Watch(ctx context.Context) (<-chan struct{}, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("watching the history: %w", err)
	}
	events := os.NewFile(uintptr(fd), "inotify") //nolint:gosec // not negative
	if _, err := unix.InotifyAddWatch(fd, filepath.Dir(s.path), watchFor); err != nil {
		return nil, errors.Join(fmt.Errorf("watching the history: %w", err), events.Close())
	}
	written := make(chan struct{}, 1)
	stop := context.AfterFunc(ctx, func() { _ = events.Close() })
	go func() {
		defer close(written)
		defer func() {
			if stop() {
				_ = events.Close()
			}
		}()
		s.tell(events, written)
	}()
	return written, nil
}

// tell passes events on until the watch is closed or lost.
func (s *SQLite) tell(events *os.File, written chan<- struct{}) {
	buf := make([]byte, 16<<10)
	name := []byte(filepath.Base(s.path) + "-wal")
	for {
		n, err := events.Read(buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		hit, lost := readEvents(buf[:n], name)
		if lost {
			return
		}
		if hit {
			select {
			case written <- struct{}{}:
			default:
			}
		}
	}
}

// readEvents looks through what one read returned: hit says that the named file was
// written to, or that events went missing; lost, that the folder is gone.
func readEvents(b, name []byte) (hit, lost bool) {
	for len(b) >= unix.SizeofInotifyEvent {
		// struct inotify_event: wd, mask, cookie, len, each of 32 bits, and a name.
		mask := binary.NativeEndian.Uint32(b[4:])
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
		if end > len(b) {
			return true, false
		}
		switch {
		case mask&(unix.IN_IGNORED|unix.IN_UNMOUNT|unix.IN_DELETE_SELF|unix.IN_MOVE_SELF) != 0:
			return hit, true
		case mask&unix.IN_Q_OVERFLOW != 0:
			hit = true
		default:
			file, _, _ := bytes.Cut(b[unix.SizeofInotifyEvent:end], []byte{0})
			hit = hit || bytes.Equal(file, name)
		}
		b = b[end:]
	}
	return hit, false
}
