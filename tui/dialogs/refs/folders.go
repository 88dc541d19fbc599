package refs

import (
	"os"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// Folders keeps from which folders files were taken. Its methods touch the disk, and return the
// folders as they are then, newest first.
type Folders interface {
	Load() ([]string, error)
	Used(dir string) ([]string, error)
}

// maxRecent is how many folders are remembered.
const maxRecent = 12

// Recent are the folders that files were taken from, for as long as a console runs.
type Recent struct {
	keep   Folders // nil forgets them at the end
	dirs   []string
	untold bool // that they cannot be kept was told
}

// usedMsg brings the folders that were kept.
type usedMsg struct {
	dirs []string
	err  error
}

// NewRecent knows no folder yet. Keep may be nil.
func NewRecent(keep Folders) *Recent { return &Recent{keep: keep} }

// Load reads the folders that were kept.
func (r *Recent) Load() tea.Cmd {
	k := r.keep
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		dirs, err := k.Load()
		return usedMsg{dirs, err}
	}
}

// Use puts a folder in front of those that were used, here and where they are kept.
func (r *Recent) Use(dir string) tea.Cmd {
	r.dirs = slices.DeleteFunc(r.dirs, func(d string) bool { return d == dir })
	r.dirs = slices.Insert(r.dirs, 0, dir)
	r.dirs = r.dirs[:min(len(r.dirs), maxRecent)]
	k := r.keep
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		dirs, err := k.Used(dir)
		return usedMsg{dirs, err}
	}
}

// Update takes over what was kept, behind what was used since. It leaves all other messages alone.
func (r *Recent) Update(msg tea.Msg) tea.Cmd {
	m, ok := msg.(usedMsg)
	if !ok {
		return nil
	}
	for _, dir := range m.dirs {
		if len(r.dirs) < maxRecent && !slices.Contains(r.dirs, dir) {
			r.dirs = append(r.dirs, dir)
		}
	}
	if m.err == nil || r.untold {
		return nil
	}
	r.untold = true // said once
	return screen.Toast(screen.Warn, "the folders that were used are not kept: "+client.CleanLine(m.err.Error()))
}

// With are the folders with others behind them, each once.
func (r *Recent) With(others ...string) []string {
	out := slices.Clone(r.dirs)
	for _, dir := range others {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out[:min(len(out), maxRecent)]
}

// home is where a person's files are.
func home() string {
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return "/"
}
