package inspect

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/inspect"
	typing "darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/dialogs/export"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// anyFormat is the id of "guess" in the picker.
const anyFormat = "guess"

// Actions that keys, clicks and texts mean beside their own keys.
const (
	actLookup   = "inspect.lookup"
	actAgain    = "inspect.again"
	actStop     = "inspect.stop"
	actFormat   = "inspect.format"
	actCopy     = "inspect.copy"
	actEditID   = "inspect.edit-id"
	actRaw      = "inspect.raw"
	actToQueue  = "inspect.to-queue"
	actResults  = "inspect.results"
	actResubmit = "inspect.resubmit"
	actPlayer   = "inspect.player"
	actNextPane = "inspect.next-pane"
	actBodies   = "inspect.bodies"
	actWatch    = "inspect.watch"
	actKeep     = "inspect.adopt"
)

// Rows are the actions of the screen and of its dialog, for the key map.
func Rows() []keys.Action { return append(screen.Rows(Commands()), screen.Rows(body.Commands())...) }

// Commands is the table of what can be done on the screen.
func Commands() []screen.Command[*Model] {
	return closed([]screen.Command[*Model]{
		{ID: actLookup, Title: "Look up", Keys: []string{"enter"}, Word: "look up", Do: (*Model).lookup},
		{ID: actAgain, Title: "Ask again", Keys: []string{"ctrl+r", "r"}, Word: "ask again", Off: offAsked, Do: (*Model).again},
		{ID: "inspect.everywhere", Title: "Ask the gateways of all profiles", Keys: []string{"G", "alt+g"}, Off: offEverywhere, Do: askEverywhere},
		{ID: actStop, Title: "Stop asking", Keys: []string{"esc"}, Word: "stop", Do: screen.Act((*Model).escape)},
		{ID: actFormat, Title: "Choose the format", Keys: []string{"f", "ctrl+f"}, Word: "format", Do: chooseFormat},
		{ID: actCopy, Title: "Copy the answer, or the list", Keys: []string{"y", "ctrl+y"}, Word: "copy", Off: offCopy, Do: copyAnswer},
		{ID: "inspect.copy-id", Title: "Copy the id", Keys: []string{"Y", "alt+y"}, Off: offAsked, Do: copyID},
		{ID: "inspect.list", Title: "Back to the list of ids", Keys: []string{"L", "alt+l"}, Word: "list", Off: offList, Do: screen.Act((*Model).backToList)},
		{ID: actEditID, Title: "Another id", Keys: []string{"/", "ctrl+g"}, Word: "another id", Do: screen.Act(func(m *Model) { m.setFocus(inputPane) })},
		{ID: actRaw, Title: "Raw or formatted", Keys: []string{"w", "alt+w"}, Word: "raw", Do: screen.Act((*Model).turnRaw)},
		{ID: actBodies, Title: "Read the bodies: search, jq, compare", Keys: []string{"B"}, Word: "bodies", Off: offBodies, Do: openBodies(false)},
		{ID: "inspect.request", Title: "What was sent: the request, and its curl", Keys: []string{"W"}, Off: offJob, Do: openBodies(true)},
		{ID: actToQueue, Title: "Show its job in Queue", Keys: []string{"o", "alt+o"}, Word: "its job", Off: offJob,
			Do: func(m *Model) tea.Cmd { return screen.Open(screen.Queue, screen.ShowJob{JobID: m.q.found.Job.ID}) }},
		{ID: actWatch, Title: "Watch it to its end, or stop", Keys: []string{"v", "alt+v"}, Word: "watch", Off: offWatch, Do: turnWatch},
		{ID: actKeep, Title: "Take it into the history, with a ticket", Keys: []string{"a", "alt+a"}, Word: "adopt", Off: offKeep, Do: askKeep},
		{ID: "inspect.tag", Title: "Tag its job", Keys: []string{"t"}, Off: offStar, Do: askTags},
		{ID: "inspect.remark", Title: "Remark on its job", Keys: []string{"n"}, Off: offStar, Do: askRemark},
		{ID: "inspect.star", Title: "Star or unstar its job", Keys: []string{"s", "alt+s"}, Off: offStar, Do: starJob},
		{ID: actResubmit, Title: "Take its job to Compose", Keys: []string{"c", "alt+c"}, Word: "to compose", Off: offResubmit, Do: resubmit},
		{ID: actResults, Title: "Check its results: are they still there", Keys: []string{"u", "alt+u"}, Word: "results", Off: offResults,
			Do: func(m *Model) tea.Cmd { return m.q.askResults(m.deps.Gateway) }},
		{ID: "inspect.use", Title: "Use its result as a reference", Keys: []string{"U", "alt+U"}, Off: offUse,
			Do: func(m *Model) tea.Cmd {
				return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.q.found.Job.ID, As: string(chain.Reference)})
			}},
		{ID: actPlayer, Title: "Play its result in the player, or pause it", Keys: []string{"P", "alt+p"}, Off: offPlayer, Do: telling(remote.Toggle)},
		{ID: "inspect.player-forward", Title: "Player: 5 s forward", Keys: []string{"}", "alt+}"}, Off: offTold(remote.Forward), Do: telling(remote.Forward)},
		{ID: "inspect.player-back", Title: "Player: 5 s back", Keys: []string{"{", "alt+{"}, Off: offTold(remote.Back), Do: telling(remote.Back)},
		{ID: "inspect.player-stop", Title: "End the player", Keys: []string{"S", "alt+x"}, Off: offTold(remote.Stop), Do: telling(remote.Stop)},
		{ID: "inspect.times", Title: "Times: local, UTC, or ages", Keys: []string{"T", "alt+t"}, Do: func(m *Model) tea.Cmd { return m.deps.Times.Turn() }},
		{ID: actSave, Title: "Save a bundle for somebody else", Keys: []string{"e", "alt+e"}, Word: "save a bundle", Off: offSave, Do: saveBundle},
		{ID: actOpen, Title: "Open a bundle", Keys: []string{"E", "alt+E"}, Do: openBundle},
		{ID: "inspect.differs", Title: "What differs from the interface, in all answers", Keys: []string{"D", "alt+d"}, Off: offDiffers, Do: openDiffers},
		{ID: actNextPane, Title: "Next pane", Keys: []string{"tab"}, Word: "next pane", Do: screen.Act(func(m *Model) { m.turn(1) })},
		{ID: "inspect.prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Do: screen.Act(func(m *Model) { m.turn(-1) })},
	})
}

