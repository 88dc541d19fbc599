package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"darkroom/tui/preview/tags"
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

// Info is what a media file says of itself. What is not known is 0 or "". All texts are
// of this package or printable ASCII, but for tags and lyrics.
type Info struct {
	Kind   Kind
	Format string // "MP4", "PNG", "WAV"
	Bytes  int64  // size of the file

	Width, Height int
	// Duration is how long it plays; About says that it is an estimate.
	Duration time.Duration
	About    bool
	FPS      float64 // pictures a second

	Codec      string // of the video: "avc1"
	AudioCodec string
	Rate       int // samples a second
	Channels   int
	Bits       int // a sample
	// Wave is the loudness over time, from 0 to 1, in at most 240 steps.
	Wave []float64
	// Tags are what a sound says of itself, clean, and Lyrics its words, in lines.
	Tags   []tags.Field
	Lyrics string
	cover  []byte // the picture in it; [Loader] lets go of it once it was drawn
}

// Probe reads what a file says of itself: the heads of PNG, JPEG, GIF, WebP, MP4, WebM
// (and other Matroska), WAV, FLAC, MP3 and Ogg, the tags of sounds, and the loudness of a WAV. What it does not know is
// [Other], without an error. Damaged files are errors, with what could be read. It does I/O:
// call it in a command.
func Probe(path string) (Info, error) { return probeFile(context.Background(), path) }

// probeFile is Probe for as long as a context lasts.
func probeFile(ctx context.Context, path string) (Info, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return Info{Kind: Other}, err
	}
	defer func() { _ = f.Close() }()
	return probe(&readerAt{ctx: ctx, r: f, left: maxProbe}, size)
}

// headSize is how much of a file is looked at to tell what it is.
const headSize = 64 << 10

// probe is Probe of anything that can be read from any place.
func probe(r io.ReaderAt, size int64) (info Info, err error) {
	info = Info{Kind: Other, Bytes: size}
	head := make([]byte, min(size, headSize))
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return info, fmt.Errorf("preview: %w", err)
	}
	head = head[:n]
	// The readers of others' formats meet hostile bytes here; none of them may take the
	// console down.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("preview: %s: damaged", info.Format)
		}
	}()
	switch {
	case codecFor(head).config != nil:
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
		info.Tags, info.Lyrics, info.cover = t.Fields, t.Lyrics, t.Cover
	}
	if err != nil {
		err = fmt.Errorf("preview: %s: %w", info.Format, err)
	}
	return info, err
}

var errDamaged = errors.New("damaged")

// picture takes the size from the head of a picture, which comes behind all that cameras and
// programs have to say of it.
func (info *Info) picture(r io.ReaderAt, size int64, head []byte) error {
	c := codecFor(head)
	info.Kind, info.Format = Picture, c.name
	cfg, err := c.config(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	info.Width, info.Height = cfg.Width, cfg.Height
	if orientationOf(head).swaps() {
		info.Width, info.Height = cfg.Height, cfg.Width
	}
	return nil
}

// openRegular opens a file to read, and refuses what is none before it is opened: a
// named pipe would wait for its other end.
func openRegular(path string) (*os.File, int64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("preview: %w", err)
	}
	if !st.Mode().IsRegular() {
		return nil, 0, errors.New("preview: not a regular file")
	}
	f, err := os.Open(path) //nolint:gosec // a file that the person asked to see
	if err != nil {
		return nil, 0, fmt.Errorf("preview: %w", err)
	}
	return f, st.Size(), nil
}
