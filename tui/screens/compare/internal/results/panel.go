package results

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/preview"
	"darkroom/tui/screens/compare/internal/facts"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets/scroll"
)

const panelSlot = "compare.panel"

// panel is beside or below the grid: the trial under the cursor, or what the run shows.
type panel struct {
	verdicts bool // what the run shows
	away     bool // the grid has all of the room
	hidden   bool // beside a result on the whole screen there are no facts
	body     scroll.Model
	stale    bool   // its lines are to be made anew
	of       string // what the lines are of
	w        int    // that they were made for
	numbers  numbers
	picture  preview.Awaited
	pw, ph   int // the room of the picture, 0 for none
}

func (m *Model) turnPanel() {
	m.panel.verdicts, m.panel.away = !m.panel.verdicts, false
	m.panel.stale = true
	m.panel.body.SetTop(0)
}

// fill makes the panel's lines for w x h cells; anew says that another trial has the cursor.
func (p *panel) fill(m *Model, w, h int) {
	x := m.current()
	id := "verdicts"
	if !p.verdicts || m.zoom.On() {
		id = x.Where()
	}
	p.ph = 0
	if path, poster, kind := showpiece(x); !p.verdicts && !m.zoom.On() && m.o.Previews != nil && (path != "" && kind != client.AssetAudio || poster != "") && h >= 24 && w >= 20 {
		p.pw, p.ph = w, min(h*2/5, max(4, w*9/32+1))
	}
	p.body.SetSize(w, max(0, h-p.ph))
	if !p.stale && id == p.of && w == p.w {
		return
	}
	if id != p.of {
		p.body.SetTop(0)
	}
	p.of, p.stale, p.w = id, false, w
	if id == "verdicts" {
		p.body.SetLines(m.verdictLines(max(1, w-2)))
		return
	}
	if m.grid.Bare() {
		p.body.SetLines(nil)
		return
	}
	p.body.SetLines(facts.Lines(m.st, x, max(1, w-2)))
}

func showpiece(x facts.Trial) (path, poster string, kind client.AssetKind) {
	if x.Trial == nil {
		return "", "", ""
	}
	return say.Showpiece(&x.Trial.Outcome)
}

// load asks for the picture in the panel.
func (p *panel) load(m *Model) tea.Cmd {
	if p.ph <= 0 || m.o.Previews == nil {
		p.picture.Forget()
		return nil
	}
	path, poster, _ := showpiece(m.current())
	cmd, _ := p.picture.Load(m.o.Previews, preview.Request{Slot: panelSlot, Path: path, Poster: poster, Width: p.pw, Height: p.ph - 1, Mode: m.o.Previews.Mode(m.st)})
	return cmd
}

func (p *panel) take(msg preview.ReadyMsg) { p.picture.Take(msg) }

// lines are the picture's, p.ph of them.
func (p *panel) lines() []string {
	if p.picture.Have && p.picture.Got.Lines != nil && p.picture.Wanted.Width == p.pw && p.picture.Wanted.Height == p.ph-1 {
		return append(append([]string(nil), p.picture.Got.Lines...), "")
	}
	return make([]string, p.ph)
}
