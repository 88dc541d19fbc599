package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"os"

	"darkroom/client/disk"
	"darkroom/client/sniff"
	"darkroom/jobs/compare"
)

// Media says how pictures, videos and sounds get into a page. The zero value has the defaults.
type Media struct {
	MaxFile int64 // bytes of a file that is embedded; 0 for 1.5 MB, below 0 for none
	MaxAll  int64 // bytes of all that are embedded; 0 for 24 MB
	MaxShow int   // results that are shown; 0 for 600

	results map[key][]string
	covers  map[key]string
}

const (
	defaultFile = 1_500_000
	defaultAll  = 24_000_000
	defaultShow = 600
)

func (m Media) limits() (file, all int64, show int) {
	file, all, show = m.MaxFile, m.MaxAll, m.MaxShow
	if file == 0 {
		file = defaultFile
	}
	if all == 0 {
		all = defaultAll
	}
	if show == 0 {
		show = defaultShow
	}
	return file, all, show
}

// shelf puts the files of a report where its page finds them: into the page while they are small, else
// into a folder beside it.
type shelf struct {
	file, all int64
	folder    *folder // nil where there is none: what is too large is left out
	name      string  // of the folder
}

// clip is a result as a page shows it.
type clip struct {
	Class string // "image", "video", "audio"
	// URL is a data: address of a type that was sniffed, or a name in the report's folder, which this
	// package made: never a text of a stranger.
	URL    template.URL
	Note   string       // why nothing is shown, "" where it is
	Poster template.URL // what a video shows before it plays, "" for none
	// Embedded: it is in the page. Such a picture is not fetched late, or it would miss on paper.
	Embedded bool
}

// shows are the types that browsers play; an SVG, which may hold scripts, is none of them.
var shows = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/avif": true,
	"video/mp4": true, "video/webm": true, "video/quicktime": true,
	"audio/mpeg": true, "audio/wav": true, "audio/flac": true, "audio/mp4": true, "audio/aac": true, "audio/ogg": true,
}

func readerOf(b []byte) io.Reader { return bytes.NewReader(b) }

// put takes a file in. What cannot be shown is said; an error is one of the folder.
func (s *shelf) put(slot compare.Slot, path string) (clip, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.PlainOnly, 0)
	if err != nil {
		return clip{Note: "the file is gone"}, nil
	}
	defer func() { _ = f.Close() }()
	unreadable := clip{Note: "the file cannot be read"}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return unreadable, nil
	}
	head := make([]byte, sniff.Len)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable, nil
	}
	typ := sniff.Bytes(head[:n])
	if !shows[typ.MediaType] {
		return clip{Note: "no browser shows " + typ.MediaType}, nil
	}
	out, all := clip{Class: string(typ.Class)}, io.MultiReader(readerOf(head[:n]), f)
	if size := info.Size(); size <= s.file && size <= s.all {
		body, err := io.ReadAll(io.LimitReader(all, size+1))
		if err != nil || int64(len(body)) != size {
			return unreadable, nil
		}
		s.all -= size
		out.Embedded = true
		out.URL = template.URL("data:" + typ.MediaType + ";base64," + base64.StdEncoding.EncodeToString(body)) //nolint:gosec // the type is one of shows, and base64 has no other signs
		return out, nil
	}
	if s.folder == nil {
		return clip{Note: "too large to be in the page"}, nil
	}
	name := fmt.Sprintf("%s.%s", slot, typ.Ext)
	if err := s.folder.put(name, all); err != nil {
		return clip{}, err
	}
	out.URL = template.URL("./" + url.PathEscape(s.name) + "/" + name) //nolint:gosec // escaped, and made here
	return out, nil
}
