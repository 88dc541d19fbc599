package attach

import (
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/screens/compose/internal/sheet"
)

// Place is the field in which a reference begins, "" for none: the focused one unless it is full,
// else an empty one, else the first.
func Place(s *sheet.Sheet) string {
	place, best := "", 0
	for i := range s.Fields {
		f := &s.Fields[i]
		if !f.Kind.Refers() && f.Kind != catalog.Content {
			continue
		}
		focused, empty := f.Name == s.Form.Focused(), s.Form.Text(f.Name) == ""
		rank := 0 // content may hold anything: only who is there means it
		switch {
		case focused && (empty || f.Kind != catalog.Media):
			rank = 3
		case empty && f.Kind.Refers():
			rank = 2
		case f.Kind.Refers():
			rank = 1
		}
		if rank > best {
			place, best = f.Name, rank
		}
	}
	return place
}

// acceptedKinds are the kinds of media that any field takes now.
func acceptedKinds(s *sheet.Sheet) []string {
	var out []string
	for i := range s.Fields {
		for _, k := range s.Fields[i].MediaKinds {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// foldersOf are the folders of the files in the form.
func foldersOf(s *sheet.Sheet) (out []string) {
	for _, f := range s.References() {
		for ref := range f.All() {
			if path, ok := client.FilePath(strings.TrimSpace(ref)); ok && filepath.IsAbs(path) {
				out = append(out, filepath.Dir(path))
			}
		}
	}
	return out
}

// urls are the URLs of the focused field: the one at the cursor of a list, else all.
func urls(s *sheet.Sheet) (out []string) {
	f, ok := s.FieldNamed(s.Form.Focused())
	if !ok {
		return nil
	}
	field, ok := s.Reference(&f)
	if !ok {
		return nil
	}
	web := func(ref string) bool {
		scheme := media.Scheme(ref)
		return scheme == "http" || scheme == "https"
	}
	if text, _, ok := s.Form.Item(); ok && field.Spec == nil && web(strings.TrimSpace(text)) {
		return []string{strings.TrimSpace(text)}
	}
	for ref := range field.All() {
		if ref = strings.TrimSpace(ref); web(ref) && len(out) < refs.MaxHeads {
			out = append(out, ref)
		}
	}
	return out
}

// portion splits files into those that a field takes and the rest: a field for one file takes the
// first of its kind.
func portion(f catalog.Field, list []media.File) (take, left []media.File) {
	if f.Kind != catalog.Media || len(list) < 2 {
		return list, nil
	}
	i := max(0, slices.IndexFunc(list, func(c media.File) bool { return slices.Contains(f.MediaKinds, c.Kind) }))
	return list[i : i+1], slices.Delete(slices.Clone(list), i, i+1)
}
