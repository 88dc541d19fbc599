package client

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"darkroom/client/sniff"
)

// MediaKind tells whether a reference, as a draft holds it, is an image, a video or an audio: by
// the type of a data URI, else by the extension of the name in its URL or path. It reads no file
// and sends no request; "" where the reference does not say.
func MediaKind(ref string) string {
	if len(ref) > 5 && strings.EqualFold(ref[:5], "data:") {
		return kindOf(strings.ToLower(ref[5:min(len(ref), 40)]))
	}
	name := ref
	if p, ok := FilePath(ref); ok {
		name = p
	} else if u, err := url.Parse(ref); err == nil && u.Path != "" {
		name = u.Path
	}
	if t := sniff.Name(name); t.Media() {
		return string(t.Class)
	}
	return ""
}

// kindOf is the first word of a media type, "" for a type that is not media.
func kindOf(mediaType string) string {
	switch kind, _, _ := strings.Cut(mediaType, "/"); kind {
	case "image", "video", "audio":
		return kind
	default:
		return ""
	}
}

// inlineFiles reads a file into a data URI.
func inlineFiles(path string) (string, error) {
	f, size, err := openMedia(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return "", tell(path, err)
	}
	if len(data) > MaxFile || int64(len(data)) != size {
		return "", fmt.Errorf("%s: changed while it was read, or is larger than %d MiB", CleanLine(path), MaxFile>>20)
	}
	mt, err := mediaType(path, data)
	if err != nil {
		return "", err
	}
	return "data:" + mt + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// openMedia opens a regular file below the cap. The file is checked before it is opened too, since
// opening a pipe would wait.
func openMedia(path string) (*os.File, int64, error) {
	size, err := statMedia(path)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path) //nolint:gosec // the path is the person's own choice
	if err != nil {
		return nil, 0, tell(path, err)
	}
	return f, size, nil
}

func statMedia(path string) (int64, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, tell(path, err)
	case !st.Mode().IsRegular():
		return 0, fmt.Errorf("%s: is not a regular file", CleanLine(path))
	case st.Size() == 0:
		return 0, fmt.Errorf("%s: is empty", CleanLine(path))
	case st.Size() > MaxFile:
		return 0, fmt.Errorf("%s: is %.1f MiB, the limit is %d MiB: pass a URL instead", CleanLine(path), float64(st.Size())/(1<<20), MaxFile>>20)
	}
	return st.Size(), nil
}

// tell says what is wrong with a path, naming it once, in clean text.
func tell(path string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", CleanLine(path), err)
}

// mediaType sniffs a type from the first bytes, and trusts the name only where the bytes say
// nothing. Anything but pictures, video and sound is refused, so that a mistyped path sends nothing
// off this machine.
func mediaType(path string, head []byte) (string, error) {
	t := sniff.Bytes(head)
	if named := sniff.Name(path); t.Class == sniff.Unknown && named.Media() {
		t = named
	}
	if !t.Media() {
		what, _, _ := strings.Cut(http.DetectContentType(head), ";") // knows more of what is no media
		return "", fmt.Errorf("%s: is %s, not a picture, a video or a sound", CleanLine(path), what)
	}
	return t.MediaType, nil
}

// SniffMedia returns the media type of a local file, as "image/png", from its first bytes (from its
// name where those say nothing). It fails, with an error that names the path, when the file is no
// picture, video or sound, or is one that a request would not take: not a regular file, empty, or
// larger than [MaxFile].
func SniffMedia(path string) (string, error) {
	f, _, err := openMedia(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, sniff.Len))
	if err != nil {
		return "", tell(path, err)
	}
	return mediaType(path, head)
}
