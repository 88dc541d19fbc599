package refs

import (
	"os"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// Folders keeps the folders that files were taken from. Its methods touch the disk, and return the
// resulting folders, newest first.
type Folders interface {
	Load() ([]string, error)
	Used(dir string) ([]string, error)
}

// maxRecent is how many folders are remembered.
const maxRecent = 12

// Recent are the folders that files were taken from during a run of the console.
type Recent struct {
	keep   Folders // nil forgets them at the end
	dirs   []string
	untold bool // the failure to keep them was reported
}

// usedMsg brings the stored folders.
type usedMsg struct {
	dirs []string
	err  error
}

// NewRecent knows no folder yet. Keep may be nil.
func NewRecent(keep Folders) *Recent { return &Recent{keep: keep} }

// Load reads the stored folders.
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

// Use puts a folder first among the recent ones, here and where they are kept.
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

// Update takes over the stored folders, behind those used since. It ignores all other messages.
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

// With is the recent folders followed by others, each once.
func (r *Recent) With(others ...string) []string {
	out := slices.Clone(r.dirs)
	for _, dir := range others {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out[:min(len(out), maxRecent)]
}

// home is the folder of a person's files.
func home() string {
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return "/"
}
