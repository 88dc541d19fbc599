package app

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/paint"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// Profile is one that the console can switch to.
type Profile struct {
	Name, Host, Color, Banner string
	ReadOnly                  bool
	// Open says that it was opened in this console, Shown that it is the one that shows; Counts are
	// those of its jobs, once it is open.
	Open, Shown bool
	Counts      jobs.Counts
}

// ShellsOptions say which profiles there are, and how one is opened.
type ShellsOptions struct {
	// First is the name of the profile that shows first.
	First    string
	Profiles []Profile
	// Then is what is opened first; its zero is the shell's first screen.
	Then screen.OpenMsg
	// Open makes the shell of another profile. It does I/O, in a command. The note is to be told
	// beside it, "" for nothing.
	Open func(name string) (m *Model, note string, err error)
	// Settings tell when the settings change; nil where they do not.
	Settings Settings
}

// Shells are the shells of several profiles in one terminal. One of them shows and has the keys; the
// others keep all that they hold, and hear of their own jobs. It is used by bubbletea's loop only.
type Shells struct {
	o       ShellsOptions
	all     []*Model
	names   []string // of all
	active  int
	opening string // the profile that is being opened, "" for none
	// What the terminal told, for those that are opened later; nil for nothing yet.
	size, background, pictures, focus tea.Msg
}

// NewShells shows the shell of the first profile, and opens others when they are asked for.
func NewShells(o ShellsOptions, first *Model) *Shells {
	s := &Shells{o: o}
	s.add(o.First, first)
	return s
}

func (s *Shells) add(name string, m *Model) int {
	m.o.Profiles = s.profiles
	m.o.Lost = func() []string { return s.lostBeside(m) }
	at := len(s.all)
	if exec := m.o.Exec; exec != nil { // the terminal tells of the end itself, and knows of no profile
		m.o.Exec = func(name string, args []string, done func(error) tea.Msg) tea.Cmd {
			return exec(name, args, func(err error) tea.Msg { return tagged(at, done(err)) })
		}
	}
	s.all, s.names = append(s.all, m), append(s.names, name)
	return at
}

// profiles are all that there are, as they stand now.
func (s *Shells) profiles() []Profile {
	out := slices.Clone(s.o.Profiles)
	for i := range out {
		if at := slices.Index(s.names, out[i].Name); at >= 0 {
			out[i].Open, out[i].Shown, out[i].Counts = true, at == s.active, s.all[at].counts
		}
	}
	return out
}

// lostBeside is what would be lost in the other shells by quitting.
func (s *Shells) lostBeside(m *Model) (lines []string) {
	for i, other := range s.all {
		if other == m {
			continue
		}
		for _, line := range other.slots.lost(&other.o) {
			lines = append(lines, "Profile "+client.CleanLine(s.names[i])+": "+line)
		}
	}
	return lines
}

// ofProfile is a message that a command of one shell returned: it goes back to that one.
type ofProfile struct {
	to  int
	msg tea.Msg
}

var (
	paintPackage = reflect.TypeFor[paint.BackgroundMsg]().PkgPath()
	command      = reflect.TypeFor[tea.Cmd]()
)

// tag makes a shell's command answer to that shell. What is for bubbletea's loop or the terminal
// passes unchanged.
func tag(to int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return tagged(to, cmd()) }
}

func tagged(to int, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case nil, ofProfile:
		return msg
	}
	t := reflect.TypeOf(msg)
	switch {
	case t.Kind() == reflect.Slice && t.Elem() == command: // a batch, or a sequence, whose type has no name for us
		v := reflect.ValueOf(msg)
		out := reflect.MakeSlice(t, 0, v.Len())
		for i := range v.Len() {
			if cmd, _ := v.Index(i).Interface().(tea.Cmd); cmd != nil {
				out = reflect.Append(out, reflect.ValueOf(tag(to, cmd)))
			}
		}
		return out.Interface()
	case t.PkgPath() == teaPackage || t.PkgPath() == paintPackage:
		return msg
	default:
		return ofProfile{to, msg}
	}
}

