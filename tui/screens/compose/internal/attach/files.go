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
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/widgets/form"
)

// chosen are the files that were chosen, and the reasons why others are not media.
type chosen struct {
	take   []media.File
	failed string
}

// Files opens the choice of files for the focused field, if that takes references, else for
// whichever field takes what is chosen.
func (r *References) Files() tea.Cmd {
	field, kinds, many := r.field()
	title := "Files"
	if field != "" {
		title = r.doc.Label(field)
	}
	return r.open(refs.NewFiles(refs.FileOptions{Keys: r.o.Keys, Title: title, Accepts: kinds, Many: many,
		Recent: r.folders.With(foldersOf(r.sheet)...), History: r.o.History, Previews: r.o.Previews}))
}

// FilesInstead serves a form that has no place for a reference: a file is chosen, and the mode
// follows it. If no mode has a place, it says so.
func (r *References) FilesInstead() tea.Cmd {
	c := r.sheet.Effective()
	for _, kind := range []string{"image", "video", "audio"} {
		if _, ok := chain.Of(r.o.Catalog, r.draft(), chain.Reference, kind); ok {
			return tea.Batch(r.Files(), screen.Toast(screen.Info, "mode "+cmp.Or(c.Mode, form.Auto)+" takes no references: the mode follows the file"))
		}
	}
	return screen.Toast(screen.Info, cmp.Or(c.Model, "the form")+" takes no references; "+
		cmp.Or(r.o.Keys.Keys(ActFiles), "choosing a file")+" finds a model that takes a file")
}

// add makes files references of a field, "" for whichever takes them. Typing waits meanwhile.
func (r *References) add(paths []string) tea.Cmd {
	field, _, _ := r.field()
	return r.around.Pasting.Look(func() pasted.Found {
		var out chosen
		for _, path := range paths {
			if f, err := media.LookAt(path); err != nil {
				out.failed = err.Error()
			} else {
				out.take = append(out.take, f)
			}
		}
		return func() (tea.Cmd, string) { return r.takeChosen(out, field) }
	})
}

// takeChosen takes the files that were chosen, and says which are missing.
func (r *References) takeChosen(x chosen, field string) (cmd tea.Cmd, missing string) {
	if len(x.take) > 0 {
		cmd = r.Take(x.take, field)
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

// Take puts files into a field, or with "" where each of their kinds belongs. It names those that
// were not taken.
func (r *References) Take(list []media.File, field string) tea.Cmd {
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
			cmds = append(cmds, screen.Toast(screen.Info, fmt.Sprintf("the mode is now %s, which takes %s", r.mode(t), r.doc.Label(t.Field))))
		}
	}
	return tea.Batch(cmds...)
}

// askWhere lets a model be picked that takes the first of some files, and the others of its kind;
// it says that those of other kinds are left out.
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
	return tea.Batch(cmd, screen.Toast(screen.Warn, "not taken yet: "+names(left)+"; drop the rest again once a model takes it"))
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

// leftOut says which file a field for one has taken, and which it has not.
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

// names are the names of files for a message; of many, the first ones and how many more there are.
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
