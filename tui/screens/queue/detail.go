package queue

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/events"
	"darkroom/tui/preview"
	"darkroom/tui/screens/queue/internal/lag"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/zone"
)

// section is the section shown in the lower part of the detail.
type section int

const (
	facts section = iota
	timeline
	request
	answer
	chainTree
	sections
)

func (s section) String() string {
	return [...]string{"Facts", "Timeline", "Request", "Answer", "Chain"}[s]
}

// buttonsFrom is the number of lines from which there is a line of buttons.
const buttonsFrom = 16

// pictureZone is the zone of the picture in the detail.
const pictureZone = "picture"

// details is everything about the job under the cursor.
type details struct {
	*kit
	*room
	from    jobs.Reader
	plays   func(*jobs.Job) string // what the player does with a job
	current string                 // the job that shows
	section section
	scroll  scroll.Model
	picture picture
	tree    tree
	lag     lag.Lag
	detailState
}

// detailState is what was read about a job besides the job itself.
type detailState struct {
	got    jobs.Detail
	id     string // the job that got and err are of
	err    error
	asking string // the job whose detail is on its way, "" for none: one at a time
	stale  bool   // the job changed since
	dirty  bool   // the lines are to be made again
}

func newDetails(k *kit, r *room, d Deps) details {
	p := details{kit: k, room: r, from: d.Jobs, picture: picture{loader: d.Previews}}
	p.scroll.Zone = "detail"
	return p
}

// follow switches to the job that is current now.
func (p *details) follow(id string) {
	if id == p.current {
		return
	}
	if p.current = id; id == "" {
		return
	}
	p.scroll.SetTop(0)
	p.dirty, p.stale = true, true
	p.picture.Forget()
}

// touch notes that the current job has changed.
func (p *details) touch() { p.dirty, p.stale = true, true }

// setSection shows a section, the first or the last for one beyond.
func (p *details) setSection(s section) {
	if s = min(max(s, facts), sections-1); s == p.section {
		return
	}
	p.section = s
	p.scroll.SetTop(0)
	p.dirty = true
}

// hasTree reports whether the tree of a job shows.
func (p *details) hasTree(id string) bool { return p.section == chainTree && p.tree.id == id }

// ask reads what only the history knows of a job, if it shows. One read is under way at a time,
// however fast the cursor or the job changes.
func (p *details) ask(j *jobs.Job) tea.Cmd {
	switch {
	case p.section == chainTree:
		return p.tree.ask(p.from, j.ID)
	case p.section == facts && !tellsWords(j), p.asking != "", !p.stale:
		return nil
	}
	p.asking, p.stale = j.ID, false
	return detail(p.from, j.ID)
}

// take takes what was read; false for a job that is no longer the current one.
func (p *details) take(msg detailMsg, current string) bool {
	if msg.id == p.asking {
		p.asking = ""
	}
	if msg.id != current {
		p.stale = true // the cursor has moved on since: ask for the job that it is on
		return false
	}
	p.id, p.err, p.dirty = msg.id, msg.err, true
	if msg.err != nil {
		p.got = jobs.Detail{}
		return false
	}
	p.got = msg.detail
	return true
}

// again retries what could not be read.
func (p *details) again() { p.stale = p.stale || p.err != nil }

func (p *details) pictureHeight(j *jobs.Job) int {
	return p.picture.height(j, p.h, p.section != facts)
}

// loadPicture asks for the preview where there is room for it.
func (p *details) loadPicture(j *jobs.Job) tea.Cmd {
	h := p.pictureHeight(j)
	if h == 0 {
		return nil
	}
	iw, _ := p.inner()
	cmd, another := p.picture.load(p.kit, j, iw, h)
	p.dirty = p.dirty || another
	return cmd
}

// buttonLines is the room for buttons, with a blank line above them.
func (p *details) buttonLines() int {
	if p.h < buttonsFrom {
		return 0
	}
	return 2
}

// fill makes the lines of the section that shows, if they have changed and can be seen.
func (p *details) fill(j *jobs.Job) {
	if !p.dirty || j == nil || !p.detailShows() || p.hidden {
		return
	}
	p.dirty = false
	iw, ih := p.inner()
	if ph := p.pictureHeight(j); ph > 0 {
		ih -= ph + 1
	}
	ih -= 1 + p.buttonLines()
	p.scroll.SetSize(iw, max(0, ih))
	p.scroll.SetLines(p.lines(j, max(1, iw-2))) // beside the scroll bar
	if p.section != chainTree {
		return
	}
	if line, reveal := p.tree.line(); reveal {
		if top, h := p.scroll.Top(), max(1, ih); line < top || line >= top+h {
			p.scroll.SetTop(max(0, line-h/2))
		}
	}
}