// Init implements tea.Model.
func (s *Shells) Init() tea.Cmd {
	cmd := tea.Batch(tag(s.active, s.all[s.active].Init()), s.awaitSettings())
	if s.o.Then.Screen == "" {
		return cmd
	}
	return tea.Batch(cmd, tag(s.active, func() tea.Msg { return s.o.Then }))
}

// View implements tea.Model.
func (s *Shells) View() string { return s.all[s.active].View() }

// Lines implements paint.Liner.
func (s *Shells) Lines() []string { return s.all[s.active].Lines() }

// Update implements tea.Model.
func (s *Shells) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case ofProfile:
		return s, s.deliver(msg.to, msg.msg)
	case tea.WindowSizeMsg:
		s.size = msg
		return s, s.toAll(msg)
	case paint.BackgroundMsg:
		s.background = msg
		return s, s.toAll(msg)
	case paint.PicturesMsg:
		s.pictures = msg
		return s, s.toAll(msg)
	case tea.FocusMsg, tea.BlurMsg:
		s.focus = msg
		if _, here := msg.(tea.FocusMsg); here && s.o.Settings != nil {
			s.o.Settings.Look()
		}
		return s, s.toAll(msg)
	case Applied:
		return s, s.apply(msg)
	}
	return s, s.deliver(s.active, msg)
}

func (s *Shells) toAll(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(s.all))
	for i := range s.all {
		cmds = append(cmds, s.deliver(i, msg))
	}
	return tea.Batch(cmds...)
}

// deliver hands a message to one shell, unless it is for all of them.
func (s *Shells) deliver(to int, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SwitchMsg:
		return s.switchTo(msg)
	case profileOpened:
		return s.opened(msg)
	}
	_, cmd := s.all[to].Update(msg)
	if to != s.active {
		s.all[s.active].fresh = false // its title tells of the others
	}
	cmd = tag(to, cmd)
	if want := s.all[to].wanted; want != nil {
		s.all[to].wanted = nil
		return tea.Batch(cmd, s.switchTo(*want))
	}
	return cmd
}

// profileOpened is what came of opening a profile.
type profileOpened struct {
	asked screen.SwitchMsg
	model *Model
	note  string
	err   error
}

// switchTo shows a profile, which is opened if it was not yet.
func (s *Shells) switchTo(to screen.SwitchMsg) tea.Cmd {
	if at := slices.Index(s.names, to.Profile); at >= 0 {
		return s.show(at, to.Then)
	}
	if s.opening != "" {
		return s.toast(screen.Info, "the profile "+s.opening+" is being opened; wait for it")
	}
	if !slices.ContainsFunc(s.o.Profiles, func(p Profile) bool { return p.Name == to.Profile }) || s.o.Open == nil {
		return s.toast(screen.Warn, "there is no profile "+to.Profile)
	}
	s.opening = to.Profile
	open := s.o.Open
	return tea.Batch(s.toast(screen.Info, "opening the profile "+to.Profile+" …"), tag(s.active, func() tea.Msg {
		m, note, err := open(to.Profile)
		return profileOpened{to, m, note, err}
	}))
}

// opened takes a profile that was opened. One that could not be leaves everything as it is.
func (s *Shells) opened(p profileOpened) tea.Cmd {
	s.opening = ""
	if p.err != nil {
		return s.toast(screen.Bad, fmt.Sprintf("the profile %s cannot be opened, %s stays: %v", p.asked.Profile, s.names[s.active], p.err))
	}
	at := s.add(p.asked.Profile, p.model)
	p.model.hidden = true
	cmds := []tea.Cmd{tag(at, p.model.Init())}
	for _, told := range []tea.Msg{s.size, s.background, s.pictures, s.focus} {
		if told != nil {
			cmds = append(cmds, s.deliver(at, told))
		}
	}
	cmds = append(cmds, s.show(at, p.asked.Then))
	if p.note != "" {
		cmds = append(cmds, s.toast(screen.Warn, p.note))
	}
	return tea.Batch(cmds...)
}

