// Package neutral makes copies of results that do not tell what made them: without metadata, under
// random names, the two of a pair of one size where their format allows it. What is seen and heard
// stays as it is: pictures are copied pixel by pixel as PNG, sounds sample by sample as WAV, the
// streams of videos as they are. Sounds, and videos that are no MP4, need ffmpeg for that; without it
// [File.Risk] says what could still tell.
//
// What cannot be hidden: sizes in pixels, durations, rates of pictures, codecs, and marks in the
// pictures themselves.
package neutral

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"darkroom/client/disk"
	"darkroom/client/mediainfo"
)

// File is a neutral copy.
type File struct {
	Path      string
	MediaType string // "image/png", "video/mp4"
	Kind      mediainfo.Kind
	Width     int
	Height    int
	Duration  time.Duration
	// Risk is what could not be taken out of the file, "" for nothing.
	Risk string
}

// Room is a private folder for the copies of one pair at a time.
type Room struct {
	dir    string
	lock   *os.File // held while the room is in use
	ffmpeg string   // "" where there is none
}

const (
	roomPrefix = "darkroom-vote-"
	lockName   = "lock"
)

// NewRoom makes an empty room. Close removes it; those of processes that were killed go, too.
func NewRoom() (*Room, error) {
	sweep()
	dir, err := os.MkdirTemp("", roomPrefix+"*") // mode 0700
	if err != nil {
		return nil, err
	}
	r := &Room{dir: dir}
	r.lock, err = os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		if err = disk.Lock(r.lock, true); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if program, err := exec.LookPath("ffmpeg"); err == nil && filepath.IsAbs(program) {
		r.ffmpeg = program
	}
	return r, nil
}

// sweep removes rooms whose lock nobody holds. One without a lock is being made.
func sweep() {
	locks, err := filepath.Glob(filepath.Join(os.TempDir(), roomPrefix+"*", lockName))
	if err != nil || !disk.Locks {
		return
	}
	for _, path := range locks {
		f, err := os.OpenFile(path, os.O_RDWR|disk.PlainOnly, 0) // #nosec G304 -- another person's cannot be opened
		if err != nil {
			continue
		}
		if disk.Lock(f, true) == nil {
			_ = os.RemoveAll(filepath.Dir(path))
		}
		_ = f.Close()
	}
}

// Close removes the room and all in it; of nil, nothing.
func (r *Room) Close() error {
	if r == nil {
		return nil
	}
	err := os.RemoveAll(r.dir)
	if r.lock != nil {
		err = errors.Join(err, r.lock.Close())
	}
	return err
}

// Pair makes neutral copies of two files in place of those of the last pair. Its errors name no path.
func (r *Room) Pair(ctx context.Context, a, b string) (pair [2]File, err error) {
	old, err := filepath.Glob(filepath.Join(r.dir, "*"))
	if err != nil {
		return pair, err
	}
	for _, path := range old {
		if filepath.Base(path) != lockName {
			_ = os.Remove(path) // who still reads it has it open
		}
	}
	var errs [2]error
	var both sync.WaitGroup
	for i, path := range []string{a, b} {
		both.Go(func() { pair[i], errs[i] = r.copyOf(ctx, path) })
	}
	both.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return [2]File{}, fmt.Errorf("one of the two cannot be shown: %w", bare(err))
	}
	if pair[0].MediaType != pair[1].MediaType {
		for i := range pair {
			pair[i].Risk = "A and B are of different formats, which the tools of a browser show"
		}
		return pair, nil
	}
	risk := cmp.Or(pair[0].Risk, pair[1].Risk) // what is said of one side alone would tell
	pair[0].Risk, pair[1].Risk = risk, risk
	return pair, bare(level(pair))
}

// bare leaves the path out of an error: names of files tell of models.
func bare(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

// copyOf makes the copy of one file. A decoder that panics on hostile bytes costs the pair, not the
// program.
func (r *Room) copyOf(ctx context.Context, path string) (f File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the file is damaged")
		}
	}()
	info, err := mediainfo.Read(ctx, path)
	if err != nil {
		return File{}, err
	}
	f = File{Path: filepath.Join(r.dir, rand.Text()), Kind: info.Kind, Width: info.Width, Height: info.Height, Duration: info.Duration}
	switch {
	case info.Kind == mediainfo.Picture:
		f.MediaType = "image/png"
		return f, picture(ctx, path, f.Path)
	case info.Kind != mediainfo.Video && info.Kind != mediainfo.Audio:
		return File{}, errors.New("it is neither a picture nor a video nor a sound")
	}
	if r.ffmpeg != "" {
		if f.MediaType, err = r.remake(ctx, path, f.Path, info); err == nil || ctx.Err() != nil {
			if info.Codec == "hvc1" || info.Codec == "hev1" { // where they sign are the colours of HDR, too
				f.Risk = "what encoders write into H.265 streams themselves could not be taken out"
			}
			return f, err
		}
	}
	f.MediaType = mediaType(info)
	return f, f.plain(path, info)
}

// plain copies a file, and takes out of the copy what can be taken out without ffmpeg.
func (f *File) plain(path string, info mediainfo.Info) error {
	src, size, err := mediainfo.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(dst, io.LimitReader(src, size)); err == nil {
		switch info.Format {
		case "MP4":
			err = wipeMP4(dst, size)
			f.Risk = "what encoders write into the streams themselves could not be taken out: that takes ffmpeg"
		case "WAV":
			err = wipeWAV(dst, size)
		default:
			f.Risk = "what " + info.Format + " files say of themselves could not be taken out: that takes ffmpeg"
		}
	}
	return errors.Join(err, dst.Close())
}

func mediaType(info mediainfo.Info) string {
	audio := info.Kind == mediainfo.Audio
	switch info.Format {
	case "MP4":
		if audio {
			return "audio/mp4"
		}
		return "video/mp4"
	case "WebM", "Matroska":
		if audio {
			return "audio/webm"
		}
		return "video/webm"
	case "MP3":
		return "audio/mpeg"
	case "FLAC":
		return "audio/flac"
	case "Ogg":
		return "audio/ogg"
	}
	return "audio/wav"
}

// level makes two files of one format equally large, where bytes after the end are nothing to it.
func level(pair [2]File) error {
	const head = 8 // bytes of an empty box of an MP4
	var sizes [2]int64
	for i, f := range pair {
		st, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		sizes[i] = st.Size()
	}
	if sizes[0] == sizes[1] {
		return nil
	}
	to := max(sizes[0], sizes[1]) + head
	for i, f := range pair {
		switch f.MediaType {
		case "image/png", "audio/wav":
		case "video/mp4", "audio/mp4":
			if err := freeBox(f.Path, sizes[i], to-sizes[i]); err != nil {
				return err
			}
		default:
			return nil
		}
		if err := os.Truncate(f.Path, to); err != nil {
			return err
		}
	}
	return nil
}
