package preview

import (
	"os"
	"path/filepath"
	"time"

	"darkroom/client/mediainfo"
)

// clipSuffix tells files with frames from pictures.
const clipSuffix = ".frames"

// clip opens the kept frames of a video; nil if there are none. Their size tells that they are
// whole: what was written in part never got a name.
func (d *Disk) clip(name string, frame int64, most int) (frames, int) {
	if d == nil || name == "" {
		return nil, 0
	}
	path := filepath.Join(d.dir, name+clipSuffix)
	f, size, err := mediainfo.Open(path)
	if err != nil {
		return nil, 0
	}
	if size == 0 || size%frame != 0 || size/frame > int64(most) {
		_ = f.Close()
		return nil, 0
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // what was used last stays longest
	return f, int(size / frame)
}

// newFrames makes room for at most so many bytes of frames: in a file that is removed when it is
// closed, unless it is kept, or in memory if no file can be made.
func (d *Disk) newFrames(most int64) (*frameFile, error) {
	f := &frameFile{most: most, got: bounded{most: int(most)}}
	if d == nil {
		return f, nil
	}
	if os.MkdirAll(d.dir, 0o700) == nil {
		if file, err := os.CreateTemp(d.dir, ".new-*"); err == nil { // mode 0600
			f.file = file
			return f, nil
		}
	}
	f.most = min(most, clipMemory)
	return f, nil
}

// keepFrames gives a file with frames its name, so that another run finds it.
func (d *Disk) keepFrames(f *frameFile, name string) {
	if d == nil || f.file == nil || name == "" {
		return
	}
	if os.Rename(f.file.Name(), filepath.Join(d.dir, name+clipSuffix)) == nil {
		f.kept = true
		d.wrote(f.n)
	}
}