// show makes a shell the one that shows; then is what to open in it.
func (s *Shells) show(at int, then screen.OpenMsg) tea.Cmd {
	was, now := s.all[s.active], s.all[at]
	var cmds []tea.Cmd
	if at != s.active {
		cmds = append(cmds, tag(s.active, hide(was)))
		s.active = at
		now.alerts.shown = was.alerts.shown // by the taskbar, of which there is one
		now.o.Auto = was.o.Auto
		cmds = append(cmds, tag(at, now.useTheme(was.st.Name)))
		cmds = append(cmds, tag(at, reveal(now)))
	}
	if then.Screen != "" {
		cmds = append(cmds, s.deliver(at, then))
	}
	return tea.Batch(cmds...)
}

func (s *Shells) toast(l screen.Level, text string) tea.Cmd {
	return s.deliver(s.active, screen.ToastMsg{Level: l, Text: text})
}

// Flush saves all unsaved work of all shells; see [Model.Flush].
func (s *Shells) Flush() error {
	errs := make([]error, 0, len(s.all))
	for _, m := range s.all {
		errs = append(errs, m.Flush())
	}
	return errors.Join(errs...)
}

// hide has a shell save what it would lose, and be quiet until it shows again.
func hide(m *Model) tea.Cmd {
	m.overlay = noOverlay
	cmd := m.toScreen(m.active, screen.HiddenMsg{})
	m.hidden = true
	return cmd
}

// reveal has a shell catch up with what it did not draw meanwhile.
func reveal(m *Model) tea.Cmd {
	m.hidden, m.fresh = false, false
	for i := range m.slots {
		m.slots[i].valid = false
	}
	cmds := []tea.Cmd{m.toScreen(m.active, screen.ShownMsg{})}
	if m.o.Jobs != nil {
		cmds = append(cmds, m.jobsChanged())
	}
	return tea.Batch(append(cmds, m.look(), m.armTick())...)
}

// offProfiles says why there is nothing to switch to.
func offProfiles(m *Model) string {
	if m.o.Profiles == nil || len(m.o.Profiles()) < 2 {
		return "there is no other profile: `darkroom auth login --profile NAME` makes one"
	}
	return ""
}

// openProfiles lists the profiles to switch to.
func openProfiles(m *Model) {
	all := m.o.Profiles()
	items := make([]picker.Item, 0, len(all))
	shown := ""
	for _, p := range all {
		if p.Shown {
			shown = actProfile + p.Name
		}
		items = append(items, profileItem(p))
	}
	m.palette = picker.New("Profiles", "which gateway", items)
	m.palette.Aligned = true
	m.palette.Select(shown)
	m.overlay = paletteOverlay
}

func profileItem(p Profile) picker.Item {
	it := picker.Item{ID: actProfile + p.Name, Title: client.CleanLine(p.Name), Sign: " "}
	parts := []string{client.CleanLine(p.Host)}
	if p.Banner != "" {
		parts = append(parts, p.Banner)
	}
	if p.Color != "" {
		parts = append(parts, p.Color)
	}
	if p.ReadOnly {
		parts = append(parts, "⊘ read-only")
	}
	switch {
	case p.Shown:
		it.Sign = "●"
	case p.Open:
		it.Sign = "○"
	}
	if p.Open {
		parts = append(parts, busyText(p.Counts))
	}
	it.Detail = strings.Join(parts, "  ")
	return it
}

// busyText counts what goes on at a profile.
func busyText(c jobs.Counts) string {
	text := fmt.Sprintf("▶%d", c.Running+c.Queued)
	if c.Failed > 0 {
		text += fmt.Sprintf(" ✗%d", c.Failed)
	}
	if c.Ambiguous > 0 {
		text += fmt.Sprintf(" ?%d", c.Ambiguous)
	}
	return text
}

// elsewhere tells of the other open profiles where something goes on.
func elsewhere(m *Model, long bool) string {
	if m.o.Profiles == nil {
		return ""
	}
	text := ""
	for _, p := range m.o.Profiles() {
		if c := p.Counts; p.Open && !p.Shown && c.Running+c.Queued+c.Failed+c.Ambiguous > 0 {
			if !long {
				return " +"
			}
			text += " +" + client.CleanLine(p.Name) + " " + busyText(c)
		}
	}
	return text
}
