package config

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// watchFor are the events of a folder after which a file in it may be another one. A write counts when
// the file is closed: before that it is half of one.
const watchFor = unix.IN_CLOSE_WRITE | unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Watch tells of changes to files and folders, by inotify on the folders that they lie in, or that they
// would: nothing wakes up while nobody writes. What a symbolic link leads to is watched, too. A change is
// told once, however many there were since the last; the channel is closed when ctx ends.
func Watch(ctx context.Context, paths ...string) (<-chan struct{}, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("watching the settings: %w", err)
	}
	w := &watch{fd: fd, events: os.NewFile(uintptr(fd), "inotify"), paths: paths, dirs: map[int32]string{}} //nolint:gosec // not negative
	if err := w.arm(); err != nil {
		return nil, errors.Join(fmt.Errorf("watching the settings: %w", err), w.events.Close())
	}
	told := make(chan struct{}, 1)
	stop := context.AfterFunc(ctx, func() { _ = w.events.Close() })
	go func() {
		defer close(told)
		w.follow(told)
		if stop() {
			_ = w.events.Close()
		}
	}()
	return told, nil
}

// watch is the folders that are watched for some paths, and the names in them that count.
type watch struct {
	fd     int
	events *os.File
	paths  []string
	dirs   map[int32]string    // by the watch's number
	names  map[string][]string // by the folder; no names are all of them
}

// maxLinks bounds how far a chain of links is followed.
const maxLinks = 10

// arm watches what the paths need as things stand; folders that are no longer needed stay watched, and
// their events do not count.
func (w *watch) arm() error {
	w.names = map[string][]string{}
	for _, p := range w.paths {
		for range maxLinks {
			w.need(p)
			to, err := os.Readlink(p)
			if err != nil {
				break
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(p), to)
			}
			p = to
		}
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			w.names[p] = nil
		}
	}
	for dir := range w.names {
		n, err := unix.InotifyAddWatch(w.fd, dir, watchFor)
		if err != nil {
			return err
		}
		w.dirs[int32(n)] = dir
	}
	return nil
}

// need has the folder of a path watched, or the nearest one above that there is.
func (w *watch) need(path string) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir, name = filepath.Dir(dir), filepath.Base(dir)
	}
	if !slices.Contains(w.names[dir], name) {
		w.names[dir] = append(w.names[dir], name)
	}
}

// follow tells of events until the watch is closed.
func (w *watch) follow(told chan<- struct{}) {
	buf := make([]byte, 16<<10)
	for {
		n, err := w.events.Read(buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		if !w.hit(buf[:n]) {
			continue
		}
		err = w.arm() // a folder may have come, or gone
		select {
		case told <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// hit looks through what one read returned, and reports whether a file that counts may be another one.
func (w *watch) hit(b []byte) (hit bool) {
	for len(b) >= unix.SizeofInotifyEvent {
		// struct inotify_event: wd, mask, cookie, len, each of 32 bits, and a name.
		number, mask := int32(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint32(b[4:])
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
		if end > len(b) {
			return true
		}
		names, counts := w.names[w.dirs[number]]
		name := b[unix.SizeofInotifyEvent:end]
		if i := slices.Index(name, 0); i >= 0 {
			name = name[:i]
		}
		if mask&unix.IN_IGNORED != 0 {
			delete(w.dirs, number)
		}
		if mask&unix.IN_Q_OVERFLOW != 0 || counts && (len(name) == 0 || len(names) == 0 || slices.Contains(names, string(name))) {
			hit = true
		}
		b = b[end:]
	}
	return hit
}
