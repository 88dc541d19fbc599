package download

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/client"
	"darkroom/client/sniff"
)

// Openable says why a file must not be handed to a player or the desktop's program; nil if it may.
// Those go by a file's name, and start a file that is a program. So both its bytes and its name
// have to be those of a picture, a video, a sound or a text (.json, .txt), and it has to be a
// regular file at this very place, not a link, and not executable.
func Openable(path string) error {
	if err := openable(path); err != nil {
		return fmt.Errorf("%s is not opened: %w", client.CleanLine(path), err)
	}
	return nil
}

func openable(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("it is not a whole path")
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
		return errors.New("it is not a file")
	case info.Mode().Perm()&0o111 != 0:
		return errors.New("it is marked as a program (chmod -x takes that away)")
	}
	f, err := os.Open(path) //nolint:gosec // whose file it is was looked at
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, sniff.Len))
	if err != nil {
		return err
	}
	t, named := sniff.Bytes(head), sniff.Name(path)
	switch {
	case t.Class == sniff.Unknown:
		return errors.New("its bytes are of no picture, video or sound that is known here")
	case named.Class == sniff.Text && t.Class == sniff.Text, named.Media() && t.Media():
		return nil
	default:
		return fmt.Errorf("its name ends in %q, and its bytes are %s", client.CleanLine(filepath.Ext(path)), t.MediaType)
	}
}
