package preview

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"darkroom/client/mediainfo"
)

const (
	posterTime = 10 * time.Second // for one picture
	posterWide = 1280             // pixels at most
	posterMost = 16 << 20         // bytes of a picture
	framesTime = time.Minute      // for those of a video
	waveTime   = 10 * time.Second // for the loudness of one file
	waveRate   = 4000             // samples a second that are looked at
	waveMost   = 20 * 60          // seconds that are looked at
)

// FFmpeg looks into media files through the system's ffmpeg. Each call is one process with one
// thread, which opens that one file, no other and no address. Its pixels, output, memory and time
// are bounded whatever the file says of itself, and it is killed when the context ends.
type FFmpeg struct{ program string }

// FindFFmpeg finds the program; nil if there is none.
func FindFFmpeg() *FFmpeg {
	program, err := exec.LookPath("ffmpeg")
	if err != nil || !filepath.IsAbs(program) {
		return nil
	}
	return &FFmpeg{program}
}

// Poster implements [Tool]: it takes a picture from the beginning of the video, but not the very
// first, which is often black.
func (f *FFmpeg) Poster(ctx context.Context, path string, info mediainfo.Info, lim Limits) (image.Image, error) {
	if err := lim.video(info); err != nil {
		return nil, err
	}
	at := min(info.Duration/10, time.Second)
	out, err := f.run(ctx, posterTime, posterMost, path, info,
		[]string{"-ss", strconv.FormatFloat(at.Seconds(), 'f', 3, 64)},
		"-map", "0:v:0", "-frames:v", "1", "-vf", fmt.Sprintf("scale=w='min(%d,iw)':h=-2", posterWide),
		"-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "2")
	if err != nil {
		return nil, err
	}
	return Decode(ctx, bytes.NewReader(out), lim)
}

// video refuses a video that declares itself too large. The tool's own bounds stop the rest.
func (l Limits) video(info mediainfo.Info) error {
	if int64(info.Width)*int64(info.Height) > l.Pixels {
		return fmt.Errorf("preview: %w: %d x %d, at most %d pixels", ErrTooLarge, info.Width, info.Height, l.Pixels)
	}
	return nil
}

// Wave implements [Tool]: it returns the peaks of the sound.
func (f *FFmpeg) Wave(ctx context.Context, path string, info mediainfo.Info) ([]float64, error) {
	out, err := f.run(ctx, waveTime, 2*waveRate*waveMost, path, info, nil,
		"-map", "0:a:0", "-t", strconv.Itoa(waveMost), "-ac", "1", "-ar", strconv.Itoa(waveRate), "-f", "s16le")
	if err != nil {
		return nil, err
	}
	n := len(out) / 2
	steps := min(mediainfo.WaveSteps, n)
	wave := make([]float64, steps)
	for i := range n {
		v := math.Abs(float64(int16(binary.LittleEndian.Uint16(out[2*i:])))) / 32768
		at := i * steps / n
		wave[at] = max(wave[at], v)
	}
	return wave, nil
}

// Frames implements [Tool].
func (f *FFmpeg) Frames(ctx context.Context, path string, info mediainfo.Info, s FrameSpec, out io.Writer) error {
	if err := DefaultLimits().video(info); err != nil {
		return err
	}
	// A video that is turned, or whose pixels are not square, gets bars.
	w, h, shape := s.Size.X, s.Size.Y, s.Shape
	fits := fmt.Sprintf("if(lt(abs(dar/%f-1),0.05),1,", shape)
	filter := fmt.Sprintf("fps=%.4f,scale=w='%d*%smin(1,dar/%f))':h='%d*%smin(1,%f/dar))':flags=area,pad=%d:%d:-1:-1",
		s.Rate, w, fits, shape, h, fits, shape, w, h)
	return f.pipe(ctx, framesTime, out, path, info, nil, "-map", "0:v:0",
		"-frames:v", strconv.Itoa(s.Most), "-vf", filter, "-f", "rawvideo", "-pix_fmt", "rgb24")
}

// demuxer returns ffmpeg's name for a format that package mediainfo knows. Nothing else is tried: a
// playlist could name other files.
func demuxer(format string) string {
	return map[string]string{"MP4": "mov", "WebM": "matroska", "Matroska": "matroska", "MP3": "mp3", "FLAC": "flac", "WAV": "wav", "Ogg": "ogg"}[format]
}

// run returns what ffmpeg makes of a file, at most most bytes.
func (f *FFmpeg) run(ctx context.Context, limit time.Duration, most int, path string, info mediainfo.Info, input []string, output ...string) ([]byte, error) {
	out := &bounded{most: most}
	if err := f.pipe(ctx, limit, out, path, info, input, output...); err != nil {
		return nil, err
	}
	if len(out.got) == 0 {
		return nil, errors.New("preview: ffmpeg found nothing to show")
	}
	return out.got, nil
}

// pipe writes what ffmpeg makes of a file to a writer; an error of the writer ends ffmpeg.
func (f *FFmpeg) pipe(ctx context.Context, limit time.Duration, out io.Writer, path string, info mediainfo.Info, input []string, output ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd, err := f.command(ctx, path, info, input, append(output, "pipe:1"))
	if err != nil {
		return err
	}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("preview: ffmpeg: %w", err)
	}
	return nil
}

// command returns the command that runs ffmpeg on one file. What stands before -i bounds how the
// file is read.
func (f *FFmpeg) command(ctx context.Context, path string, info mediainfo.Info, input, output []string) (*exec.Cmd, error) {
	format := demuxer(info.Format)
	if format == "" || !filepath.IsAbs(path) {
		return nil, fmt.Errorf("preview: ffmpeg is not asked about %q files", info.Format)
	}
	args := append([]string{"-nostdin", "-y", "-v", "error", "-filter_threads", "1",
		"-max_alloc", strconv.Itoa(256 << 20), "-max_pixels", strconv.Itoa(maxPixels),
		"-protocol_whitelist", "file", "-threads", "1", "-f", format}, input...)
	args = append(args, "-i", "file:"+path)
	last := len(output) - 1 // where to
	args = append(append(args, output[:last]...), "-threads", "1", output[last])
	return confined(ctx, toolBounds, f.program, args...), nil
}

// bounded takes at most so many bytes and then fails. It is not a bytes.Buffer, whose ReadFrom
// would bypass Write.
type bounded struct {
	got  []byte
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.got)+len(p) > b.most {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.most)
	}
	b.got = append(b.got, p...)
	return len(p), nil
}
