package app

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/paint"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// toastTick comes when the next toast expires.
type toastTick struct{}

// ageTick comes when an age on the screen changes.
type ageTick struct{}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	if m.overlay == quitOverlay && isNews(msg) && len(m.lost()) == 0 {
		cmd = tea.Batch(cmd, tea.Quit) // as it was asked for
	}
	return m, tea.Batch(cmd, m.armTick())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.resize()
		return m.look()
	case tea.KeyMsg:
		if msg.Paste && len(msg.Runes) > maxText {
			return m.toasts.show(screen.Warn, fmt.Sprintf("not pasted: it has more than %d MiB", maxText>>20))
		}
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case paint.BackgroundMsg:
		return m.background(msg.Dark)
	case paint.PicturesMsg:
		return m.pictures(msg)
	case tea.FocusMsg, tea.BlurMsg:
		_, blurred := msg.(tea.BlurMsg)
		m.alerts.lookAway(blurred)
		return m.toScreen(m.active, screen.AwayMsg{Away: blurred})
	case alertTick:
		return m.alerts.tell()
	case routed:
		return m.toScreen(m.index(msg.to), msg.msg)
	case newsMsg:
		m.newsDue = true
		return tea.Batch(m.jobsChanged(), m.askTrouble(), m.askNotice(), m.askAway(), tea.Tick(newsEvery, func(time.Time) tea.Msg { return newsTick{} }))
	case newsTick:
		m.newsDue = false
		return m.awaitNews()
	case quitCheck:
		return m.askQuit()
	case toastTick:
		return m.toasts.tick()
	case ageTick:
		m.tickDue = false
		if m.hidden {
			return nil
		}
		return m.toScreen(m.active, screen.TickMsg{Now: m.o.Now()})
	default:
		return m.shellMsg(msg)
	}
}

// shellMsg handles the requests of screens to the shell.
func (m *Model) shellMsg(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.ToastMsg:
		return m.toasts.show(msg.Level, msg.Text)
	case toastOf:
		return m.toasts.showFor(msg.owner, msg.toast.Level, msg.toast.Text)
	case screen.UntoastMsg:
		m.toasts.Remove(client.CleanLine(msg.Text))
	case screen.OpenMsg:
		return m.open(msg.Screen, msg.Payload)
	case screen.CopyMsg:
		return tea.Batch(m.o.Copy(msg.Text), m.toasts.showFor(m.current().id, screen.Good, "copied "+msg.What))
	case screen.OpenFileMsg:
		return m.openFile(msg.Path)
	case screen.ThemesMsg:
		return m.do(actThemes)
	case openedMsg:
		if msg.err != nil {
			return m.toasts.showFor(m.current().id, screen.Bad, "not opened: "+msg.err.Error()+" · "+msg.path)
		}
		return nil
	case editFor:
		return m.edit(msg.to, msg.edit)
	case tea.QuitMsg:
		return nil
	}
	return nil
}

func (m *Model) index(id screen.ID) int {
	for i := range m.slots {
		if m.slots[i].id == id {
			return i
		}
	}
	return m.active
}

// toScreen passes a message to a screen.
func (m *Model) toScreen(i int, msg tea.Msg) tea.Cmd {
	s := made(m, i)
	next, cmd := s.screen.Update(msg)
	s.screen, s.valid = next, false
	return route(s.id, cmd)
}

// jobsChanged tells every started screen.
func (m *Model) jobsChanged() tea.Cmd {
	m.counts = m.o.Jobs.Counts()
	if m.hidden { // the screens catch up when they show
		return m.alerts.news()
	}
	cmds := []tea.Cmd{m.alerts.news(), m.alerts.showTaskbar(m.counts.Running + m.counts.Queued)}
	for i := range m.slots {
		if m.slots[i].inited {
			cmds = append(cmds, m.toScreen(i, screen.JobsMsg{}))
		}
	}
	return tea.Batch(cmds...)
}

// show makes a screen the visible one.
func (m *Model) show(i int) tea.Cmd {
	if i < 0 || i >= len(m.slots) || i == m.active {
		return nil
	}
	hidden := m.toScreen(m.active, screen.HiddenMsg{})
	m.active = i
	m.toasts.Leave(string(m.slots[i].id))
	m.slots[i].valid = false
	return tea.Batch(hidden, m.start(i), m.toScreen(i, screen.ShownMsg{}))
}

