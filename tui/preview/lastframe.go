package preview

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"darkroom/client/mediainfo"
)

const (
	frameTime = 60 * time.Second // for the last frame of one video
	frameMost = 64 << 20         // bytes of the picture
	frameTail = 3                // seconds at the end of a video that are looked at first
)

// Frames keeps the last frames of videos in a folder of the cache, as PNG: each is taken once,
// and again when the video has changed.
type Frames struct {
	tool *FFmpeg
	dir  string
}

// NewFrames returns what keeps frames in a folder, which is made with the first frame; nil without
// ffmpeg.
func NewFrames(tool *FFmpeg, dir string) *Frames {
	if tool == nil {
		return nil
	}
	return &Frames{tool, dir}
}

// LastFrame returns the path of the picture with which a video ends. It runs ffmpeg, within the
// bounds of [FFmpeg], and writes one file.
func (f *Frames) LastFrame(ctx context.Context, video string) (string, error) {
	info, err := probe(ctx, video)
	if err != nil {
		return "", err
	}
	if info.Kind != mediainfo.Video {
		return "", errors.New("preview: it is not a video that is known here (MP4, WebM)")
	}
	if err := DefaultLimits().video(info); err != nil {
		return "", err
	}
	st, err := os.Stat(video)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", video, st.Size(), st.ModTime().UnixNano()))
	path := filepath.Join(f.dir, "last-frame-"+hex.EncodeToString(sum[:8])+".png")
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
		return path, nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return "", err
	}
	part, err := os.CreateTemp(f.dir, ".last-frame-*.png")
	if err != nil {
		return "", err
	}
	_ = part.Close()
	defer func() { _ = os.Remove(part.Name()) }() // gone already when all went well
	// From near the end; if no picture comes from there, from the beginning.
	err = f.tool.frame(ctx, video, part.Name(), info, "-sseof", "-"+strconv.Itoa(frameTail))
	if st, serr := os.Stat(part.Name()); err == nil && serr == nil && st.Size() == 0 {
		err = f.tool.frame(ctx, video, part.Name(), info)
	}
	if err != nil {
		return "", err
	}
	st, err = os.Stat(part.Name())
	switch {
	case err != nil:
		return "", err
	case st.Size() == 0:
		return "", errors.New("preview: ffmpeg found no picture in the video")
	case st.Size() > frameMost:
		return "", fmt.Errorf("%w: the last frame has %d bytes, at most %d", ErrTooLarge, st.Size(), frameMost)
	}
	return path, os.Rename(part.Name(), path)
}

// frame has ffmpeg write every picture that it reads to the same file: the last one stays.
func (f *FFmpeg) frame(ctx context.Context, video, out string, info mediainfo.Info, input ...string) error {
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	cmd, err := f.command(ctx, video, info, input, []string{"-map", "0:v:0", "-update", "1", "-c:v", "png", "-f", "image2", "file:" + out})
	if err != nil {
		return err
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("preview: ffmpeg: %w", err)
	}
	return nil
}
