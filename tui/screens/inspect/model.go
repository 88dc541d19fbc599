package inspect

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// Gateway is what the screen asks of the client.
type Gateway interface {
	Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult
	Guess(id string) []string
	Formats() []client.Format
}

// Deps are what the screen works with.
type Deps struct {
	Gateway  Gateway
	Jobs     jobs.Reader
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