func (p *details) lines(j *jobs.Job, w int) []string {
	switch {
	case p.section == facts:
		return p.facts(j).lines(w)
	case p.section == chainTree:
		return p.tree.lines(p.kit, j, p.focused(detailPane), w)
	case p.id != j.ID:
		return []string{p.ink.Muted.Text("reading …")}
	case p.err != nil:
		return append(p.ink.Failure(p.err, w, 20), "", p.ink.Muted.Text(p.keys.Keys(actReload)+" tries again"))
	case p.section == timeline:
		k := events.NewInks(p.st)
		return append(events.Lines(k, p.clock(), p.got.Events, w), events.Exchanges(k, p.clock(), p.got.Exchanges, w)...)
	case p.section == request:
		return p.body(p.got.Request, "No request was kept.")
	default:
		return p.body(p.got.Answer, "The gateway has not answered yet.")
	}
}

func (p *details) body(b []byte, none string) []string {
	if len(b) == 0 {
		return []string{p.ink.Muted.Text(none)}
	}
	hint := p.ink.Faint.Text(p.keys.Keys(actBodies) + " reads it: search, jq, what changed, curl")
	return append([]string{hint}, body.Doc(b).Lines(p.st, nil)...)
}

// view draws the pane about a job: the buttons below, and above the picture, or the video that
// plays in its place.
func (p *details) view(title string, j *jobs.Job, play *preview.Play, buttons string) string {
	iw, _ := p.inner()
	body := p.tabs(iw) + "\n" + p.scroll.View(p.st)
	if n := p.buttonLines(); n > 0 {
		body += strings.Repeat("\n", n) + widgets.Line(buttons, iw)
	}
	ph := p.pictureHeight(j)
	if ph == 0 {
		return widgets.Box(p.st, title, "", body, p.detailWidth(), p.h, p.focused(detailPane))
	}
	what, picture := "", p.picture.view(p.kit, iw, ph)
	if lines := play.Lines(); lines != nil {
		picture = strings.Join(lines, "\n")
	}
	if play.Active() {
		what = play.Text()
	} else if info := p.picture.info(); info != nil {
		what = info.Title()
	}
	parts := []widgets.Part{{Title: title, Right: what, Content: zone.Mark(pictureZone, widgets.Fit(picture, iw, ph)), Height: ph}, {Content: body}}
	return widgets.Stack(p.st, parts, "", p.detailWidth(), p.h, p.focused(detailPane))
}

func (p *details) tabs(w int) string {
	tabs := make([]widgets.Tab, sections)
	for s := range sections {
		tabs[s] = widgets.Tab{ID: s.String(), Label: s.String()}
	}
	return widgets.Line(widgets.Tabs(p.st, tabs, p.section.String(), w), w)
}

// inner is the room within the pane.
func (p *details) inner() (w, h int) { return widgets.Inner(p.detailWidth(), p.h) }

// tellsForecast reports whether what is left of the job shows.
func (p *details) tellsForecast() bool { return p.detailShows() && p.section == facts }

// nextAge is how long the ages in sight stay true, 0 when there are none: times are shown so where the
// person wants them to be.
func (p *details) nextAge(j *jobs.Job) (soonest time.Duration) {
	if j == nil || p.hidden || !p.detailShows() || p.times.Style() != human.Relative {
		return 0
	}
	all := []time.Time{j.CreatedAt, j.AcceptedAt, j.EndedAt, j.NextPollAt}
	if p.section == timeline {
		all = nil
		for i := range p.got.Events {
			all = append(all, p.got.Events[i].At)
		}
		for i := range p.got.Exchanges {
			all = append(all, p.got.Exchanges[i].At)
		}
	}
	now := p.now()
	for _, at := range all {
		if !at.IsZero() {
			soonest = sooner(soonest, human.NextAgo(now.Sub(at)))
		}
	}
	return soonest
}

// stage is where a video plays in place of the picture.
func (p *details) stage(j *jobs.Job, f *film) (s stage) {
	s.path, s.h = j.Face().Path, p.picture.height(j, p.h, false) // under Facts, where play leads
	s.w, _ = p.inner()
	switch {
	case j == nil || !j.Filmed():
		s.off = "no video of this job is on the disk"
	case f.needsColours(p.kit) != "":
		s.off = f.needsColours(p.kit)
	case p.picture.off:
		s.off = "previews are off; " + p.keys.Keys(actPreview) + " brings them back"
	case s.h == 0:
		s.off = "there is no room for the preview here; a taller window has it"
	}
	return s
}
