// Package settings is the screen of the settings: what each is for, what holds and where that comes from;
// the profiles with their keys; and the key of every action. What is changed is written at once.
package settings

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/text"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/scroll"
)

// Kind is how a value is changed.
type Kind int

// Kinds of values.
const (
	Text   Kind = iota // typed
	Switch             // true or false
	Choice             // one of those allowed
	Theme              // chosen where all of the console shows it
)

// Row is one setting.
type Row struct {
	// Key is its name in the file, Label the one for people; Group is the heading above it.
	Key, Label, Group string
	Kind              Kind
	// Value is what holds, as it would be written; "" for nothing. Default is what holds without it.
	Value, Default string
	// Usual says in words what holds where there is neither; "" for nothing.
	Usual string
	// Said is the value in words where it says little by itself, as for ever; "" where it does.
	Said string
	// From says where the value comes from; Own that it stands in the file.
	From string
	Own  bool
	// Outranked is the variable or the flag that holds in the place of the file; "" for none.
	Outranked string
	// Allowed are the only values, or proposals; May says in words what else is allowed.
	Allowed []string
	May     string
	Help    string
	// Restart says that a change holds from the next start on; Required that there is no value without it.
	Restart, Required bool
	// Check says what is wrong with a text, "" for nothing. It is called while one is typed.
	Check func(text string) string
}

// Profile is a gateway with its settings.
type Profile struct {
	Name, Host, Color, Banner string
	// Embedded marks the embedded gateway, which has no settings; Default the profile that is used when
	// none is named, Shown the one that the console shows.
	Embedded, Default, Shown bool
	// Key says where its key is kept, NoKey that none is.
	Key   string
	NoKey bool
	Rows  []Row
}

// Mistake is one in the file as it stands: the former settings hold.
type Mistake struct {
	Line, Column int
	Text         string
}

// Sheet is all that there is to show.
type Sheet struct {
	File     string
	Rows     []Row
	Profiles []Profile
	Mistakes []Mistake
	// Keys says for an action where its keys come from, if they are not the built-in ones.
	Keys map[string]string
	// Waiting are the labels of what was changed and holds from the next start on.
	Waiting []string
}

// NewProfile is a profile to make. The key is not shown, nor part of an error.
type NewProfile struct{ Name, Address, Key string }

// Store keeps the settings. Its methods do I/O, in commands.
type Store interface {
	Read(ctx context.Context) (Sheet, error)
	Set(ctx context.Context, key, value string) error
	Unset(ctx context.Context, key string) error
	// SetKeys gives actions other keys, all at once.
	SetKeys(ctx context.Context, by map[string][]string) error
	// CheckProfile says what is wrong with a name or an address, "" for nothing; it does no I/O.
	CheckProfile(p NewProfile) string
	// AddProfile asks the gateway whether it takes the key, and keeps both; SetKey another key for a
	// profile. They say where the key is kept.
	AddProfile(ctx context.Context, p NewProfile) (where string, err error)
	SetKey(ctx context.Context, profile, key string) (where string, err error)
	// Test asks a profile's gateway whether it takes its key, and says what came of it.
	Test(ctx context.Context, profile string) (string, error)
	// Source is the text of the file, Replace puts another one in its place, if it is right.
	Source(ctx context.Context) (string, error)
	Replace(ctx context.Context, was, text string) error
}

// Deps are what the screen works with.
type Deps struct {
	Store  Store
	Keys   keys.Map
	Styles *themes.Styles
}

// page is one of the lists of the screen.
type page int

const (
	general page = iota
	profiles
	bindings
	pages
)

// Model is the screen. It is used by bubbletea's loop only.
type Model struct {
	deps     Deps
	commands screen.Commands[*Model]
	st       *themes.Styles
	ink      inks
	w, h     int
	stack    screen.Stack

	sheet  Sheet
	read   bool  // the sheet was read
	failed error // why it could not be read
	gen    int   // answers of another generation are dropped

	page    page
	entries []entry
	rows    list.Model
	at      [pages]string // what had the cursor on each page
	detail  scroll.Model

	filter    *form.Editor
	paper     form.Paper
	filtering bool

	capture *capture          // the next key is that of an action
	asking  string            // what is waited for, "" for nothing
	source  string            // the text that the editor has
	tested  map[string]tested // by profile
}

// New is the screen, which reads nothing before it is first shown.
func New(d Deps) *Model {
	m := &Model{deps: d, commands: screen.Bind(d.Keys, Commands()), filter: form.NewEditor(false), rows: list.New(1), tested: map[string]tested{}}
	m.filter.Limit = 100
	m.detail.Zone = "detail"
	m.stack = screen.NewStack(d.Keys, d.Styles, m.answer)
	m.SetStyles(d.Styles)
	return m
}

// Init reads the settings.
func (m *Model) Init() tea.Cmd { return m.reload() }

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = w, h
	m.stack.SetSize(w, h)
	m.layout()
}

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) {
	m.st, m.ink, m.paper = st, newInks(st), form.NewPaper(st)
	m.stack.SetStyles(st)
	m.layout()
}

// Capturing implements screen.Screen.
func (m *Model) Capturing() bool { return m.filtering || m.capture != nil || m.stack.Capturing() }

// TakesKeys implements screen.TakesKeys: the key of an action is asked for.
func (m *Model) TakesKeys() bool { return m.capture != nil }

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	if _, ok := msg.(screen.JobsMsg); ok {
		return m, nil // nothing here is about jobs
	}
	cmd := m.handle(msg)
	m.layout()
	return m, cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sheetMsg:
		m.take(msg)
		return nil
	case doneMsg:
		return m.done(msg)
	case testedMsg:
		m.asking = ""
		m.tested[msg.profile] = msg.tested
		return nil
	case sourceMsg:
		return m.editSource(msg)
	case screen.EditedMsg:
		return m.edited(msg)
	case screen.SettingsMsg, screen.ShownMsg:
		return m.reload()
	case screen.HiddenMsg:
		m.capture = nil
		return nil
	}
	if m.capture != nil {
		if k, ok := msg.(tea.KeyMsg); ok {
			return m.captured(k)
		}
	}
	if cmd, taken := m.stack.Update(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	}
	return nil
}

// reload reads the settings anew; what shows stays until then.
func (m *Model) reload() tea.Cmd {
	m.gen++
	gen, store := m.gen, m.deps.Store
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		s, err := store.Read(context.Background())
		return sheetMsg{gen, s, err}
	}
}

func (m *Model) take(msg sheetMsg) {
	if msg.gen != m.gen {
		return
	}
	m.failed = msg.err
	if msg.err == nil {
		m.sheet, m.read = msg.sheet, true
	}
	m.fill()
}

func clean(s string) string { return text.CleanLine(s) }

var (
	_ screen.Screen    = (*Model)(nil)
	_ screen.TakesKeys = (*Model)(nil)
)
