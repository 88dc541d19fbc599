package compose

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/pasted"
)

// refWait bounds what is looked up for a reference; a frame may have to be taken out of a video.
const refWait = 90 * time.Second

// chosenFiles are files that were chosen, and why others are no media.
type chosenFiles struct {
	take   []media.File
	failed string
}

// openFiles opens the choice of files for the focused field, if that takes references, else for
// whichever field takes what is chosen.
func (m *Model) openFiles() tea.Cmd {
	field, kinds, many := m.refField()
	title := "Files"
	if field != "" {
		title = m.doc.Label(field)
	}
	h, _ := m.deps.Jobs.(history)
	return m.open(refs.NewFiles(refs.FileOptions{Keys: m.deps.Keys, Title: title, Accepts: kinds, Many: many,
		Recent: m.folders.With(m.formFolders()...), History: h, Previews: m.deps.Previews}))
}

// openResults opens the choice among results, with what is newest.
func (m *Model) openResults() tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	return m.open(refs.NewResults(refs.ResultOptions{Keys: m.deps.Keys, History: h, Now: m.deps.Now, Previews: m.deps.Previews}))
}

// takeFound goes on with a result that was chosen as a reference.
func (m *Model) takeFound(a refs.Found) tea.Cmd {
	h, ok := m.deps.Jobs.(history)
	if !ok {
		return nil
	}
	field, _, _ := m.refField()
	return readResult(h, a.JobID, refMsg{use: chain.Reference, field: field, at: m.now()}, m.deps.Frames)
}

// refField is the focused field if it takes references, with the kinds that it takes and
// whether it takes several. Without one any kind will do.
func (m *Model) refField() (field string, kinds []string, many bool) {
	if f, ok := m.sheet.FieldNamed(m.sheet.Form.Focused()); ok {
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
	for i := range m.sheet.Fields {
		for _, k := range m.sheet.Fields[i].MediaKinds {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// formFolders are the folders of the files that the form has.
func (m *Model) formFolders() (out []string) {
	for _, f := range m.sheet.References() {
		for ref := range f.All() {
			if path, ok := client.FilePath(strings.TrimSpace(ref)); ok && filepath.IsAbs(path) {
				out = append(out, filepath.Dir(path))
			}
		}
	}
	return out
}

// addFiles makes files references of a field, "" for whichever takes them. What is typed
// meanwhile waits.
func (m *Model) addFiles(paths []string) tea.Cmd {
	field, _, _ := m.refField()
	return m.pasting.Look(nil, func() pasted.Found {
		var out chosenFiles
		for _, path := range paths {
			if f, err := media.LookAt(path); err != nil {
				out.failed = err.Error()
			} else {
				out.take = append(out.take, f)
			}
		}
		return func() (tea.Cmd, string) { return m.takeChosen(out, field) }
	})
}

// takeChosen takes the files that were chosen, and says what is missing.
func (m *Model) takeChosen(x chosenFiles, field string) (cmd tea.Cmd, missing string) {
	if len(x.take) > 0 {
		cmd = m.takeFiles(x.take, field)
	}
	if x.failed == "" {
		return cmd, ""
	}
	level := screen.Bad
	if len(x.take) > 0 {
		level = screen.Warn
	}
	return tea.Batch(cmd, screen.Toast(level, client.CleanLine(x.failed))), "a file that was chosen is not added"
}
