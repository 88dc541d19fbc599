package compose

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets"
)

// standIn is what checks see in the place of a path that is still being typed: it is
// made a reference when the field is left, and judged then.
const standIn = "https://path.invalid/"

// resolve turns paths in media fields into file:// URLs of files that are there and hold
// a picture, a video or a sound.
func resolve(texts []mediaField, then after) tea.Cmd {
	return func() tea.Msg {
		for i := range texts {
			texts[i].resolve()
		}
		return mediaMsg{fields: texts, then: then}
	}
}

func (f *mediaField) resolve() {
	if f.spec != nil {
		f.resolveNested()
		return
	}
	lines := strings.Split(f.text, "\n")
	for i, line := range lines {
		done, err := reference(line)
		lines[i] = done
		if err == nil {
			err = f.look(done)
		}
		if err != nil && f.problem == "" {
			f.problem = fmt.Sprintf("%s: %s", f.name, client.CleanLine(err.Error()))
		}
	}
	f.done = strings.Join(lines, "\n")
}

// look tells what a file of this machine holds from its first bytes: an error when it is
// nothing to send, a remark when the field is for something else.
func (f *mediaField) look(ref string) error {
	path, ok := client.FilePath(ref)
	if !ok {
		return nil
	}
	mt, err := client.SniffMedia(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if f.files == nil {
		f.files = make(map[string]uriSize)
	}
	f.files[ref] = weigh(path, mt, info.Size())
	kind, _, _ := strings.Cut(mt, "/")
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, kind) && f.remark == "" {
		f.remark = fmt.Sprintf("%s: %s is %s, not %s", f.name, client.CleanLine(path), mt, strings.Join(f.kinds, " or "))
	}
	return nil
}

// scheme is that of a reference, in lower case; "" for a path. Before a colon alone only
// those that references have are one: a:b.png is the name of a file.
func scheme(s string) string {
	name, rest, ok := strings.Cut(s, ":")
	name = strings.ToLower(name)
	switch {
	case !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "":
		return ""
	case name == "http", name == "https", name == "data", name == "file", strings.HasPrefix(rest, "//"):
		return name
	default:
		return ""
	}
}

// remote reports whether a reference needs no file of this machine.
func remote(s string) bool {
	switch scheme(s) {
	case "http", "https", "data":
		return true
	default:
		return false
	}
}

// bare reports whether a reference is a path of this machine as people type it.
func bare(s string) bool {
	if strings.HasPrefix(s, "data:") { // which may be megabytes long
		return false
	}
	s = unquote(strings.TrimSpace(s))
	return s != "" && scheme(s) == ""
}

// reference is what a draft keeps for a typed reference: URLs as they are, a path as a
// file:// URL. A path that leads to no file stays as it was typed, with an error.
func reference(typed string) (string, error) {
	s := strings.TrimSpace(typed)
	if s == "" || remote(s) {
		return s, nil
	}
	path := unquote(s)
	switch name := scheme(path); name {
	case "":
	case "file":
		p, ok := client.FilePath("file" + path[len(name):])
		if !ok || p == "/" {
			return s, fmt.Errorf("%q is no file:// URL with an absolute path", path)
		}
		path = p
	default:
		return s, fmt.Errorf("%s:// cannot be used; a reference is an http:// or https:// URL, a data: URI, or a file of this machine", name)
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		if err != nil {
			return s, err
		}
		path = home + rest
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, fmt.Errorf("there is no file %s", path)
	case err != nil:
		return s, unread(path, err)
	case !info.Mode().IsRegular():
		return s, fmt.Errorf("%s is not a file", path)
	}
	return client.FileURL(path), nil
}

// unquote undoes what terminals and shells do to a dragged or pasted path.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return strings.ReplaceAll(s, `\ `, " ")
}

// media reports whether a field that applies now holds references.
func (m *Model) media(name string) bool {
	return slices.ContainsFunc(m.fields, func(f catalog.Field) bool { return f.Name == name && holdsMedia(&f) })
}

