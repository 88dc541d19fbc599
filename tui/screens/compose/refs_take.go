package compose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/rows"
)

// takeFiles puts files into a field, or where each of their kinds belongs. What is not taken is
// told by name.
func (m *Model) takeFiles(list []media.File, field string) tea.Cmd {
	used := m.folders.Use(filepath.Dir(list[0].Path))
	if f, ok := m.sheet.FieldNamed(field); ok {
		list, left := portion(f, list)
		value := m.sheet.Draft.Values[field]
		for _, c := range list {
			value = chain.Put(f, value, chain.Reference, c.Kind, client.FileURL(c.Path))
		}
		return tea.Batch(used, m.setRefs(f, value), m.leftOut(f, list[0], left))
	}
	cmds := []tea.Cmd{used}
	for i, c := range list {
		t, ok := chain.Of(m.deps.Catalog, m.formDraft(), chain.Reference, c.Kind)
		if !ok {
			return tea.Batch(append(cmds, m.askWhere(list[i:]))...)
		}
		mode := m.sheet.Effective().Mode
		cmds = append(cmds, m.put(t, []string{client.FileURL(c.Path)}, c.Kind, ""))
		if t.Mode != mode {
			cmds = append(cmds, screen.Toast(screen.Info, fmt.Sprintf("the mode is now %s, which takes %s", or(t.Mode, rows.Unset), m.doc.Label(t.Field))))
		}
	}
	return tea.Batch(cmds...)
}

// askWhere lets a model be picked that takes the first of some files, and the others of its
// kind; those of other kinds are told to be left.
func (m *Model) askWhere(list []media.File) tea.Cmd {
	kind := list[0].Kind
	var left []string
	msg := refMsg{use: chain.Reference, kind: kind}
	for _, c := range list {
		if c.Kind == kind {
			msg.files = append(msg.files, c)
		} else {
			left = append(left, filepath.Base(c.Path))
		}
	}
	cmd := m.pickTarget(msg)
	if len(left) == 0 {
		return cmd
	}
	return tea.Batch(cmd, screen.Toast(screen.Warn, "not taken yet: "+names(left)+"; drop what is left again when there is a model for it"))
}

// pickedFiles puts files into the field of a model that was picked for them.
func (m *Model) pickedFiles(t chain.Target, list []media.File) tea.Cmd {
	f, _ := m.deps.Catalog.Field(t.Modality, t.Field)
	list, left := portion(f, list)
	refs := make([]string, len(list))
	for i, c := range list {
		refs[i] = client.FileURL(c.Path)
	}
	return tea.Batch(m.put(t, refs, list[0].Kind, ""), m.leftOut(f, list[0], left))
}

// portion parts files into those that a field takes and those that are left: a field of one
// takes the first that is of its kind.
func portion(f catalog.Field, list []media.File) (take, left []media.File) {
	if f.Kind != catalog.Media || len(list) < 2 {
		return list, nil
	}
	i := max(0, slices.IndexFunc(list, func(c media.File) bool { return slices.Contains(f.MediaKinds, c.Kind) }))
	return list[i : i+1], slices.Delete(slices.Clone(list), i, i+1)
}

// leftOut says which file a field of one has, and which it has not.
func (m *Model) leftOut(f catalog.Field, took media.File, left []media.File) tea.Cmd {
	if len(left) == 0 {
		return nil
	}
	var list []string
	for _, c := range left {
		list = append(list, filepath.Base(c.Path))
	}
	text := m.doc.Label(f.Name) + " takes one file: it is " + client.CleanLine(filepath.Base(took.Path)) + " now, without " + names(list)
	if k := m.deps.Keys.Keys(actFiles); k != "" {
		text += "; " + k + " chooses another"
	}
	return screen.Toast(screen.Warn, text)
}

// names are the names of files for a message, of many the first ones and how many more.
func names(list []string) string {
	const most = 3
	n := len(list) - most
	if n > 0 {
		list = list[:most]
	}
	out := text.Clip(client.CleanLine(strings.Join(list, ", ")), 160)
	if n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}
