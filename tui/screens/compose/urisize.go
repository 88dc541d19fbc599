package compose

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// notShown is what is to be known about every data URI.
const notShown = "not shown as accepted by the gateway"

// uriSize is how much of a request a reference takes, in bytes.
type uriSize struct {
	name      string // for people
	bytes     int64  // of the file; 0 for what was pasted
	uri       int64  // of the data URI
	mediaType string // of the file
}

// weigh is what a file of a type takes.
func weigh(path, mediaType string, size int64) uriSize {
	return uriSize{name: client.CleanLine(filepath.Base(path)), bytes: size, uri: media.URISize(mediaType, size), mediaType: mediaType}
}

func (w uriSize) String() string {
	if w.bytes == 0 {
		return w.name + ", " + w.sizes()
	}
	return w.name + " " + w.sizes()
}

// lookAtFiles finds out about files that came with a draft, once for each.
func (m *sheet) lookAtFiles() tea.Cmd {
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
	return resolve(list, nothing)
}

// weights are those of the references of a field that are sent as data URIs, as far as
// they are known.
func (m *sheet) weights(name string) []uriSize {
	if spec, ok := m.spec(name); ok {
		return m.nestedWeights(&spec, m.draft.Values[name])
	}
	switch t := m.draft.Values[name].(type) {
	case string:
		if w, ok := m.weightOf(t); ok {
			return []uriSize{w}
		}
	case []any:
		var out []uriSize
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

func (m *sheet) weightOf(ref string) (uriSize, bool) {
	if strings.HasPrefix(ref, "data:") {
		return uriSize{name: "pasted " + client.CleanLine(media.URIType(ref)), uri: int64(len(ref))}, true
	}
	w, ok := m.files[ref]
	return w, ok
}

// sizes are the lengths alone, for where the name stands already.
func (w uriSize) sizes() string {
	if w.bytes == 0 {
		return format.Bytes(w.uri) + " as data URI"
	}
	return format.Bytes(w.bytes) + ", " + format.Bytes(w.uri) + " as data URI"
}

// weightText says in a line what the references of a field weigh, "" for none.
func weightText(all []uriSize) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0].String()
	}
	var files, uris int64
	for _, w := range all {
		files += w.bytes
		uris += w.uri
	}
	if files == 0 {
		return fmt.Sprintf("%d pasted, %s as data URIs", len(all), format.Bytes(uris))
	}
	return fmt.Sprintf("%d references %s, %s as data URIs", len(all), format.Bytes(files), format.Bytes(uris))
}

// detail is what stands behind the references of a field, "" for nothing. Where there can
// be one only, its name stands before it.
func (m *sheet) detail(f *catalog.Field) string {
	all := m.weights(f.Name)
	if len(all) == 0 {
		return ""
	}
	text := weightText(all)
	if f.Kind == catalog.Media {
		text = all[0].sizes()
		if all[0].bytes == 0 { // what stands for it tells its length
			return notShown
		}
	}
	return text + "; " + notShown
}

// heavies are warnings of the references that make a request very long.
func (m *sheet) heavies() []catalog.Problem {
	var out []catalog.Problem
	for i := range m.fields {
		f := &m.fields[i]
		if !holdsMedia(f) && !m.nested(f.Name) {
			continue
		}
		for _, w := range m.weights(f.Name) {
			if w.uri <= media.LargeInline {
				continue
			}
			said := fmt.Sprintf("%s: %s, more than %s; data URIs are %s and request size limits are not shown: give an http(s) URL",
				f.Name, w, format.Bytes(media.LargeInline), notShown)
			if len(out) > 0 { // in a line, since the first one says why
				said = fmt.Sprintf("%s: %s, %s as data URI, too", f.Name, w.name, format.Bytes(w.uri))
			}
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Warn, Source: "Limits", Message: said})
		}
	}
	return out
}

// briefly is a finding about a further file, of which the first one's says all that is to be
// said: its place, its name, and what it weighs.
func (m *sheet) briefly(p *catalog.Problem, path string) string {
	at, _, ok := strings.Cut(p.Message, ": ")
	if !ok || strings.Contains(at, " ") {
		return p.Message
	}
	said := at + ": " + filepath.Base(path)
	if w, ok := m.weightShown(p.Field, p.Value); ok {
		return said + ", " + format.Bytes(w.uri) + " as data URI"
	}
	return said + ", too"
}

// weighed is a finding about a file, with what the file weighs.
func (m *sheet) weighed(field, shown, message string) string {
	if w, ok := m.weightShown(field, shown); ok {
		return message + " (" + w.sizes() + ")"
	}
	return message
}

// weightShown is what the reference weighs that a finding shows, perhaps shortened.
func (m *sheet) weightShown(field, shown string) (uriSize, bool) {
	head := strings.TrimSuffix(shown, widgets.Ellipsis)
	for line := range m.references(field) {
		if w, ok := m.files[line]; ok && (line == shown || head != shown && strings.HasPrefix(line, head)) {
			return w, true
		}
	}
	return uriSize{}, false
}
