package compose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/intake"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/edits"
	"darkroom/tui/widgets/confirm"
)

// editRequest opens the request as JSON in the person's editor. The form that it comes back into
// goes on being what it was: of the same jobs, with its prompt taken for the same, and compared with
// the same origin.
func (m *Model) editRequest() tea.Cmd {
	s := m.sheet
	whole, from, reading := s.Whole(), s.Origin, s.Reading
	f := edits.Form{Draft: s.Draft.Clone(), Format: s.Effective().Format, Struck: client.Values{}, At: m.now()}
	for _, name := range s.Struck() {
		f.Struck[name] = s.Values[name]
	}
	f.Fill = func(got intake.Result) tea.Cmd {
		origin, reading := from, reading
		if now := s.Origin; origin == nil && now != nil && now.Job == reading { // which came meanwhile
			origin, reading = now, ""
		}
		rest := screen.ComposeDraft{Draft: client.Draft{Parents: whole.Draft.Parents}, Expand: whole.Expand, Vars: whole.Vars}
		cmd := m.doc.FillFrom(got, rest, "taken from the editor")
		s.Origin, s.Reading = origin, reading
		m.doc.Refresh()
		return cmd
	}
	return m.edits.Open(f, s.Data)
}

// handleEditedRequest fills the form with a request that comes from the editor.
func (m *Model) handleEditedRequest(msg edits.ReadMsg) tea.Cmd {
	got, form, cmd, ok := m.edits.Read(msg, m.sheet.Data)
	if !ok {
		return cmd
	}
	take := func() tea.Cmd { return m.askFiles(got, form.Draft.LocalFiles(), form.Fill) }
	if m.asksOfPaste() {
		return m.late.Offer("the request from the editor", take)
	}
	return m.takeOrOffer(form.At, "the request from the editor", take)
}

// maxFilesNamed is how many files the question names, and maxFileShown how many letters of each:
// the last ones, which tell most.
const (
	maxFilesNamed = 6
	maxFileShown  = 76
)

// askFiles asks before files of this machine get into the form because a request names them,
// which somebody else may have written; fill then takes it with or without them. Those that the
// form had are no question.
func (m *Model) askFiles(got intake.Result, had []client.LocalFile, fill func(intake.Result) tea.Cmd) tea.Cmd {
	files := slices.DeleteFunc(got.Files(), func(path string) bool {
		return slices.ContainsFunc(had, func(f client.LocalFile) bool { return f.Path() == path })
	})
	if len(files) == 0 {
		return fill(got)
	}
	said := []string{"The request names " + filesOf(len(files)) + " of this machine, which would be sent with it:"}
	for i, path := range files {
		if i == maxFilesNamed {
			said = append(said, fmt.Sprintf("and %d more", len(files)-i))
			break
		}
		said = append(said, shownPath(path))
	}
	return m.over.Open(ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Attach files of this machine?", strings.Join(said, "\n"), answerLeave,
			confirm.Button{ID: answerLeave, Label: "Leave out", Key: "o"},
			confirm.Button{ID: answerAttach, Label: "Attach", Key: "a"}),
		Width: 72, Height: 20, Help: [][2]string{{"a", "attach"}, {"o/esc", "leave out"}}, Name: askAttach, About: attachment{got, files, fill},
	}))
}

// attachment is a request that names files of this machine.
type attachment struct {
	got   intake.Result
	files []string
	fill  func(intake.Result) tea.Cmd
}

// take fills the form with the request, with or without the files.
func (a attachment) take(with bool) tea.Cmd {
	if with {
		return a.fill(a.got)
	}
	return tea.Batch(a.fill(a.got.LeaveOut(a.files)), screen.Toast(screen.Info, filesOf(len(a.files))+" of this machine left out"))
}

// shownPath is a path as it is read at once: without its detours, the end of a long one.
func shownPath(path string) string {
	r := []rune(client.CleanLine(filepath.Clean(path)))
	if len(r) > maxFileShown {
		return "…" + string(r[len(r)-maxFileShown+1:])
	}
	return string(r)
}

func filesOf(n int) string { return human.Plural(n, "file") }
