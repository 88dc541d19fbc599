package grid

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/mediainfo"
	"darkroom/jobs/compare"
	"darkroom/tui/preview"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

// thumbs are the pictures of the cells in sight.
type thumbs struct {
	loader *preview.Loader
	slot   string
	want   map[string]preview.Key // by the trial's job
	got    map[string]preview.ReadyMsg
}

func newThumbs(l *preview.Loader, slot string) thumbs {
	return thumbs{loader: l, slot: slot, want: map[string]preview.Key{}, got: map[string]preview.ReadyMsg{}}
}

// maxBytes bounds what the pictures in sight may take of the loader's cache together.
const maxBytes = 40 << 20

// Load asks for the pictures of the cells in sight, and gives up those out of sight.
func (m *Model) Load() tea.Cmd {
	if m.pics.loader == nil {
		return nil
	}
	if !m.tall || m.run == nil {
		m.pics.drop(nil)
		return nil
	}
	s := m.shape()
	seen := map[string]bool{}
	mode := m.pics.loader.Mode(m.st)
	if f := mode.Surface; f.Exact && 4*s.cols*s.rows*s.cell*s.line*f.Cell.X*f.Cell.Y > maxBytes {
		mode.Surface = preview.Surface{}
	}
	var cmds []tea.Cmd
	for y := m.top; y < min(len(m.rows), m.top+s.rows); y++ {
		for x := m.left; x < min(len(m.cols), m.left+s.cols); x++ {
			t := m.trialAt(m.rows[y], m.cols[x])
			if t == nil || s.line < 4 {
				continue
			}
			path, poster, _ := say.Showpiece(&t.Outcome)
			if path == "" {
				continue
			}
			seen[t.JobID] = true
			cmds = append(cmds, m.pics.load(t.JobID, preview.Request{
				Slot: m.pics.slot + t.JobID, Path: path, Poster: poster, Width: s.cell, Height: s.line - 2, Mode: mode,
				Pixels: maxBytes / 4 / max(1, s.cols*s.rows), Low: true,
			}))
		}
	}
	m.pics.drop(seen)
	return tea.Batch(cmds...)
}

// Take takes in a picture, and reports whether one in sight has come.
func (m *Model) Take(msg preview.ReadyMsg) bool {
	id, ok := strings.CutPrefix(msg.Slot, m.pics.slot)
	if want, known := m.pics.want[id]; !ok || !known || want != msg.Key {
		return false
	}
	m.pics.got[id] = msg
	m.forget()
	return true
}

// Drop gives up all pictures: nobody sees them.
func (m *Model) Drop() { m.pics.drop(nil) }

func (p *thumbs) load(id string, r preview.Request) tea.Cmd {
	if p.want[id] == r.Key() && !p.loader.Lost(r.Key()) {
		return nil
	}
	p.want[id] = r.Key()
	delete(p.got, id)
	if got, ok := p.loader.Peek(r); ok {
		p.got[id] = got
	}
	return p.loader.Load(r)
}

func (p *thumbs) drop(but map[string]bool) {
	for id := range p.want {
		if but[id] {
			continue
		}
		if _, have := p.got[id]; !have {
			p.loader.Cancel(p.slot + id)
		}
		delete(p.want, id)
		delete(p.got, id)
	}
}

// lines are a trial's picture, exactly w x h cells, or what there is to say in its place.
func (p *thumbs) lines(t *compare.Trial, w, h int, k *inks) []string {
	if h <= 0 {
		return nil
	}
	text := ""
	if t != nil {
		got, have := p.got[t.JobID]
		switch {
		case have && got.Lines != nil && got.Key.Width == w && got.Key.Height == h:
			return got.Lines
		case have && got.Err != nil:
			text = "no preview"
		case have && got.Info.Kind == mediainfo.Audio:
			text = "♪"
		case len(t.Files) > 0:
			text = "preview …"
		case t.Ended() && !t.OK():
			text = client.CleanLine(t.Message)
		}
	}
	return strings.Split(widgets.Fit(k.faint.Text(widgets.Truncate(text, w)), w, h), "\n")
}