func (m *Model) again() tea.Cmd {
	m.input.SetValue(m.q.id)
	return m.lookup()
}

func copyAnswer(m *Model) tea.Cmd {
	if m.listing {
		text := m.many.text()
		return func() tea.Msg { return screen.Copied(text, "the list", "`darkroom inspect -o csv` prints it") }
	}
	text := string(m.current().Body)
	return func() tea.Msg { return screen.Copied(text, "the answer", printsIt) }
}

func copyID(m *Model) tea.Cmd {
	text := m.q.asked
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the id"} }
}

func (m *Model) turnRaw() {
	m.answer.plain = !m.answer.plain
	m.answer.SetTop(0)
}

func starJob(m *Model) tea.Cmd {
	j := m.q.found.Job
	return star(m.deps.Tags, j.ID, !j.Starred())
}

func resubmit(m *Model) tea.Cmd {
	j := m.q.found.Job
	d, left := j.OwnDraft()
	return screen.Warned(screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
}

// telling tells the player something.
func telling(verb string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.outside.Do(verb, m.q.found.Job) }
}

func offTold(verb string) func(*Model) string {
	return func(m *Model) string { return m.outside.Off(verb, m.q.found.Job) }
}

func offPlayer(m *Model) string {
	return cmp.Or(offJob(m), m.outside.Off(remote.Toggle, m.q.found.Job))
}

func offAsked(m *Model) string {
	if m.q.id == "" {
		return "nothing was looked up yet"
	}
	return ""
}

func offList(m *Model) string {
	if len(m.many.rows) == 0 {
		return "no list of ids was pasted"
	}
	return ""
}

func offCopy(m *Model) string {
	if !m.listing && len(m.current().Body) == 0 {
		return "there is no answer with a body to copy"
	}
	return ""
}

