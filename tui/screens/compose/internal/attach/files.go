package attach

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/confirm"
)

// maxDropped bounds the text that is looked at as dropped files, in bytes.
const maxDropped = 64 << 10

// Dropped is the name of the question what is to be done with dropped files, and AsText the answer
// that leaves them a text.
const (
	Dropped = "compose-dropped"
	AsText  = "text"

	asRefs = "refs"
)

// filesMsg brings files that were chosen, and why others are no media.
type filesMsg struct {
	take   []media.File
	field  string // "" for whichever takes them
	failed string
}

// DroppedMsg is a pasted text that may name files; they are those when all of it does.
type DroppedMsg struct {
	Text  []rune
	Field string // that had the focus
	Files []media.File
}

// Files opens the choice of files for the focused field, if that takes references, else for
// whichever field takes what is chosen.
func (r *References) Files() tea.Cmd {
	field, kinds, many := r.field()
	title := "Files"
	if field != "" {
		title = r.doc.Label(field)
	}
	return r.around.Open(refs.NewFiles(refs.FileOptions{Keys: r.o.Keys, Title: title, Accepts: kinds, Many: many,
		Recent: r.folders.With(foldersOf(r.sheet)...), History: r.o.History, Previews: r.o.Previews}))
}

// FilesInstead is for a form that has no place for a reference: a file is chosen, and the mode
// follows it. Where no mode has one, it says so.
func (r *References) FilesInstead() tea.Cmd {
	c := r.sheet.Effective()
	for _, kind := range []string{"image", "video", "audio"} {
		if _, ok := chain.Of(r.o.Catalog, r.draft(), chain.Reference, kind); ok {
			return tea.Batch(r.Files(), screen.Toast(screen.Info, "mode "+cmp.Or(c.Mode, rows.Unset)+" takes no references: the mode follows the file"))
		}
	}
	return screen.Toast(screen.Info, cmp.Or(c.Model, "the form")+" takes no references; "+
		cmp.Or(r.o.Keys.Keys(ActFiles), "choosing a file")+" finds a model that takes a file")
}

// addFiles makes files references of a field, "" for whichever takes them. What is typed
// meanwhile waits.
func (r *References) addFiles(paths []string) tea.Cmd {
	field, _, _ := r.field()
	return r.around.Pasting.Look(nil, func() tea.Msg {
		out := filesMsg{field: field}
		for _, path := range paths {
			if f, err := media.LookAt(path); err != nil {
				out.failed = err.Error()
			} else {
				out.take = append(out.take, f)
			}
		}
		return out
	})
}

// handleFiles takes the files that were chosen.
func (r *References) handleFiles(msg filesMsg) tea.Cmd {
	var failed tea.Cmd
	if msg.failed != "" {
		level := screen.Bad
		if len(msg.take) > 0 {
			level = screen.Warn
		}
		failed = screen.Toast(level, client.CleanLine(msg.failed))
	}
	if len(msg.take) == 0 {
		return failed
	}
	return tea.Batch(r.takeFiles(msg.take, msg.field), failed)
}

// Drop looks whether a pasted text consists of files that are there, as terminals paste what is
// dropped onto them; false for a text that cannot.
func (r *References) Drop(runes []rune) (tea.Cmd, bool) {
	field := r.sheet.Form.Focused()
	if spec, ok := r.sheet.Pieces.Spec(field); len(runes) > maxDropped || ok && spec.HoldsMedia() { // whose dialog takes lines
		return nil, false
	}
	lists := media.Dropped(string(runes))
	if len(lists) == 0 {
		return nil, false
	}
	return r.around.Pasting.Look(func() pasted.Text { return pasted.Text{Text: string(runes)} }, func() tea.Msg {
		msg := DroppedMsg{Text: runes, Field: field}
		for _, list := range lists {
			if files, err := media.LookAll(list); err == nil {
				msg.Files = files
				break
			}
		}
		return msg
	}), true
}

// handleDropped makes files references of the field that takes them, or asks. What is no file is
// text.
func (r *References) handleDropped(msg DroppedMsg) tea.Cmd {
	if len(msg.Files) == 0 {
		return r.around.Paste(msg.Text)
	}
	if f, ok := r.sheet.FieldNamed(msg.Field); ok && f.Kind.Refers() {
		return r.takeFiles(msg.Files, f.Name)
	}
	said := make([]string, 0, 6)
	for i, f := range msg.Files {
		if i == 5 {
			said = append(said, fmt.Sprintf("and %d more", len(msg.Files)-i))
			break
		}
		said = append(said, client.CleanLine(filepath.Base(f.Path))+" ("+f.Kind+")")
	}
	return r.around.Open(ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Add as references?", strings.Join(said, "\n"), "cancel",
			confirm.Button{ID: asRefs, Label: "References", Key: "r"},
			confirm.Button{ID: AsText, Label: "As text", Key: "t"},
			confirm.Button{ID: "cancel", Label: "Cancel"}),
		Width: 84, Height: 22, Help: [][2]string{{"r", "as references"}, {"t", "as text"}, {"esc", "cancel"}}, Name: Dropped, About: msg,
	}))
}

