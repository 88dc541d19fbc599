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
	wanted preview.Key
	got    preview.ReadyMsg
	have   bool // got is what is wanted
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
	if r.Key() == p.wanted && !p.loader.Lost(r.Key()) {
		return nil, false
	}
	p.wanted = r.Key()
	p.got, p.have = p.loader.Peek(r)
	return p.loader.Load(r), true
}

// forget is for another job.
func (p *picture) forget() { p.have, p.wanted = false, preview.Key{} }

// hide gives up what nobody waits for any more.
func (p *picture) hide() {
	if p.loader != nil && !p.have {
		p.loader.Cancel(pictureSlot)
		p.wanted = preview.Key{}
	}
}

// take takes over the picture, and reports whether it is this one.
func (p *picture) take(msg preview.ReadyMsg) bool {
	if msg.Key != p.wanted {
		return false
	}
	p.got, p.have = msg, true
	return true
}

// info is what the file says of itself, nil while that is not known.
func (p *picture) info() *mediainfo.Info {
	if !p.have || p.got.Err != nil {
		return nil
	}
	return &p.got.Info
}

// view draws it in w x h cells.
func (p *picture) view(k *kit, w, h int) string {
	switch {
	case !p.have:
		return k.ink.faint.Text("preview …")
	case p.got.Lines != nil:
		return strings.Join(p.got.Lines, "\n")
	case p.got.Err != nil:
		return strings.Join(k.ink.failure(p.got.Err, w, h), "\n")
	default:
		return preview.Card(k.st, p.got.Info, w, h)
	}
}
