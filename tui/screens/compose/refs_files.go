package compose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/files"
)

// refWait bounds what is looked up for a reference; a frame may have to be taken out of a video.
const refWait = 90 * time.Second

// filesMsg brings what is in a folder, or files that were chosen.
type filesMsg struct {
	list files.Listing
	// stead is the folder in whose place another one was listed, "" for none.
	stead string
	// take are files that were chosen, with their kinds and with what is wrong with others.
	take   []chosenFile
	field  string
	typed  *files.Model // the dialog that their path was typed into, nil for none
	failed string
}

// chosenFile is a file that becomes a reference.
type chosenFile struct{ path, kind string }

// factsMsg brings what was found out about files that show.
type factsMsg struct{ facts map[string]files.Fact }

// openFiles opens the dialog for the focused field, if that takes references, else for
// whichever field takes what is chosen.
func (m *Model) openFiles() tea.Cmd {
	r := &m.refs
	field, kinds, many := m.refField()
	title := "Files"
	if field != "" {
		title = m.label(field)
	}
	recent := m.recentFolders()
	dirs := append(slices.Clone(recent), homeDir())
	m.onlyPane = false
	r.field = field
	r.files = files.New(title, dirs[0], kinds, recent)
	r.files.Many, r.files.AllKey = many, m.deps.Keys.Keys("files.all")
	k := m.deps.Keys
	parts := []string{"enter take", k.Keys("files.close") + " back", k.Keys("files.all") + " all", k.Keys("files.up") + " up", k.Keys("files.recent") + " recent", k.Keys("files.hidden") + " hidden"}
	if many {
		parts = slices.Insert(parts, 1, k.Keys("files.mark")+" mark")
	}
	r.files.Keys = strings.Join(parts, " · ")
	r.picture = picture{}
	return tea.Batch(listFirst(dirs), m.resultFolders())
}

func homeDir() string {
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	return "/"
}

// refField is the focused field if it takes references, with the kinds that it takes and
// whether it takes several. Without one any kind will do.
func (m *Model) refField() (field string, kinds []string, many bool) {
	for i := range m.fields {
		f := &m.fields[i]
		if f.Name != m.form.Focused() {
			continue
		}
		switch f.Kind {
		case catalog.Media:
			return f.Name, f.MediaKinds, false
		case catalog.Medias, catalog.Content:
			return f.Name, f.MediaKinds, true
		}
	}
	return "", m.acceptedKinds(), true
}

// acceptedKinds are the kinds of media that any field takes now.
func (m *Model) acceptedKinds() []string {
	var out []string
	for i := range m.fields {
		for _, k := range m.fields[i].MediaKinds {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

func listFiles(dir string) tea.Cmd {
	return func() tea.Msg { return filesMsg{list: files.List(dir)} }
}

// filesEvent follows what happened in the dialog.
func (m *Model) filesEvent(ev files.Event) tea.Cmd {
	d := m.refs.files
	switch ev {
	case files.Cancelled:
		m.closeFiles()
	case files.Opening:
		return listFiles(d.Dir())
	case files.Moved:
		return m.seeFiles()
	case files.Picked:
		paths, field := d.Chosen(), m.refs.field
		m.closeFiles()
		return m.addFiles(paths, field)
	case files.Typed:
		return typedPath(d.Path(), filesMsg{field: m.refs.field, typed: d})
	}
	return nil
}

func (m *Model) closeFiles() {
	m.refs.files = nil
	if m.deps.Previews != nil {
		m.deps.Previews.Cancel(refSlot)
	}
}

// typedPath lists a folder that was typed, or takes a file.
func typedPath(path string, out filesMsg) tea.Cmd {
	return func() tea.Msg {
		if rest, ok := strings.CutPrefix(path, "~"); ok {
			path = filepath.Join(homeDir(), rest)
		}
		path = filepath.Clean(path)
		st, err := os.Stat(path)
		switch {
		case err != nil:
			return filesMsg{failed: err.Error(), typed: out.typed}
		case st.IsDir():
			return filesMsg{list: files.List(path), field: ".", typed: out.typed}
		}
		return sniffAll([]string{path}, out)
	}
}

// filesCame takes what is in a folder, or the files that were chosen.
func (m *Model) filesCame(msg filesMsg) tea.Cmd {
	d := m.refs.files
	if msg.typed != nil && msg.typed != d {
		return nil // its dialog was left
	}
	switch {
	case msg.list.Dir != "" && d != nil:
		if msg.stead != "" && msg.stead != d.Dir() {
			return nil // the person went elsewhere meanwhile
		}
		if msg.stead != "" || msg.field == "." { // it was typed
			d.Open(msg.list.Dir)
		}
		d.SetListing(msg.list)
		return m.seeFiles()
	case len(msg.take) > 0:
		if msg.typed != nil {
			m.closeFiles()
		}
		cmd := m.takeFiles(msg.take, msg.field)
		if msg.failed != "" {
			cmd = tea.Batch(cmd, screen.Toast(screen.Warn, client.CleanLine(msg.failed)))
		}
		return cmd
	case msg.failed != "":
		return screen.Toast(screen.Bad, client.CleanLine(msg.failed))
	}
	return nil
}

// addFiles makes files references of a field, "" for whichever takes them.
func (m *Model) addFiles(paths []string, field string) tea.Cmd {
	return m.lookAt(nil, func() tea.Msg { return sniffAll(paths, filesMsg{field: field}) })
}

// sniffAll tells the kinds of files from their first bytes.
func sniffAll(paths []string, out filesMsg) filesMsg {
	for _, path := range paths {
		mt, err := client.SniffMedia(path)
		if err != nil {
			out.failed = err.Error()
			continue
		}
		kind, _, _ := strings.Cut(mt, "/")
		out.take = append(out.take, chosenFile{path, kind})
	}
	return out
}

func (m *sheet) fieldNamed(name string) (catalog.Field, bool) {
	i := slices.IndexFunc(m.fields, func(f catalog.Field) bool { return f.Name == name })
	if i < 0 {
		return catalog.Field{}, false
	}
	return m.fields[i], true
}
