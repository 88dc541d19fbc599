package sheet

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/tui/widgets"
)

// NotShown is what is to be known about every data URI.
const NotShown = "not shown as accepted by the gateway"

// Weight is how much of a request a reference takes, in bytes.
type Weight struct {
	Name      string // for people
	Bytes     int64  // of the file; 0 for what was pasted
	URI       int64  // of the data URI
	mediaType string // of the file
}

// weigh is what a file of a type takes.
func weigh(path, mediaType string, size int64) Weight {
	return Weight{Name: client.CleanLine(filepath.Base(path)), Bytes: size, URI: media.URISize(mediaType, size), mediaType: mediaType}
}

// String is the name with the lengths.
func (w Weight) String() string {
	if w.Bytes == 0 {
		return w.Name + ", " + w.sizes()
	}
	return w.Name + " " + w.sizes()
}

// LookAtFiles finds out about files that came with a draft, once for each.
func (m *Sheet) LookAtFiles() tea.Cmd {
	list := m.local("", func(s string) bool {
		fresh := strings.HasPrefix(s, "file://") && !m.asked[s]
		if fresh {
			m.asked[s] = true
		}
		return fresh
	})
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		list[i].onlyLook = list[i].spec != nil // a path may be on its way in another part
	}
	return Resolve(list, ThenNothing)
}

// weights are those of the references of a field that are sent as data URIs, as far as
// they are known.
func (m *Sheet) weights(name string) []Weight {
	if spec, ok := m.Spec(name); ok {
		return m.nestedWeights(&spec, m.Draft.Values[name])
	}
	switch t := m.Draft.Values[name].(type) {
	case string:
		if w, ok := m.weightOf(t); ok {
			return []Weight{w}
		}
	case []any:
		var out []Weight
		for _, x := range t {
			if s, ok := x.(string); ok {
				if w, ok := m.weightOf(s); ok {
					out = append(out, w)
				}
			}
		}
		return out
	}
	return nil
}

func (m *Sheet) weightOf(ref string) (Weight, bool) {
	if strings.HasPrefix(ref, "data:") {
		return Weight{Name: "pasted " + client.CleanLine(media.URIType(ref)), URI: int64(len(ref))}, true
	}
	w, ok := m.Files[ref]
	return w, ok
}

// sizes are the lengths alone, for where the name stands already.
func (w Weight) sizes() string {
	if w.Bytes == 0 {
		return human.Bytes(w.URI) + " as data URI"
	}
	return human.Bytes(w.Bytes) + ", " + human.Bytes(w.URI) + " as data URI"
}

// weightText says in a line what the references of a field weigh, "" for none.
func weightText(all []Weight) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0].String()
	}
	var files, uris int64
	for _, w := range all {
		files += w.Bytes
		uris += w.URI
	}
	if files == 0 {
		return fmt.Sprintf("%d pasted, %s as data URIs", len(all), human.Bytes(uris))
	}
	return fmt.Sprintf("%d references %s, %s as data URIs", len(all), human.Bytes(files), human.Bytes(uris))
}

// Detail is what stands behind the references of a field, "" for nothing. Where there can
// be one only, its name stands before it.
func (m *Sheet) Detail(f *catalog.Field) string {
	all := m.weights(f.Name)
	if len(all) == 0 {
		return ""
	}
	text := weightText(all)
	if f.Kind == catalog.Media {
		text = all[0].sizes()
		if all[0].Bytes == 0 { // what stands for it tells its length
			return NotShown
		}
	}
	return text + "; " + NotShown
}

// Heavies are warnings of the references that make a request very long.
func (m *Sheet) Heavies() []catalog.Problem {
	var out []catalog.Problem
	for i := range m.Fields {
		f := &m.Fields[i]
		if !HoldsMedia(f) && !m.Nested(f.Name) {
			continue
		}
		for _, w := range m.weights(f.Name) {
			if w.URI <= media.LargeInline {
				continue
			}
			said := fmt.Sprintf("%s: %s, more than %s; data URIs are %s and request size limits are not shown: give an http(s) URL",
				f.Name, w, human.Bytes(media.LargeInline), NotShown)
			if len(out) > 0 { // in a line, since the first one says why
				said = fmt.Sprintf("%s: %s, %s as data URI, too", f.Name, w.Name, human.Bytes(w.URI))
			}
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Warn, Source: "Limits", Message: said})
		}
	}
	return out
}

// briefly is a finding about a further file, of which the first one's says all that is to be
// said: its place, its name, and what it weighs.
func (m *Sheet) briefly(p *catalog.Problem, path string) string {
	at, _, ok := strings.Cut(p.Message, ": ")
	if !ok || strings.Contains(at, " ") {
		return p.Message
	}
	said := at + ": " + filepath.Base(path)
	if w, ok := m.weightShown(p.Field, p.Value); ok {
		return said + ", " + human.Bytes(w.URI) + " as data URI"
	}
	return said + ", too"
}

// weighed is a finding about a file, with what the file weighs.
func (m *Sheet) weighed(field, shown, message string) string {
	if w, ok := m.weightShown(field, shown); ok {
		return message + " (" + w.sizes() + ")"
	}
	return message
}

// weightShown is what the reference weighs that a finding shows, perhaps shortened.
func (m *Sheet) weightShown(field, shown string) (Weight, bool) {
	head := strings.TrimSuffix(shown, widgets.Ellipsis)
	for line := range m.References(field) {
		if w, ok := m.Files[line]; ok && (line == shown || head != shown && strings.HasPrefix(line, head)) {
			return w, true
		}
	}
	return Weight{}, false
}

// MaxPath is how much of a path stands in a finding, in cells.
const MaxPath = 48

// PathOf is the path that a value named by a finding stands for. Its end shows in any
// case, since that is where the file's name is.
func (m *Sheet) PathOf(field, shown string) (string, bool) {
	head := strings.TrimSuffix(shown, widgets.Ellipsis)
	if media.Scheme(head) != "file" {
		return "", false
	}
	for line := range m.References(field) {
		p, ok := client.FilePath(line)
		if !ok || line != shown && (head == shown || !strings.HasPrefix(line, head)) {
			continue
		}
		p = client.CleanLine(p)
		if n := widgets.Width(p); n > MaxPath {
			p = widgets.Ellipsis + ansi.TruncateLeft(p, n-MaxPath+1, "")
		}
		return p, true
	}
	return "", false
}
