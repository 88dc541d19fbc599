// Package mediainfo reads a media file's description of itself, from its head and its index, as
// ffprobe does: no media data is decoded, no program is started, and nothing here knows how it is
// shown. Everything in such a file is hostile: how much is read is bounded, texts come out clean.
package mediainfo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"darkroom/client/mediainfo/tags"
)

// Kind is what a file is for.
type Kind string

// Kinds of files.
const (
	Picture Kind = "picture"
	Video   Kind = "video"
	Audio   Kind = "audio"
	Other   Kind = "file"
)

// Info is a media file's description of itself. Unknown values are 0 or "". All texts are this
// package's own or printable ASCII, except for tags and lyrics.
type Info struct {
	Kind   Kind
	Format string // the container: "MP4", "PNG", "WAV"
	Bytes  int64  // size of the file

	Width, Height int // as it is to be seen: turned, where a picture asks for that
	// Duration is how long it plays; About says that it is an estimate.
	Duration time.Duration
	About    bool
	FPS      float64 // pictures a second

	Codec      string // of the video: "avc1"
	AudioCodec string // "" where there is no sound
	Rate       int    // samples a second
	Channels   int
	Bits       int // a sample
	// Wave is the loudness over time, from 0 to 1, in at most 240 steps.
	Wave []float64
	// Tags are what a sound says of itself, clean, and Lyrics its words, in lines.
	Tags   []tags.Field
	Lyrics string
	// Cover is the picture in a sound, as it was put in: look before you decode.
	Cover []byte
}

// Read reads what a file says of itself: the heads of PNG, JPEG, GIF, WebP, MP4, WebM
// (and other Matroska), WAV, FLAC, MP3 and Ogg, the tags of sounds, and the loudness of a WAV. What it does not know is
// [Other], without an error. Damaged files are errors, with what could be read.
func Read(ctx context.Context, path string) (Info, error) {
	f, size, err := Open(path)
	if err != nil {
		return Info{Kind: Other}, err
	}
	defer func() { _ = f.Close() }()
	return read(&readerAt{ctx: ctx, r: f, left: maxRead}, size)
}

// headSize is how much of a file is looked at to tell what it is.
const headSize = 64 << 10

// read is Read of anything that allows random access.
func read(r io.ReaderAt, size int64) (info Info, err error) {
	info = Info{Kind: Other, Bytes: size}
	head := make([]byte, min(size, headSize))
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return info, err
	}
	head = head[:n]
	// The readers of others' formats meet hostile bytes here; none of them may take the
	// console down.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %w", info.Format, errDamaged)
		}
	}()
	switch {
	case PictureFormat(head) != "":
		err = info.picture(r, size, head)
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		err = info.mp4(r, size)
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WAVE":
		err = info.wav(r, size)
	case bytes.HasPrefix(head, []byte("fLaC")):
		err = info.flac(head)
	case bytes.HasPrefix(head, []byte("OggS")):
		err = info.ogg(r, head, size)
	case bytes.HasPrefix(head, []byte(ebmlMagic)):
		err = info.webm(r, size)
	case isMP3(head):
		err = info.mp3(r, head, size)
	default:
		return info, nil
	}
	if info.Kind == Audio || info.Kind == Video {
		t := tags.Read(r, size)
		info.Tags, info.Lyrics, info.Cover = t.Fields, t.Lyrics, t.Cover
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", info.Format, err)
	}
	return info, err
}

var errDamaged = errors.New("damaged")

// Open opens a file to read, and refuses anything but a regular file before opening it: a named pipe would
// wait for its other end.
func Open(path string) (*os.File, int64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !st.Mode().IsRegular() {
		return nil, 0, errors.New("not a regular file")
	}
	f, err := os.Open(path) //nolint:gosec // a file that the person asked to see
	if err != nil {
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// maxRead bounds what is read of a file to tell what it is, by all readers together.
const maxRead = 64 << 20

// readerAt reads a file for as long as a context lasts, up to a number of bytes. After it has
// refused once it reads nothing more: heads alone are of no use.
type readerAt struct {
	ctx  context.Context //nolint:containedctx // it is that of one call
	r    io.ReaderAt
	left int64
	err  error
}

// ReadAt implements io.ReaderAt.
func (f *readerAt) ReadAt(p []byte, at int64) (int, error) {
	if f.ctx.Err() != nil {
		return 0, context.Cause(f.ctx)
	}
	if f.err == nil && int64(len(p)) > f.left {
		f.err = fmt.Errorf("more than %d MB of it would have to be read", maxRead>>20)
	}
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.r.ReadAt(p, at)
	f.left -= int64(n)
	return n, err
}
