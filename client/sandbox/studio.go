package sandbox

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/client/sandbox/folder"
	"darkroom/client/sandbox/media"
	"darkroom/client/sandbox/media/fonts"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// Names of the files of a task.
const (
	videoName     = "video.mp4"
	coverName     = "cover.png"
	lastFrameName = "last_frame.png"
	songName      = "song.wav"
	imagePrefix   = "image-"
	coverSide     = 512 // pixels, of a song's cover
)

// imageName returns the file name of the i-th picture of an image task, counted from 1.
func imageName(i int) string { return fmt.Sprintf("%s%d.png", imagePrefix, i) }

// slots bounds how many media are made at once.
const slots = 2

// studio makes the media of tasks when they are first needed and keeps them in a cache. What it
// makes depends on the record alone (and for words in other scripts than Latin on the fonts of the
// machine), so that anything the cache lost can be made again. It is safe
// for concurrent use; no two callers make the same media.
type studio struct {
	ctx   context.Context
	store *store
	cache *folder.Cache
	slots chan struct{}
	made  atomic.Int64
	fonts *fonts.Library // of this machine

	mu      sync.Mutex
	flights map[string]*flight
	running sync.WaitGroup
	closed  bool
}

// flight is one making under way.
type flight struct {
	done  chan struct{}
	files map[string][]byte
	err   error
}

func newStudio(ctx context.Context, s *store) *studio {
	return &studio{ctx: ctx, store: s, cache: folder.NewCache(s.root, mediaDir, mediaMemory, mediaDisk),
		slots: make(chan struct{}, slots), fonts: fonts.New(fonts.System(os.Getenv)...), flights: map[string]*flight{}}
}

// wait returns once nothing is being made; the studio's context must have ended.
func (st *studio) wait() {
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	st.running.Wait()
}

// errNoFile says that a task has no file of that name.
var errNoFile = errors.New("no such file")

// file returns a file of a task, making it if need be; the bytes are shared and must not be
// changed. A caller that leaves early (ctx) does not stop the making.
func (st *studio) file(ctx context.Context, r *record, name string) ([]byte, error) {
	group, ok := r.group(name)
	if !ok {
		return nil, errNoFile
	}
	if b, ok := st.cache.Get(cacheName(r, name)); ok {
		return b, nil
	}
	f, err := st.fly(r, group)
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if f.err != nil {
		return nil, f.err
	}
	return f.files[name], nil
}

func cacheName(r *record, name string) string { return r.ID + "." + name }

// group names what is made together with a file, or says that there is no such file.
func (r *record) group(name string) (string, bool) {
	switch {
	case r.Kind == kindVideo:
		return videoName, name == videoName || name == coverName || name == lastFrameName
	case r.Kind == kindMusic:
		return name, name == songName || name == coverName
	case strings.HasPrefix(name, imagePrefix):
		for i := 1; i <= r.Image.N; i++ {
			if name == imageName(i) {
				return name, true
			}
		}
	}
	return "", false
}

// fly joins the making of a group, or begins it.
func (st *studio) fly(r *record, group string) (*flight, error) {
	key := cacheName(r, group)
	st.mu.Lock()
	defer st.mu.Unlock()
	if f := st.flights[key]; f != nil {
		return f, nil
	}
	if st.closed {
		return nil, context.Canceled
	}
	f := &flight{done: make(chan struct{})}
	st.flights[key] = f
	st.running.Go(func() {
		f.files, f.err = st.guarded(r, group)
		for name, b := range f.files {
			// A full disk costs only the cache: the file is in memory, and can be made again.
			_ = st.cache.Put(cacheName(r, name), b, false)
		}
		st.mu.Lock()
		delete(st.flights, key)
		st.mu.Unlock()
		close(f.done)
	})
	return f, nil
}

// guarded turns a panic of the drawing code into an error: it runs in a goroutine of
// its own, where a panic would end the whole program.
func (st *studio) guarded(r *record, group string) (files map[string][]byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			files, err = nil, panicError(p)
		}
	}()
	return st.make(r, group)
}

// make resolves the sources first and only then takes a slot, since a source may itself have to be
// made.
func (st *studio) make(r *record, group string) (map[string][]byte, error) {
	work, err := st.plan(r, group)
	if err != nil {
		return nil, err
	}
	select {
	case st.slots <- struct{}{}:
		defer func() { <-st.slots }()
	case <-st.ctx.Done():
		return nil, st.ctx.Err()
	}
	st.made.Add(1)
	return work(st.ctx)
}

type makeFunc func(ctx context.Context) (map[string][]byte, error)

func (st *studio) plan(r *record, group string) (makeFunc, error) {
	switch r.Kind {
	case kindVideo:
		return st.planVideo(r)
	case kindMusic:
		return st.planMusic(r, group)
	default:
		return st.planImage(r, group)
	}
}

