package compare

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// Jobs is what the screen reads and does.
type Jobs interface {
	jobs.Reader
	jobs.Doer
}

// Deps are what the screen works with.
type Deps struct {
	Catalog  *catalog.Catalog
	Jobs     Jobs
	Keys     keys.Map
	Styles   *themes.Styles
	Previews *preview.Loader
	Now      func() time.Time
}

// Model is the screen.
type Model struct {
	d    Deps
	st   *themes.Styles
	w, h int
}

// New is the screen.
func New(d Deps) *Model { return &Model{d: d, st: d.Styles} }

// Init implements screen.Screen.
func (m *Model) Init() tea.Cmd { return nil }

// Update implements screen.Screen.
func (m *Model) Update(tea.Msg) (screen.Screen, tea.Cmd) { return m, nil }

// View implements screen.Screen.
func (m *Model) View() string { return widgets.Fit("", m.w, m.h) }

// SetSize implements screen.Screen.
func (m *Model) SetSize(w, h int) { m.w, m.h = w, h }

// SetStyles implements screen.Screen.
func (m *Model) SetStyles(st *themes.Styles) { m.st = st }

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding { return nil }

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding { return nil }

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action { return nil }

// Capturing implements screen.Screen.
func (m *Model) Capturing() bool { return false }