// answerDropped follows the answer to that. What has waited for it was typed where the focus is
// still.
func (r *References) answerDropped(msg DroppedMsg, id string) tea.Cmd {
	switch id {
	case asRefs:
		typed := r.around.Pasting.Release(pasted.AskedFirst)
		return tea.Batch(r.takeFiles(msg.Files, ""), typed)
	case AsText:
		return tea.Batch(r.around.Paste(msg.Text), r.around.Pasting.Release(pasted.AskedFirst))
	}
	return r.around.Pasting.Release(pasted.AskedFirst)
}

// takeFiles puts files into a field, or where each of their kinds belongs. What is not taken is
// told by name.
func (r *References) takeFiles(list []media.File, field string) tea.Cmd {
	used := r.folders.Use(filepath.Dir(list[0].Path))
	if f, ok := r.sheet.FieldNamed(field); ok {
		list, left := portion(f, list)
		value := r.sheet.Draft.Values[field]
		for _, c := range list {
			value = chain.Put(f, value, chain.Reference, c.Kind, client.FileURL(c.Path))
		}
		return tea.Batch(used, r.show(f, value), r.leftOut(f, list[0], left))
	}
	cmds := []tea.Cmd{used}
	for i, c := range list {
		t, ok := chain.Of(r.o.Catalog, r.draft(), chain.Reference, c.Kind)
		if !ok {
			return tea.Batch(append(cmds, r.askWhere(list[i:]))...)
		}
		mode := r.sheet.Effective().Mode
		cmds = append(cmds, r.put(t, []string{client.FileURL(c.Path)}, c.Kind, ""))
		if t.Mode != mode {
			cmds = append(cmds, screen.Toast(screen.Info, fmt.Sprintf("the mode is now %s, which takes %s", cmp.Or(t.Mode, rows.Unset), r.doc.Label(t.Field))))
		}
	}
	return tea.Batch(cmds...)
}

// askWhere lets a model be picked that takes the first of some files, and the others of its
// kind; those of other kinds are told to be left.
func (r *References) askWhere(list []media.File) tea.Cmd {
	msg := resultMsg{use: chain.Reference, kind: list[0].Kind}
	var left []media.File
	for _, c := range list {
		if c.Kind == msg.kind {
			msg.files = append(msg.files, c)
		} else {
			left = append(left, c)
		}
	}
	cmd := r.pickTarget(msg)
	if len(left) == 0 {
		return cmd
	}
	return tea.Batch(cmd, screen.Toast(screen.Warn, "not taken yet: "+names(left)+"; drop what is left again when there is a model for it"))
}

// takeInto puts files into the field of a model that was picked for them.
func (r *References) takeInto(t chain.Target, list []media.File) tea.Cmd {
	f, _ := r.o.Catalog.Field(t.Modality, t.Field)
	list, left := portion(f, list)
	urls := make([]string, len(list))
	for i, c := range list {
		urls[i] = client.FileURL(c.Path)
	}
	return tea.Batch(r.put(t, urls, list[0].Kind, ""), r.leftOut(f, list[0], left))
}

// leftOut says which file a field of one has, and which it has not.
func (r *References) leftOut(f catalog.Field, took media.File, left []media.File) tea.Cmd {
	if len(left) == 0 {
		return nil
	}
	said := r.doc.Label(f.Name) + " takes one file: it is " + client.CleanLine(filepath.Base(took.Path)) + " now, without " + names(left)
	if k := r.o.Keys.Keys(ActFiles); k != "" {
		said += "; " + k + " chooses another"
	}
	return screen.Toast(screen.Warn, said)
}

// names are the names of files for a message, of many the first ones and how many more.
func names(files []media.File) string {
	const most = 3
	var list []string
	for _, f := range files[:min(len(files), most)] {
		list = append(list, filepath.Base(f.Path))
	}
	out := text.Clip(client.CleanLine(strings.Join(list, ", ")), 160)
	if n := len(files) - most; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}
