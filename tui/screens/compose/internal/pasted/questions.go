package pasted

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/intake"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/widgets/confirm"
)

// Names of the questions about what was pasted.
const (
	scopeRequest = "compose-request"
	scopeAttach  = "compose-attach"
	scopeDropped = "compose-dropped"
)

// Answers to them.
const (
	answerFill   = "fill"
	answerText   = "text"
	answerRefs   = "refs"
	answerAttach = "attach"
	answerLeave  = "leave"
	answerCancel = "cancel"
)

// Bounds of what a question names: how many files, and how many letters of a path; the last ones,
// since they tell most.
const (
	maxDroppedNamed = 5
	maxFilesNamed   = 6
	maxFileShown    = 76
)

// askFill asks whether to fill the form from a request.
func askFill(r request) *ask.Question {
	what := "a request"
	if r.got.Command {
		what = "a curl command"
	}
	said := []string{"This is " + what + ": " + document.Gist(r.got) + "."}
	if r.got.Secret {
		said = append(said, "There is a key in it, which is not kept, whatever you choose.")
	}
	for _, n := range r.got.Notes {
		said = append(said, client.CleanLine(n)+".")
	}
	return ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Fill the form from it?", strings.Join(said, "\n"), answerCancel,
			confirm.Button{ID: answerFill, Label: "Fill form", Key: "f"},
			confirm.Button{ID: answerText, Label: "As text", Key: "t"},
			confirm.Button{ID: answerCancel, Label: "Cancel"}),
		Width: 72, Height: 20, Help: [][2]string{{"f", "fill the form"}, {"t", "keep as text"}, {"esc", "cancel"}}, Name: scopeRequest, About: r,
	})
}

// askDrop asks what to do with files whose names were pasted into a text.
func askDrop(x dropped) *ask.Question {
	said := make([]string, len(x.files))
	for i, f := range x.files {
		said[i] = client.CleanLine(filepath.Base(f.Path)) + " (" + f.Kind + ")"
	}
	return ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Add as references?", firstOf(said, maxDroppedNamed), answerCancel,
			confirm.Button{ID: answerRefs, Label: "References", Key: "r"},
			confirm.Button{ID: answerText, Label: "As text", Key: "t"},
			confirm.Button{ID: answerCancel, Label: "Cancel"}),
		Width: 84, Height: 22, Help: [][2]string{{"r", "as references"}, {"t", "as text"}, {"esc", "cancel"}}, Name: scopeDropped, About: x,
	})
}

// attachment is a request that names files on this machine.
type attachment struct {
	got   intake.Result
	files []string
	fill  func(intake.Result) tea.Cmd
}

// askAttach asks whether to send those files with the request.
func askAttach(a attachment) *ask.Question {
	paths := make([]string, len(a.files))
	for i, path := range a.files {
		paths[i] = shownPath(path)
	}
	said := "The request names " + human.Plural(len(paths), "file") + " on this machine, which would be sent with it:\n" + firstOf(paths, maxFilesNamed)
	return ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Attach files on this machine?", said, answerLeave,
			confirm.Button{ID: answerLeave, Label: "Leave out", Key: "o"},
			confirm.Button{ID: answerAttach, Label: "Attach", Key: "a"}),
		Width: 72, Height: 20, Help: [][2]string{{"a", "attach"}, {"o/esc", "leave out"}}, Name: scopeAttach, About: a,
	})
}

// take fills the form with the request, with or without the files.
func (a attachment) take(with bool) tea.Cmd {
	if with {
		return a.fill(a.got)
	}
	return tea.Batch(a.fill(a.got.LeaveOut(a.files)), screen.Toast(screen.Info, human.Plural(len(a.files), "file")+" on this machine left out"))
}

// shownPath is a path that can be read at once: without its detours, and only the end of a long
// one.
func shownPath(path string) string {
	r := []rune(client.CleanLine(filepath.Clean(path)))
	if len(r) > maxFileShown {
		return "…" + string(r[len(r)-maxFileShown+1:])
	}
	return string(r)
}

// firstOf are the first of many lines, and how many more there are.
func firstOf(lines []string, most int) string {
	if n := len(lines) - most; n > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}
