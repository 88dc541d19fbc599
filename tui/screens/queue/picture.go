package queue

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/mediainfo"
	"darkroom/jobs"
	"darkroom/tui/preview"
)

const pictureSlot = "queue.detail"

// Room of the picture in the detail.
const (
	maxPictLines = 26
	pictFrom     = 14 // lines of the screen from which there is a picture
	pictAlways   = 44 // and from which it leaves room for long texts
)

// picture is the preview of the job under the cursor.
type picture struct {
	loader *preview.Loader // nil shows none
	off    bool            // the person wants none
	preview.Awaited
}

// height is the room for it on a screen of h lines, 0 for none. Beside long texts it needs a
// high one.
func (p *picture) height(j *jobs.Job, h int, long bool) int {
	if p.off || p.loader == nil || h < pictFrom || long && h < pictAlways || j.Face().Path == "" {
		return 0
	}
	return min(maxPictLines, h*2/5)
}

// load asks for it when it is another one than the last, and reports whether it is.
func (p *picture) load(k *kit, j *jobs.Job, w, h int) (cmd tea.Cmd, another bool) {
	f := j.Face()
	r := preview.Request{Slot: pictureSlot, Path: f.Path, Poster: f.Poster, Spare: f.Spare, Width: w, Height: h, Mode: p.loader.Mode(k.st)}
	return p.Load(p.loader, r)
}

// hide gives up what nobody waits for any more.
func (p *picture) hide() {
	if p.loader != nil && !p.Have {
		p.loader.Cancel(pictureSlot)
		p.Forget()
	}
}

// info is what the file says of itself, nil while that is not known.
func (p *picture) info() *mediainfo.Info {
	if !p.Have || p.Got.Err != nil {
		return nil
	}
	return &p.Got.Info
}

// view draws it in w x h cells.
func (p *picture) view(k *kit, w, h int) string {
	switch {
	case !p.Have:
		return k.ink.Faint.Text("preview …")
	case p.Got.Lines != nil:
		return strings.Join(p.Got.Lines, "\n")
	case p.Got.Err != nil:
		return strings.Join(k.ink.Failure(p.Got.Err, w, h), "\n")
	default:
		return preview.Card(k.st, p.Got.Info, w, h)
	}
}
