package chain

import (
	"context"
	"errors"
	"fmt"
	"os"

	"darkroom/client"
)

// Frames takes the last frame of a saved video into a file, and returns its path.
type Frames interface {
	LastFrame(ctx context.Context, video string) (path string, err error)
}

// Resolve returns the value that stands for a material in a draft: a file:// URL of a file that is
// there, else its address, or the id of the task. frames may be nil: then no frame is taken out of
// a video. It looks at the disk.
func Resolve(ctx context.Context, m Material, frames Frames) (ref string, err error) {
	switch {
	case m.ID != "":
		return m.ID, nil
	case m.Video != "":
		if frames == nil {
			return "", errors.New("the task has no last frame of its own; taking it out of the video needs ffmpeg, which is not installed")
		}
		if err := readable(m.Video); err != nil {
			return "", fmt.Errorf("the task has no last frame of its own, and the video is gone: %w", err)
		}
		path, err := frames.LastFrame(ctx, m.Video)
		if err != nil {
			return "", fmt.Errorf("the task has no last frame of its own, and taking it out of the video failed: %w", err)
		}
		return client.FileURL(path), nil
	case m.Path != "":
		err = readable(m.Path)
		if err == nil {
			return client.FileURL(m.Path), nil
		}
	}
	if m.URL != "" {
		return m.URL, nil
	}
	if err == nil {
		err = errors.New("there is no file and no address of it")
	}
	return "", err
}

func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	}
	return nil
}