// noJob says why nothing can be done with the id's job.
const noJob = "the history on this machine knows no job with this id"

func offJob(m *Model) string {
	if m.q.found.Job == nil {
		return noJob
	}
	return ""
}

func offResubmit(m *Model) string {
	if off := offJob(m); off != "" {
		return off
	}
	return jobs.WhyNot(jobs.ActCompose, m.q.found.Job)
}

func offResults(m *Model) string {
	if len(m.q.found.ResultURLs()) == 0 {
		return "no address of a result is known"
	}
	return ""
}

func offStar(m *Model) string {
	if off := offJob(m); off != "" {
		return off
	}
	if m.deps.Tags == nil {
		return "nothing can be tagged here"
	}
	return ""
}

func offUse(m *Model) string {
	if off := offJob(m); off != "" {
		return off
	}
	if _, err := chain.Take(m.q.found.Job, chain.Reference); err != nil {
		return err.Error()
	}
	return ""
}

// escape stops the requests under way; if there are none, it leaves or enters the input.
func (m *Model) escape() {
	switch {
	case m.hand.stop != nil:
		m.hand.stop()
	case m.hand.shown != nil && m.focus == inputPane:
		m.setFocus(m.page)
	case m.hand.shown != nil && !m.listing && len(m.hand.shown.Cases) > 1:
		m.backToList()
	case m.hand.shown != nil:
		leaveBundle(m)
	case m.listing && m.many.open > 0:
		m.many.stop()
	case !m.listing && m.q.open():
		m.q.stop()
	case !m.listing && m.focus != inputPane && len(m.many.rows) > 0:
		m.backToList()
	case m.focus != inputPane:
		m.setFocus(inputPane)
	case m.q.id != "":
		m.setFocus(m.page)
	}
}

// current is the route under the cursor; an empty one when there is none.
func (m *Model) current() inspect.Route {
	if i := m.table.Cursor(); i >= 0 && i < len(m.q.found.Routes) {
		return m.q.found.Routes[i]
	}
	return inspect.Route{}
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	if p == inputPane {
		return
	}
	m.page = p
}

// turn cycles through the panes that hold something.
func (m *Model) turn(n pane) {
	p := m.focus
	for range panes {
		p = (p + n + panes) % panes
		if p == inputPane || p == factsPane || len(m.q.found.Routes) > 0 {
			m.setFocus(p)
			return
		}
	}
}

// chooseFormat asks which route to ask.
func chooseFormat(m *Model) tea.Cmd {
	items := []picker.Item{{ID: anyFormat, Title: anyFormat, Detail: "asks the likely routes first, then the rest"}}
	for _, f := range m.deps.Gateway.Formats() {
		if q := f.Query("{id}"); q.Path != "" {
			items = append(items, picker.Item{ID: f.Name(), Title: f.Name(), Detail: f.Label()})
		}
	}
	p := picker.New("Format", "which route to ask", items)
	if m.q.found.Only != "" {
		p.Select(m.q.found.Only)
	}
	d := choose.New(p, theFormat{})
	d.Lines = len(items) + 4
	return m.stack.Open(d)
}

// The subjects of dialogs, which come back with their answers.
type theFormat struct{}

// answered takes the answer of a dialog.
func (m *Model) answered(a any) tea.Cmd {
	switch a := a.(type) {
	case everywhere.Taken:
		return goThere(m.deps.Profile, a)
	case export.Chosen:
		if s, ok := a.About.(saving); ok {
			return writeBundle(m, a, s.results)
		}
	case refs.Chosen:
		return readBundle(a.Paths[0])
	case choose.Picked:
		if a.OK && a.For == (theFormat{}) {
			return m.setFormat(a.ID)
		}
	case typing.Typed:
		return m.q.noted(m.deps.Tags, a)
	}
	return nil
}

// setFormat sets the one format to ask. A look-up made before is repeated with it.
func (m *Model) setFormat(format string) tea.Cmd {
	if m.q.found.Only = format; format == anyFormat {
		m.q.found.Only = ""
	}
	if m.q.id != "" && cleanID(m.input.Value()) == m.q.id {
		return m.lookup()
	}
	return nil
}
