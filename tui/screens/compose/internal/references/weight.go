package references

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/tui/widgets"
)

// NotShown is what is to be known about every data URI.
const NotShown = "not documented as accepted by the gateway"

// weight is how much of a request a reference takes, in bytes.
type weight struct {
	Name      string // for people
	Bytes     int64  // of the file; 0 for what was pasted
	URI       int64  // of the data URI
	mediaType string // of the file
}

// weigh is the weight of a file of a type.
func weigh(path, mediaType string, size int64) weight {
	return weight{Name: client.CleanLine(filepath.Base(path)), Bytes: size, URI: media.URISize(mediaType, size), mediaType: mediaType}
}

// String is the name with the lengths.
func (w weight) String() string {
	if w.Bytes == 0 {
		return w.Name + ", " + w.sizes()
	}
	return w.Name + " " + w.sizes()
}

// sizes are the lengths alone, for places where the name stands already.
func (w weight) sizes() string {
	if w.Bytes == 0 {
		return human.Bytes(w.URI) + " as data URI"
	}
	return human.Bytes(w.Bytes) + ", " + human.Bytes(w.URI) + " as data URI"
}

// weights are those of a field's references that are sent as data URIs, as far as they are known.
func (k *Known) weights(f *Field) []weight {
	var out []weight
	add := func(ref string) {
		if strings.HasPrefix(ref, "data:") {
			out = append(out, weight{Name: "pasted " + client.CleanLine(media.URIType(ref)), URI: int64(len(ref))})
		} else if w, ok := k.files[ref]; ok {
			out = append(out, w)
		}
	}
	if f.Spec != nil {
		f.Spec.EachReference(f.Value, func(ref string, _ []string) string {
			add(ref)
			return ref
		})
		return out
	}
	switch t := f.Value.(type) {
	case string:
		add(t)
	case []any:
		for _, x := range t {
			if s, ok := x.(string); ok {
				add(s)
			}
		}
	}
	return out
}

// Weight says in one line what the references of a field weigh, "" for none.
func (k *Known) Weight(f *Field) string { return textOf(k.weights(f)) }

func textOf(all []weight) string {
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

// Detail is what stands behind the references of a field, "" for nothing. Of one alone the name
// stands before it.
func (k *Known) Detail(f *Field, alone bool) string {
	all := k.weights(f)
	switch {
	case len(all) == 0:
		return ""
	case !alone:
		return textOf(all) + "; " + NotShown
	case all[0].Bytes == 0: // what stands for it tells its length
		return NotShown
	default:
		return all[0].sizes() + "; " + NotShown
	}
}

// NameFiles replaces the references that findings name by their paths, and adds the weight of the
// files. A further file to which the first one's finding applies as well gets only its place, name
// and weight.
func (k *Known) NameFiles(fields []Field, ps []catalog.Problem) {
	told := map[string]bool{} // what was said of a file
	for i := range ps {
		p := &ps[i]
		for j := range fields {
			if fields[j].Name == p.Field {
				k.nameFile(&fields[j], p, told)
			}
		}
	}
}

func (k *Known) nameFile(f *Field, p *catalog.Problem, told map[string]bool) {
	path, ok := f.path(p.Value)
	if !ok {
		return
	}
	said := strings.Replace(p.Message, p.Value, path, 1)
	_, what, _ := strings.Cut(said, path)
	w, weighed := k.shown(f, p.Value)
	at, _, short := strings.Cut(p.Message, ": ")
	switch again := p.Severity == catalog.Info && told[what]; {
	case !again && weighed:
		p.Message = said + " (" + w.sizes() + ")"
	case !again:
		p.Message = said
	case !short || strings.Contains(at, " "):
	case weighed:
		p.Message = at + ": " + filepath.Base(path) + ", " + human.Bytes(w.URI) + " as data URI"
	default:
		p.Message = at + ": " + filepath.Base(path) + ", too"
	}
	told[what] = true
}

// shown is the weight of the reference that a finding shows, perhaps shortened.
func (k *Known) shown(f *Field, value string) (weight, bool) {
	for ref := range f.All() {
		if w, ok := k.files[ref]; ok && stands(value, ref) {
			return w, true
		}
	}
	return weight{}, false
}

// stands reports whether a value that a finding shows, perhaps shortened, is a reference.
func stands(shown, ref string) bool {
	head, cut := strings.CutSuffix(shown, widgets.Ellipsis)
	return ref == shown || cut && strings.HasPrefix(ref, head)
}

// maxPath is how much of a path stands in a finding, in cells.
const maxPath = 48

// path is the path of the value that a finding names. Its end always shows, since the file's name
// is there.
func (f *Field) path(shown string) (string, bool) {
	if media.Scheme(strings.TrimSuffix(shown, widgets.Ellipsis)) != "file" {
		return "", false
	}
	for ref := range f.All() {
		p, ok := client.FilePath(ref)
		if !ok || !stands(shown, ref) {
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
