package compose

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/files"
)

// Folders keeps from which folders files were taken. Its methods touch the disk, and return the
// folders as they are then, newest first.
type Folders interface {
	Load() ([]string, error)
	Used(dir string) ([]string, error)
}

// maxRecent is how many folders are remembered.
const maxRecent = 12

// usedMsg brings the folders that were kept.
type usedMsg struct {
	dirs []string
	err  error
}

func loadFolders(k Folders) tea.Cmd {
	return func() tea.Msg {
		dirs, err := k.Load()
		return usedMsg{dirs, err}
	}
}

// usedCame takes over what was kept, behind what was used since.
func (m *Model) usedCame(msg usedMsg) tea.Cmd {
	r := &m.refs
	for _, dir := range msg.dirs {
		if len(r.used) < maxRecent && !slices.Contains(r.used, dir) {
			r.used = append(r.used, dir)
		}
	}
	if msg.err == nil || r.untold {
		return nil
	}
	r.untold = true // said once
	return screen.Toast(screen.Warn, "the folders that were used are not kept: "+client.CleanLine(msg.err.Error()))
}

// usedFolder puts a folder in front of those that were used, here and where they are kept.
func (m *Model) usedFolder(dir string) tea.Cmd {
	r := &m.refs
	r.used = slices.DeleteFunc(r.used, func(d string) bool { return d == dir })
	r.used = slices.Insert(r.used, 0, dir)
	r.used = r.used[:min(len(r.used), maxRecent)]
	k := m.deps.Folders
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		dirs, err := k.Used(dir)
		return usedMsg{dirs, err}
	}
}

// recentFolders are those that were used, and those of the files that the form has.
func (m *Model) recentFolders() []string {
	out := slices.Clone(m.refs.used)
	for i := range m.fields {
		if f := &m.fields[i]; holdsMedia(f) || m.nested(f.Name) {
			for ref := range m.references(f.Name) {
				if path, ok := client.FilePath(strings.TrimSpace(ref)); ok && filepath.IsAbs(path) && !slices.Contains(out, filepath.Dir(path)) {
					out = append(out, filepath.Dir(path))
				}
			}
		}
	}
	return out[:min(len(out), maxRecent)]
}

// foldersMsg brings the folders of the newest results.
type foldersMsg struct{ dirs []string }

// resultFolders looks in which folders the newest results were saved.
func (m *Model) resultFolders() tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return nil
	}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), pastWait)
		defer stop()
		page, err := h.List(ctx, jobs.Query{States: []jobs.State{jobs.Completed}, Limit: maxRecent})
		if err != nil {
			return nil // the folders are a convenience
		}
		var out foldersMsg
		for i := range page.Jobs {
			if path, _ := page.Jobs[i].Showpiece(); path != "" && !slices.Contains(out.dirs, filepath.Dir(path)) {
				out.dirs = append(out.dirs, filepath.Dir(path))
			}
		}
		return out
	}
}

// listFirst lists the first of some folders that is still there; the last one in any case.
func listFirst(dirs []string) tea.Cmd {
	return func() tea.Msg {
		msg := filesMsg{}
		for i, dir := range dirs {
			if i > 0 {
				msg.stead = dirs[0]
			}
			if msg.list = files.List(dir); !errors.Is(msg.list.Err, fs.ErrNotExist) {
				break
			}
		}
		return msg
	}
}
