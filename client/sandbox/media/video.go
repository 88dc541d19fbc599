package media

import (
	"context"
	"fmt"
	"image"
	"math"
	"time"

	"darkroom/client/sandbox/media/fonts"
	"darkroom/client/sandbox/media/h264"
)

const (
	defaultFPS  = 8
	maxFrames   = 20_000
	keyInterval = 2 // seconds from one key frame to the next

	// The quantiser starts at bestQP and rises while the film spends more
	// than bytesPerPixel, or leastBytes if that is more, for every second.
	bestQP        = 22
	worstQP       = 40
	bytesPerPixel = 0.28
	leastBytes    = 12_000
)

// VideoSpec says what film to make.
type VideoSpec struct {
	Prompt string
	Title  string // written into the film; the prompt if empty
	Seed   int64
	Style  string // as in PictureSpec

	Width, Height int           // pixels, even, at least 16
	Duration      time.Duration // rounded to whole frames, at least one
	FPS           int           // frames a second, 8 if 0

	// First is the picture that the film starts from: frame 0 shows it and
	// nothing else. Continue is the same for the last picture of a film that
	// is extended; First wins.
	First, Continue image.Image
	// Last is the picture that the film ends at: its last frame shows it and
	// nothing else. A film of one frame shows First if there is one.
	Last image.Image
	// References are inset.
	References []image.Image

	Label string // a small line, such as the model's name

	Fonts *fonts.Library // as in PictureSpec

	Sound bool // a tune that its prompt shapes
}

// Video is a film: H.264 (constrained baseline) in MP4, silent or with
// sound in FLAC.
type Video struct {
	MP4 []byte
	// Poster and LastFrame are the first and the last frame as PNG, as they
	// were drawn, before compression.
	Poster, LastFrame  []byte
	Width, Height, FPS int
	Frames             int
	Duration           time.Duration // Frames / FPS, which is what the file lasts
}

// MakeVideo draws and encodes a film. It gives up between two frames when ctx
// ends.
func MakeVideo(ctx context.Context, spec VideoSpec) (*Video, error) {
	if spec.FPS == 0 {
		spec.FPS = defaultFPS
	}
	count := math.Round(spec.Duration.Seconds() * float64(spec.FPS))
	if spec.Duration < 0 || count > maxFrames {
		return nil, fmt.Errorf("%w: a film of %v at %d frames a second", errSpec, spec.Duration, spec.FPS)
	}
	frames := max(1, int(count))
	encoder, err := h264.New(h264.Config{Width: spec.Width, Height: spec.Height, FPS: spec.FPS})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSpec, err)
	}
	f, err := newFilm(spec, frames)
	if err != nil {
		return nil, err
	}
	v := &Video{Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: frames}
	v.Duration = time.Duration(frames) * time.Second / time.Duration(spec.FPS)
	out := &track{width: spec.Width, height: spec.Height, fps: spec.FPS, sps: encoder.SPS(), pps: encoder.PPS()}
	if err := f.encode(ctx, encoder, out, v); err != nil {
		return nil, err
	}
	if v.LastFrame, err = PNG(f.canvas.img); err != nil {
		return nil, err
	}
	if spec.Sound {
		if out.sound, err = filmSound(ctx, spec, v.Duration); err != nil {
			return nil, err
		}
	}
	if v.MP4, err = out.mux(); err != nil {
		return nil, err
	}
	return v, nil
}

// encode draws and encodes every frame into out, and keeps the poster.
func (f *film) encode(ctx context.Context, encoder *h264.Encoder, out *track, v *Video) error {
	yuv := h264.NewFrame(f.spec.Width, f.spec.Height)
	budget := max(leastBytes, bytesPerPixel*float64(f.spec.Width*f.spec.Height)) / float64(f.spec.FPS)
	qp, spent := bestQP, 0.0
	for i := range f.frames {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.draw(i); err != nil {
			return err
		}
		if i == 0 {
			poster, err := PNG(f.canvas.img)
			if err != nil {
				return err
			}
			v.Poster = poster
		}
		yuv.SetRGBA(f.canvas.img)
		key := i%(keyInterval*f.spec.FPS) == 0
		unit, err := encoder.Encode(yuv, key, qp)
		if err != nil {
			return err
		}
		out.samples = append(out.samples, unit)
		if key {
			out.keys = append(out.keys, uint32(i+1))
		}
		spent += float64(len(unit))
		qp = nextQP(qp, spent-budget*float64(i+1), budget*float64(f.spec.FPS))
	}
	return nil
}

// nextQP steers the quality by how many bytes too many were spent so far,
// compared with what a second may take.
func nextQP(qp int, over, second float64) int {
	switch {
	case over > 0.9*second:
		return min(qp+2, worstQP)
	case over > 0.6*second:
		return min(qp+1, worstQP)
	case over < 0.2*second:
		return max(qp-1, bestQP)
	}
	return qp
}
