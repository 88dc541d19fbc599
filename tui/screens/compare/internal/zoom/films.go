package zoom

import (
	"cmp"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
)

// films are up to two videos that play in step. They are decoded first, then begin at the same moment;
// the shorter one holds its last picture until the longer one is over.
type films struct {
	slot  string
	plays [2]preview.Play
	paths [2]string
	on    bool // they play or pause
	ready bool // all are decoded, and have begun
}

func newFilms(l *preview.Loader, slot string, now func() time.Time) films {
	f := films{slot: slot + ".film"}
	for i := range f.plays {
		f.plays[i].Loader, f.plays[i].Now = l, now
	}
	return f
}

// lane is the play of a file, nil for none: places change when somebody flips, lanes do not.
func (f *films) lane(path string) *preview.Play {
	for i := range f.plays {
		if path != "" && f.paths[i] == path {
			return &f.plays[i]
		}
	}
	return nil
}

func (f *films) request(i int, r preview.Request) preview.Request {
	r.Slot = f.slot + []string{".0", ".1"}[i]
	return r
}

// toggle plays the videos of requests from their beginning, or pauses both, or goes on.
func (f *films) toggle(rs [2]preview.Request) tea.Cmd {
	if !f.on || !f.has(rs) {
		return f.begin(rs)
	}
	if !f.ready {
		return nil
	}
	if both := f.paths[0] != "" && f.paths[1] != ""; both && !f.playing() && f.plays[0].Length() != f.plays[1].Length() {
		return f.begin(rs) // one waits for the other to end: going on, they would not be in step
	}
	return f.turnAll(rs)
}

// turnAll pauses all, or lets all go on.
func (f *films) turnAll(rs [2]preview.Request) tea.Cmd {
	var cmds []tea.Cmd
	playing := f.playing()
	for i := range f.plays {
		if p := &f.plays[i]; f.paths[i] != "" && p.Err() == nil && p.Playing() == playing {
			cmds = append(cmds, p.Toggle(f.requestOf(i, rs)))
		}
	}
	return tea.Batch(cmds...)
}

func (f *films) playing() bool { return f.plays[0].Playing() || f.plays[1].Playing() }

// has reports whether the lanes are those of the requests.
func (f *films) has(rs [2]preview.Request) bool {
	for _, r := range rs {
		if r.Path != "" && f.lane(r.Path) == nil {
			return false
		}
	}
	return true
}

// requestOf is the request of a lane.
func (f *films) requestOf(i int, rs [2]preview.Request) preview.Request {
	for _, r := range rs {
		if r.Path == f.paths[i] {
			return f.request(i, r)
		}
	}
	return preview.Request{}
}

// begin decodes; each shows its first frame until all are there.
func (f *films) begin(rs [2]preview.Request) tea.Cmd {
	f.stop()
	f.on = true
	var cmds []tea.Cmd
	for i, r := range rs {
		if r.Path == "" || f.lane(r.Path) != nil {
			continue
		}
		f.paths[i] = r.Path
		cmds = append(cmds, f.plays[i].Step(f.request(i, r), 0))
	}
	return tea.Batch(cmds...)
}

// fit follows the places of the videos, and ends those that nobody looks at any more.
func (f *films) fit(rs [2]preview.Request) tea.Cmd {
	if !f.on {
		return nil
	}
	var cmds []tea.Cmd
	for i := range f.plays {
		if f.paths[i] == "" {
			continue
		}
		r := f.requestOf(i, rs)
		if r.Path == "" { // another result is looked at
			f.stop()
			return nil
		}
		cmds = append(cmds, f.plays[i].Fit(r))
	}
	return tea.Batch(cmds...)
}

func (f *films) stop() {
	for i := range f.plays {
		f.plays[i].Stop()
	}
	f.paths = [2]string{}
	f.on, f.ready = false, false
}

func (f *films) rest() {
	for i := range f.plays {
		f.plays[i].Rest()
	}
}

func (f *films) wake() tea.Cmd { return tea.Batch(f.plays[0].Wake(), f.plays[1].Wake()) }

// handle takes a message, and reports whether it was for it and whether there is something else to draw;
// rs are the places of the videos now.
func (f *films) handle(msg tea.Msg, rs [2]preview.Request) (cmd tea.Cmd, mine, changed bool) {
	for i := range f.plays {
		if cmd, mine, changed := f.plays[i].Handle(msg); mine {
			begun := f.ready
			then := f.start(rs)
			return tea.Batch(cmd, then), true, changed || begun != f.ready || f.plays[i].Err() != nil
		}
	}
	return nil, false, false
}

// start begins all videos once each shows its first picture, or does not play.
func (f *films) start(rs [2]preview.Request) tea.Cmd {
	if !f.on || f.ready {
		return nil
	}
	for i := range f.plays {
		if p := &f.plays[i]; f.paths[i] != "" && p.Err() == nil && p.Lines() == nil {
			return nil
		}
	}
	f.ready = true
	round := max(f.plays[0].Length(), f.plays[1].Length())
	f.plays[0].Round, f.plays[1].Round = round, round
	return f.turnAll(rs)
}

// failed is why a video does not play; it is told once.
func (f *films) failed() error {
	err := cmp.Or(f.plays[0].Err(), f.plays[1].Err())
	if err == nil || !f.on {
		return nil
	}
	if f.playing() || f.plays[0].Lines() != nil || f.plays[1].Lines() != nil {
		return nil // the other one does
	}
	f.stop()
	return err
}