func holdsMedia(f *catalog.Field) bool { return f.Kind == catalog.Media || f.Kind == catalog.Medias }

// local are the media fields, or the one of a name, in which some reference is one that
// a test picks: see [Model.localFields] and [Model.unresolved].
func (m *Model) local(name string, pick func(string) bool) []mediaField {
	var out []mediaField
	for i := range m.fields {
		f := &m.fields[i]
		if name != "" && f.Name != name {
			continue
		}
		if m.nested(f.Name) {
			if x, ok := m.nestedRefs(f, pick); ok {
				out = append(out, x)
			}
		}
		if !holdsMedia(f) {
			continue
		}
		t := m.form.Text(f.Name)
		for line := range strings.SplitSeq(t, "\n") {
			if line = strings.TrimSpace(line); line != "" && pick(line) {
				out = append(out, mediaField{name: f.Name, text: t, kinds: f.MediaKinds})
				break
			}
		}
	}
	return out
}

// localFields are the media fields, or the one of a name, that need something of this machine.
func (m *Model) localFields(name string) []mediaField {
	return m.local(name, func(s string) bool { return !remote(s) })
}

// unresolved are the media fields in which a path stands as it was typed.
func (m *Model) unresolved() []mediaField { return m.local("", bare) }

// checkable is the draft as it is to be checked: a path that is being typed is no
// finding, it becomes a reference when the field is left.
func (m *Model) checkable() client.Draft {
	d, copied := m.draft, false
	for i := range m.fields {
		f := &m.fields[i]
		if !holdsMedia(f) && !m.nested(f.Name) {
			continue
		}
		v, changed := m.withoutPaths(f.Name, d.Values[f.Name])
		if !changed {
			continue
		}
		if !copied {
			d.Values, copied = maps.Clone(d.Values), true
		}
		d.Values[f.Name] = v
	}
	return d
}

func (m *Model) withoutPaths(name string, v any) (any, bool) {
	if spec, ok := m.spec(name); ok {
		changed := false
		v = spec.EachReference(v, func(ref string, _ []string) string {
			if !bare(ref) {
				return ref
			}
			changed = true
			return standIn
		})
		return v, changed
	}
	switch t := v.(type) {
	case string:
		if bare(t) {
			return standIn, true
		}
	case []any:
		var out []any
		for i, x := range t {
			s, ok := x.(string)
			if !ok || !bare(s) {
				continue
			}
			if out == nil {
				out = slices.Clone(t)
			}
			out[i] = standIn
		}
		if out != nil {
			return out, true
		}
	}
	return v, false
}

// readable is a text with its file:// URLs as paths, as people read them.
func readable(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if p, ok := client.FilePath(l); ok {
			lines[i] = p
		}
	}
	return strings.Join(lines, "\n")
}

// references are those of a field, wherever in its value they stand.
func (m *Model) references(field string) iter.Seq[string] {
	if !m.nested(field) {
		return strings.SplitSeq(m.form.Text(field), "\n")
	}
	return func(yield func(string) bool) {
		spec, _ := m.spec(field)
		more := true
		spec.EachReference(m.draft.Values[field], func(ref string, _ []string) string {
			more = more && yield(ref)
			return ref
		})
	}
}

// maxPath is how much of a path stands in a finding, in cells.
const maxPath = 48

// pathOf is the path that a value named by a finding stands for. Its end shows in any
// case, since that is where the file's name is.
func (m *Model) pathOf(field, shown string) (string, bool) {
	head := strings.TrimSuffix(shown, widgets.Ellipsis)
	if scheme(head) != "file" {
		return "", false
	}
	for line := range m.references(field) {
		p, ok := client.FilePath(line)
		if !ok || line != shown && (head == shown || !strings.HasPrefix(line, head)) {
			continue
		}
		p = client.CleanLine(p)
		if n := widgets.Width(p); n > maxPath {
			p = widgets.Ellipsis + ansi.TruncateLeft(p, n-maxPath+1, "")
		}
		return p, true
	}
	return "", false
}
