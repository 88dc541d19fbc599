package latest

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// Slots of what is asked of the loader.
const (
	faceSlot  = "compose.latest"
	filmSlot  = faceSlot + ".play"
	thumbSlot = faceSlot + "/"
)

// maxThumb bounds the pixels of a small picture where the terminal scales by itself.
const maxThumb = 60_000

// Follow asks for the pictures in sight that are not there yet, and keeps a video playing in its
// place; it gives up what is out of sight.
func (p *Pane) Follow() tea.Cmd {
	j := p.Job()
	seen := !p.hidden && p.w > 0 && j != nil
	if p.o.Previews == nil || !seen || p.away {
		if p.film.Rest(); !seen {
			return nil
		}
		return p.words.load(p.o.History, j)
	}
	return tea.Batch(p.words.load(p.o.History, j), p.followPictures(j))
}

func (p *Pane) followPictures(j *jobs.Job) tea.Cmd {
	s := p.shape()
	cmds := []tea.Cmd{p.followFilm(j), p.followFace(j, s)}
	seen := map[string]bool{}
	list := p.list()
	for i := s.first; s.thumb > 0 && i < min(len(list), s.first+s.cells); i++ {
		x := &list[i]
		if f := x.Face(); f.Path != "" {
			seen[x.ID] = true
			cmds = append(cmds, p.followThumb(x.ID, f, s))
		}
	}
	for id, t := range p.thumbs {
		if !seen[id] {
			if !t.Have {
				p.o.Previews.Cancel(thumbSlot + id)
			}
			delete(p.thumbs, id)
		}
	}
	return tea.Batch(cmds...)
}

func (p *Pane) followFace(j *jobs.Job, s shape) tea.Cmd {
	f := j.Face()
	if f.Path == "" || s.picture <= 0 {
		return nil
	}
	cmd, another := p.face.Load(p.o.Previews, preview.Request{Slot: faceSlot, Path: f.Path, Poster: f.Poster, Spare: f.Spare,
		Width: p.w, Height: s.picture, Mode: p.o.Previews.Mode(p.o.Styles)})
	if another {
		p.touch()
	}
	return cmd
}

func (p *Pane) followThumb(id string, f jobs.Result, s shape) tea.Cmd {
	t := p.thumbs[id]
	if t == nil {
		t = &preview.Awaited{}
		p.thumbs[id] = t
	}
	cmd, another := t.Load(p.o.Previews, preview.Request{Slot: thumbSlot + id, Path: f.Path, Poster: f.Poster, Spare: f.Spare,
		Width: s.cell, Height: s.thumb, Mode: p.o.Previews.Mode(p.o.Styles), Pixels: maxThumb, Low: true})
	if another {
		p.touch()
	}
	return cmd
}

// pictureCame takes in a picture that is waited for.
func (p *Pane) pictureCame(msg preview.ReadyMsg) {
	if msg.Slot == faceSlot && p.face.Take(msg) {
		p.touch()
		return
	}
	id, ok := strings.CutPrefix(msg.Slot, thumbSlot)
	if t := p.thumbs[id]; ok && t != nil && t.Take(msg) {
		p.touch()
	}
}

// stage is the place in which a video plays.
func (p *Pane) stage(j *jobs.Job) preview.Request {
	mode := p.o.Previews.Mode(p.o.Styles)
	w, h := gallery.FilmRoom(p.w, p.shape().picture, mode.Surface)
	r, _ := result(j)
	return preview.Request{Slot: filmSlot, Path: r.Path, Width: w, Height: h, Mode: mode}
}

// followFilm keeps a video playing in its place, and ends it where another result is looked at.
func (p *Pane) followFilm(j *jobs.Job) tea.Cmd {
	if !p.film.Active() {
		return nil
	}
	if r, ok := result(j); !ok || !p.film.Of(r.Path) {
		p.film.Stop()
		p.touch()
		return nil
	}
	return tea.Batch(p.film.Fit(p.stage(j)), p.film.Wake())
}

// moving handles what is for the video that plays here, or for the player outside.
func (p *Pane) moving(msg tea.Msg) tea.Cmd {
	if cmd, ok := p.outside.Handle(msg); ok {
		p.touch()
		return cmd
	}
	cmd, mine, changed := p.film.Handle(msg)
	if changed {
		p.touch()
	}
	if !mine {
		return nil
	}
	if err := p.film.Err(); err != nil {
		p.film.Stop()
		p.touch()
		return tea.Batch(cmd, screen.Toast(screen.Bad, "it does not play here: "+client.CleanLine(err.Error())+"; "+p.commands.Key(actPlayer)+" plays it in the player"))
	}
	return cmd
}
