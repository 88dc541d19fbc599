package queue

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// zoom shows one result on the whole screen: of the job under the cursor, which it moves.
type zoom struct {
	on   bool
	file int          // of the job's results
	part preview.Part // how closely, and where

	wanted preview.Key
	got    preview.ReadyMsg
	have   bool

	before   shown // what was looked at before
	flipping bool  // the other one is kept at hand, and named
	seek     int   // looking on for a result in pages that are being read: 1, or 0 when not
	pages    int   // how many were read for it
}

// shown is a result that was looked at.
type shown struct {
	id   string
	file int
}

const (
	zoomSlot  = "queue.zoom"
	otherSlot = "queue.zoom.other"
	maxSeek   = 10 // pages
)

// looked is the result that shows.
func (m *Model) looked() (jobs.Result, bool) {
	all := m.job().Results()
	if m.zoom.file >= len(all) {
		return jobs.Result{}, false
	}
	return all[m.zoom.file], true
}

// openZoom shows the result of the current job on the whole screen.
func (m *Model) openZoom() {
	m.zoom.on, m.zoom.file, m.zoom.part, m.zoom.flipping = true, 0, preview.Part{Whole: true}, false
	m.forgetZoom()
	m.layout()
}

func (m *Model) closeZoom() {
	if !m.zoom.on {
		return
	}
	m.zoom.on, m.zoom.flipping, m.zoom.seek = false, false, 0
	m.forgetZoom()
	if m.deps.Previews != nil {
		m.deps.Previews.Cancel(zoomSlot)
		m.deps.Previews.Cancel(otherSlot)
		m.deps.Previews.Rest()
	}
	m.layout()
}

func (m *Model) forgetZoom() {
	m.zoom.wanted, m.zoom.have, m.zoom.got = preview.Key{}, false, preview.ReadyMsg{}
}

// movedOn is told when the cursor has left a job: what was looked at of it can be flipped
// to.
func (m *Model) movedOn(from string) {
	if len(m.jobs.get(from).Results()) > 0 {
		m.zoom.before = shown{from, m.zoom.file}
	}
	m.zoom.file = 0
	m.forgetZoom()
}

// goTo shows a result of any job of the list.
func (m *Model) goTo(to shown) {
	i, ok := m.jobs.index(to.id)
	if !ok {
		return
	}
	if to.id == m.current {
		m.zoom.before = shown{m.current, m.zoom.file}
	}
	m.table.SetCursor(i)
	m.settle()
	m.zoom.file = to.file
	m.forgetZoom()
}

// step shows the next result, or the one before: of the job, then of the jobs that the
// filter selects.
func (m *Model) step(by int) tea.Cmd {
	z := &m.zoom
	z.flipping, z.part = false, preview.Part{Whole: true}
	if to := z.file + by; to >= 0 && to < len(m.job().Results()) {
		m.goTo(shown{m.current, to})
		return nil
	}
	for i := m.table.Cursor() + by; i >= 0 && i < m.jobs.len(); i += by {
		j := m.jobs.at(i)
		if n := len(j.Results()); n > 0 {
			to := shown{id: j.ID}
			if by < 0 {
				to.file = n - 1
			}
			m.goTo(to)
			return nil
		}
	}
	switch {
	case by < 0:
		return screen.Toast(screen.Info, "this is the newest result")
	case m.read.next == "" || m.read.err != nil:
		return screen.Toast(screen.Info, "this is the last result")
	}
	z.seek, z.pages = 1, 0 // nearEnd reads on
	return nil
}

// seekOn looks for the next result in a page that has just come.
func (m *Model) seekOn() tea.Cmd {
	z := &m.zoom
	if z.seek == 0 || m.read.loading {
		return nil
	}
	pages := z.pages + 1
	z.seek = 0
	cmd := m.step(1)
	if z.pages = pages; z.seek != 0 && pages >= maxSeek {
		z.seek = 0
		return screen.Toast(screen.Info, fmt.Sprintf("no further result among the next %d jobs", maxSeek*pageSize))
	}
	return cmd
}

// flip changes places with the other result: of two marked jobs, else the one that was
// looked at before. It keeps the place and how closely it is looked at.
func (m *Model) flip() {
	z := &m.zoom
	to, _ := m.other()
	if !z.on {
		part := preview.Part{Whole: true}
		if two := m.markedTwo(); two != nil {
			m.goTo(shown{id: two[1]})
			to = shown{id: two[0]}
		}
		z.on, z.part = true, part
	}
	z.flipping = true
	m.goTo(to)
	m.layout()
}

// markedTwo are two marked jobs that have results, in the order in which they were made.
func (m *Model) markedTwo() []string {
	if len(m.marked) != 2 {
		return nil
	}
	two := m.picked()
	if len(m.jobs.get(two[0]).Results()) == 0 || len(m.jobs.get(two[1]).Results()) == 0 {
		return nil
	}
	return two
}

// other is what a flip shows, or why there is nothing.
func (m *Model) other() (to shown, off string) {
	if two := m.markedTwo(); two != nil && !m.zoom.on {
		return shown{id: two[0]}, ""
	}
	b := m.zoom.before
	if b.id == m.current && b.file == m.zoom.file || b.file >= len(m.jobs.get(b.id).Results()) {
		return shown{}, "mark two jobs with results, or look at two one after the other: they are flipped then"
	}
	if len(m.job().Results()) == 0 {
		return shown{}, "this job has no result on the disk to flip with"
	}
	return b, ""
}

// loadZoom asks for what shows, when that is another picture than the last; and for the one
// to flip to, so that it is there at once.
func (m *Model) loadZoom() tea.Cmd {
	z := &m.zoom
	if !z.on {
		return nil
	}
	r, ok := m.zoomRequest(shown{m.current, z.file}, zoomSlot)
	if !ok || r.Key() == z.wanted && !m.deps.Previews.Lost(r.Key()) {
		return nil
	}
	z.wanted = r.Key()
	if got, have := m.deps.Previews.Peek(r); have {
		z.got, z.have = got, true
	} else { // the part of the same file that shows stays until the next one is there
		z.have = false
	}
	load := m.deps.Previews.Load(r)
	if to, off := m.other(); z.flipping && off == "" {
		if o, ok := m.zoomRequest(to, otherSlot); ok {
			return tea.Batch(load, m.deps.Previews.Load(o))
		}
	}
	return load
}

// zoomRequest is for a result in all of the room.
func (m *Model) zoomRequest(s shown, slot string) (preview.Request, bool) {
	all := m.jobs.get(s.id).Results()
	w, h := m.zoomRoom()
	if m.deps.Previews == nil || s.file >= len(all) || w <= 0 || h <= 0 {
		return preview.Request{}, false
	}
	return preview.Request{
		Slot: slot, Path: all[s.file].Path, Poster: all[s.file].Poster, Spare: all[s.file].Spare, Width: w, Height: h,
		Mode: m.deps.Previews.Mode(m.st), Part: m.zoom.part,
	}, true
}

func (m *Model) zoomCame(msg preview.ReadyMsg) {
	if msg.Key == m.zoom.wanted {
		m.zoom.got, m.zoom.have = msg, true
	}
}
