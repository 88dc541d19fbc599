package compose

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/picker"
)

// scopePresets is that of the keys and actions of the presets' dialogs.
const scopePresets = "presets"

// presets is the dialog over the presets, the one that saves, and the question over both.
type presets struct {
	list   *picker.Model // nil when it is not open
	all    []Preset
	busy   bool
	stop   context.CancelFunc // ends the reading; nil before the first
	taking bool               // the draft of one is being read
	note   string             // why there are none
	save   *saveDialog
	ask    *confirm.Model
	answer func() tea.Cmd // what a yes does
}

func (p *presets) open() bool { return p.list != nil || p.save != nil || p.ask != nil }

// presetsMsg brings the presets.
type presetsMsg struct {
	all []Preset
	err error
}

// presetTakenMsg is a preset's draft, to be put into the form.
type presetTakenMsg struct {
	list   *picker.Model // the dialog that it was taken in
	preset Preset
	draft  client.Draft
	err    error
}

// presetRemovedMsg says how deleting one went.
type presetRemovedMsg struct {
	path string
	err  error
}

// offShelf says why there are no presets, "" when there are.
func (m *Model) offShelf() string {
	if m.deps.Shelf == nil {
		return "presets are not kept here"
	}
	return ""
}

// openPresets opens the dialog over the presets.
func (m *Model) openPresets() tea.Cmd {
	if off := m.offShelf(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	l := picker.New("Presets", "name, model, words …", nil)
	l.Empty = "reading …"
	m.presets = presets{list: &l, busy: true}
	m.onlyPane = false
	return m.readPresets()
}

// readPresets reads them for the dialog, until it closes or they are read anew.
func (m *Model) readPresets() tea.Cmd {
	m.presets.end()
	ctx, stop := context.WithCancel(context.Background())
	m.presets.stop = stop
	s := m.deps.Shelf
	return func() tea.Msg {
		all, err := s.Presets(ctx)
		if ctx.Err() != nil {
			return nil // nobody waits for them
		}
		return presetsMsg{all, err}
	}
}

func (m *Model) closePresets() {
	m.presets.end()
	m.presets = presets{}
}

// end gives up what is being read.
func (p *presets) end() {
	if p.stop != nil {
		p.stop()
	}
}

func (m *Model) presetsCame(msg presetsMsg) {
	p := &m.presets
	if p.list == nil {
		return
	}
	p.busy, p.all, p.note = false, msg.all, ""
	switch {
	case msg.err != nil:
		p.note = client.CleanLine(msg.err.Error())
	case len(msg.all) == 0:
		p.note = "There are no presets yet. " + m.howToSave("Type a name, then ", "the first one") +
			". Yours are in " + client.CleanLine(m.deps.Shelf.Folder(false)) + ", a project's in " + client.CleanLine(m.deps.Shelf.Folder(true)) + "."
	}
	p.list.Empty = m.presetsEmpty()
	items := make([]picker.Item, 0, len(msg.all))
	for _, project := range []bool{true, false} {
		for i := range msg.all {
			x := &msg.all[i]
			if x.Project != project {
				continue
			}
			it := picker.Item{ID: strconv.Itoa(i), Title: client.CleanLine(x.Name), // a name may have any letters
				Group: "your own", Detail: client.CleanLine(presetDetail(x))}
			if project {
				it.Group = "of this project"
			}
			if x.Err != nil {
				it.Off = "can not be used"
			}
			items = append(items, it)
		}
	}
	p.list.SetItems(items)
}

// presetsEmpty is said where no preset shows.
func (m *Model) presetsEmpty() string {
	switch {
	case len(m.presets.all) > 0:
		return "no preset has these letters; " + m.howToSave("", "one of this name")
	case m.presets.note != "":
		return "no preset yet"
	}
	return ""
}

// howToSave says what makes a preset of the form.
func (m *Model) howToSave(lead, what string) string {
	if k := m.deps.Keys.Keys("presets.save"); k != "" {
		return lead + k + " saves the form as " + what
	}
	return "the palette saves the form as " + what
}

// presetDetail is a preset in a few words.
func presetDetail(x *Preset) string {
	d := &x.Draft
	words := strings.Join(strings.Fields(strings.Join([]string{cmp.Or(string(d.Modality), "any kind"), d.Model, d.Mode}, " ")), " ")
	return client.Clip(words+"  "+cmp.Or(x.Description, d.Prompt), 200)
}

// current is the preset under the cursor.
func (p *presets) current() (Preset, bool) {
	if p.list == nil {
		return Preset{}, false
	}
	it, ok := p.list.Current()
	if !ok {
		return Preset{}, false
	}
	i, err := strconv.Atoi(it.ID)
	if err != nil || i < 0 || i >= len(p.all) {
		return Preset{}, false
	}
	return p.all[i], true
}

// presetsKey is a key while a dialog of the presets is open.
func (m *Model) presetsKey(k tea.KeyMsg) tea.Cmd {
	p := &m.presets
	if p.ask != nil {
		if k.Paste {
			return nil
		}
		return m.presetsAnswer(p.ask.HandleKey(k.String()))
	}
	if id, ok := m.deps.Keys.Lookup(scopePresets, k.String()); ok && !k.Paste {
		verb := strings.TrimPrefix(id, scopePresets+".")
		if p.save == nil || verb == "save" || verb == "close" {
			return m.presetsDo(verb)
		}
	}
	if p.save != nil {
		if p.save.busy { // an answer is about what was written
			return nil
		}
		if k.Paste {
			k.Runes = []rune(strings.Join(strings.Fields(string(k.Runes)), " "))
		}
		return m.saveEvent(p.save.form.Key(k))
	}
	return m.presetsEvent(p.list.Update(k))
}

func (m *Model) presetsEvent(ev picker.Event) tea.Cmd {
	switch ev {
	case picker.Picked:
		return m.takePreset()
	case picker.Cancelled:
		m.closePresets()
	}
	return nil
}

func (m *Model) presetsAnswer(id string) tea.Cmd {
	p := &m.presets
	if id == "" {
		return nil
	}
	answer := p.answer
	p.ask, p.answer = nil, nil
	if id != "yes" || answer == nil {
		return nil
	}
	return answer()
}

func (m *Model) presetsClick(msg screen.ClickMsg) tea.Cmd {
	p := &m.presets
	switch {
	case p.ask != nil:
		return m.presetsAnswer(p.ask.Click(msg.Zone))
	case p.save != nil && p.save.busy:
		return nil
	case p.save != nil:
		return m.saveEvent(p.save.form.Click(msg.Zone, msg.X, msg.Double))
	}
	return m.presetsEvent(p.list.Click(msg.Zone))
}

func (m *Model) presetsWheel(delta int) {
	if p := &m.presets; p.ask == nil && p.save == nil {
		p.list.Wheel(delta)
	}
}

// change is one thing that a preset makes another.
type change struct{ label, was, is string }

func (c change) String() string {
	was := c.was
	if was == "" {
		was = "not set"
	}
	return fmt.Sprintf("%s: %s → %s", c.label, was, c.is)
}