func (m *Model) open(id screen.ID, payload any) tea.Cmd {
	i := m.index(id)
	m.toasts.Pass(string(id)) // what a screen says as it opens another one is about that one
	cmd := m.show(i)
	if payload == nil {
		return cmd
	}
	return tea.Batch(cmd, m.toScreen(i, payload))
}

// askNotice shows each notice once.
func (m *Model) askNotice() tea.Cmd {
	if m.o.Notice == nil {
		return nil
	}
	text := m.o.Notice()
	if text == "" || text == m.notice {
		return nil
	}
	m.notice = text
	return m.toasts.keep(screen.Warn, m.notice)
}

// askTrouble reports a lasting problem once; the title line goes on showing it.
func (m *Model) askTrouble() tea.Cmd {
	if m.o.Trouble == nil || m.trouble != "" {
		return nil
	}
	if m.trouble = m.o.Trouble(); m.trouble == "" {
		return nil
	}
	return m.toasts.keep(screen.Bad, m.trouble)
}

// armTick sets one timer for the next age that changes on the visible screen.
func (m *Model) armTick() tea.Cmd {
	if m.tickDue || m.hidden {
		return nil
	}
	var d time.Duration
	if w, ok := m.current().screen.(screen.WantTick); ok {
		d = w.NextTick()
	}
	if every := m.flowTick(); every > 0 && (d <= 0 || d > every) {
		d = every
	}
	if d <= 0 {
		return nil
	}
	m.tickDue = true
	return tea.Tick(max(d, time.Second), func(time.Time) tea.Msg { return ageTick{} })
}

// slowedTick is how often a slowed rate is checked again: it recovers by itself.
const slowedTick = 5 * time.Second

// flowTick is how long the title's text about the flow stays true, 0 where it does not depend on
// time.
func (m *Model) flowTick() time.Duration {
	switch f := m.counts.Flow; {
	case f.Until.After(m.o.Now()):
		return time.Second
	case f.Rate > 0:
		return slowedTick
	default:
		return 0
	}
}

// background lets an automatic theme follow the terminal. Any other theme than the one it would
// pick gets its own background painted, since its texts would be hard to read on this one.
func (m *Model) background(dark bool) tea.Cmd {
	m.behind = &dark
	if !m.o.Auto {
		m.fill(m.st)
		return nil
	}
	name := "light"
	if dark {
		name = "dark"
	}
	return m.useTheme(name)
}

// pictures has previews drawn in the way that the terminal supports, the visible one at once.
func (m *Model) pictures(p paint.PicturesMsg) tea.Cmd {
	if m.o.Previews == nil {
		return nil
	}
	s := preview.Surface{}
	if p.Protocol != paint.NoPictures {
		s = preview.Surface{Cell: p.Cell, Exact: p.Protocol.Exact()}
	}
	m.o.Previews.SetSurface(s)
	return m.look()
}

// look has the visible screen ask for the pictures that it needs now.
func (m *Model) look() tea.Cmd {
	if !m.current().inited || m.hidden {
		return nil
	}
	return m.toScreen(m.active, screen.TickMsg{Now: m.o.Now()})
}

func (m *Model) useTheme(name string) tea.Cmd {
	if m.st.Name == name {
		return nil
	}
	st, err := m.o.Theme(name)
	if err != nil {
		return m.toasts.show(screen.Bad, err.Error())
	}
	return wear(m, st)
}

// wear draws everything with these styles.
func wear(m *Model, st *themes.Styles) tea.Cmd {
	m.fill(st)
	m.st = st
	for i := range m.slots {
		if s := &m.slots[i]; s.screen != nil {
			s.screen.SetStyles(st)
			s.valid = false
		}
	}
	return nil
}

// fill lets a theme paint its background where the terminal's is of the other kind.
func (m *Model) fill(st *themes.Styles) {
	if m.behind != nil && *m.behind != st.Dark && !st.Plain {
		st.Fill = true
	}
}

// nextTheme steps through the themes, past those of the person's own that have a mistake; from then on
// the background no longer decides.
func (m *Model) nextTheme() tea.Cmd {
	m.o.Auto = false
	at := slices.Index(m.o.Themes, m.st.Name)
	var cmds []tea.Cmd
	for i := range m.o.Themes {
		name := m.o.Themes[(at+1+i)%len(m.o.Themes)]
		if cmds = append(cmds, m.useTheme(name)); m.st.Name == name {
			return tea.Batch(append(cmds, keepTheme(m, name, i > 0))...) // the mistakes of those before it are what is to be read
		}
	}
	return tea.Batch(cmds...)
}