func (st *studio) planVideo(r *record) (makeFunc, error) {
	p := r.Video
	m := p.really(p.planned())
	spec := media.VideoSpec{Prompt: r.Prompt, Seed: r.Seed, Width: m.Width, Height: m.Height, FPS: m.FPS,
		Duration: time.Duration(m.DurationMS) * time.Millisecond, Sound: m.Sound, Label: r.label(), Fonts: st.fonts}
	first, err := st.source(p.First, m.Width, m.Height)
	if err != nil {
		return nil, err
	}
	if spec.First = first; p.Source != "" {
		spec.First, spec.Continue = nil, first
	}
	if spec.Last, err = st.source(p.Last, m.Width, m.Height); err != nil {
		return nil, err
	}
	if spec.References, err = st.sources(p.References); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (map[string][]byte, error) {
		v, err := media.MakeVideo(ctx, spec)
		if err != nil {
			return nil, fmt.Errorf("making a video: %w", err)
		}
		return map[string][]byte{videoName: v.MP4, coverName: v.Poster, lastFrameName: v.LastFrame}, nil
	}, nil
}

func (st *studio) planMusic(r *record, name string) (makeFunc, error) {
	p := r.Music
	if name == coverName {
		return pictureMaker(name, media.PictureSpec{Prompt: r.Prompt, Title: p.Title, Seed: r.Seed,
			Width: coverSide, Height: coverSide, Label: r.label(), Fonts: st.fonts}), nil
	}
	m := p.really(p.planned())
	spec := media.TuneSpec{Prompt: strings.Join([]string{r.Prompt, p.Tags, p.Lyrics}, "\n"), Title: p.Title, Seed: r.Seed,
		Duration: time.Duration(m.DurationMS) * time.Millisecond, SampleRate: m.SampleRate, Channels: m.Channels,
		Instrumental: p.Instrumental, Speed: p.Speed, Volume: min(4, max(0.001, p.Volume)), Pitch: p.Pitch}
	return func(ctx context.Context) (map[string][]byte, error) {
		t, err := media.MakeTune(ctx, spec)
		if err != nil {
			return nil, fmt.Errorf("making a tune: %w", err)
		}
		return map[string][]byte{songName: t.WAV}, nil
	}, nil
}

func (st *studio) planImage(r *record, name string) (makeFunc, error) {
	p := r.Image
	sources, err := st.sources(p.Sources)
	if err != nil {
		return nil, err
	}
	m := p.really(script.Media{Width: p.Width, Height: p.Height})
	var i int64
	_, _ = fmt.Sscanf(name, imagePrefix+"%d.png", &i) // the name was checked against the plan
	return pictureMaker(name, media.PictureSpec{Prompt: r.Prompt, Seed: r.Seed + i - 1, Width: m.Width, Height: m.Height,
		Sources: sources, Style: p.Style, Label: r.label(), Fonts: st.fonts}), nil
}

func pictureMaker(name string, spec media.PictureSpec) makeFunc {
	return func(ctx context.Context) (map[string][]byte, error) {
		img, err := media.Picture(ctx, spec)
		if err != nil {
			return nil, fmt.Errorf("making a picture: %w", err)
		}
		b, err := media.PNG(img)
		if err != nil {
			return nil, fmt.Errorf("making a picture: %w", err)
		}
		return map[string][]byte{name: b}, nil
	}
}

// maxSources bounds how many references are drawn; further ones change nothing.
const maxSources = 8

func (st *studio) sources(refs []ref) ([]image.Image, error) {
	var out []image.Image
	for i := range refs[:min(len(refs), maxSources)] {
		img, err := st.source(&refs[i], 640, 480)
		if err != nil {
			return nil, err
		}
		out = append(out, img)
	}
	return out, nil
}

// source loads the picture of a ref, nil for a nil one; w and h are for a picture that has to be
// drawn from text. A picture that is gone (its task was removed, or the cache dropped it) is drawn
// from its name instead.
func (st *studio) source(r *ref, w, h int) (image.Image, error) {
	if r == nil {
		return nil, nil
	}
	switch r.Kind {
	case refBlob:
		if b, ok := st.store.blobs.Get(r.Value); ok {
			return decode(b)
		}
	case refFile:
		id, name, _ := strings.Cut(r.Value, "/")
		if t := st.store.get(id, kindVideo, kindMusic, kindImage, kindResponse); t != nil {
			b, err := st.file(st.ctx, t, name)
			if err != nil {
				return nil, err
			}
			return decode(b)
		}
	}
	img, err := media.Picture(st.ctx, media.PictureSpec{Prompt: r.Value, Title: "not fetched: " + text.Clip(r.Value, 80),
		Seed: int64(mix(0, r.Value) >> 1), Width: w, Height: h, Fonts: st.fonts})
	if err != nil {
		return nil, fmt.Errorf("drawing an input: %w", err)
	}
	return img, nil
}
