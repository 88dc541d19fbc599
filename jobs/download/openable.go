package download

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
)

// The endings of files that are handed to other programs: of media, and of words.
var (
	mediaEnds = []string{"png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "avif", "heic",
		"mp4", "m4v", "mov", "webm", "mkv", "avi", "ogv", "mp3", "wav", "flac", "m4a", "aac", "ogg", "oga", "opus"}
	wordsEnds = []string{"json", "txt"}
)

// Openable says why a file is not to be handed to a player or the desktop's program; nil where
// it may be. Those programs go by a file's name, and start what is a program. So both its
// bytes and its name have to be those of a picture, a video, a sound, or words (.json, .txt);
// it is a regular file at this very place, no link to another, and cannot be executed.
func Openable(path string) error {
	if err := openable(path); err != nil {
		return fmt.Errorf("%s is not opened: %w", client.CleanLine(path), err)
	}
	return nil
}

func openable(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("it is no whole path")
	}
	info, err := os.Lstat(path)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("a link to another file is in its place")
	case !info.Mode().IsRegular():
		return errors.New("it is no file")
	case info.Mode().Perm()&0o111 != 0:
		return errors.New("it is marked as a program (chmod -x takes that away)")
	}
	f, err := os.Open(path) //nolint:gosec // whose file it is was looked at
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, SniffLen))
	if err != nil {
		return err
	}
	t := Sniff(head)
	end := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	ends := mediaEnds
	switch t.Class {
	case ClassText:
		ends = wordsEnds
	case ClassUnknown:
		return errors.New("its bytes are of no picture, video or sound that is known here")
	}
	if !slices.Contains(ends, end) {
		return fmt.Errorf("its name ends in %q, and its bytes are %s", client.CleanLine(filepath.Ext(path)), t.MediaType)
	}
	return nil
}
