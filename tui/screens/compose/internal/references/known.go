package references

import (
	"fmt"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/tui/widgets/items"
)

// Known is what was found out about the references of a form.
type Known struct {
	bad   map[string]string // by field: what is wrong with its references
	odd   map[string]string // and what is unusual about their files
	files map[string]weight // of local files, by reference
	asked map[string]bool   // the files that were looked at, or are
	facts map[string]items.Fact
}

// New is a Known that knows nothing.
func New() Known {
	return Known{bad: map[string]string{}, odd: map[string]string{}, files: map[string]weight{}, asked: map[string]bool{}, facts: map[string]items.Fact{}}
}

// Facts are what is known about references within items.
func (k *Known) Facts() map[string]items.Fact { return k.facts }

// Pictured reports whether a reference is a file on this machine that was looked at and has a picture.
func (k *Known) Pictured(ref string) bool {
	t := k.files[ref].mediaType
	return strings.HasPrefix(t, "image/") || strings.HasPrefix(t, "video/")
}

// maxFacts bounds how many references are remembered.
const maxFacts = 4000

// Take records what was found out about a field's references.
func (k *Known) Take(f *Found) {
	k.Forget(f.Name)
	if f.problem != "" {
		k.bad[f.Name] = f.problem
	}
	if f.remark != "" {
		k.odd[f.Name] = f.remark
	}
	maps.Copy(k.files, f.files)
	if len(k.facts)+len(f.facts) > maxFacts {
		k.facts = map[string]items.Fact{}
	}
	maps.Copy(k.facts, f.facts)
}

// Forget drops the findings about a field whose text has changed.
func (k *Known) Forget(field string) {
	delete(k.bad, field)
	delete(k.odd, field)
}

// Clear drops the findings about all fields.
func (k *Known) Clear() {
	clear(k.bad)
	clear(k.odd)
}

// Look examines the files that came with a draft, each once; nil when there are none.
func (k *Known) Look(fields []Field) tea.Cmd {
	var list []Found
	for i := range fields {
		fresh := false
		for ref := range fields[i].All() {
			if ref = strings.TrimSpace(ref); strings.HasPrefix(ref, "file://") && !k.asked[ref] {
				k.asked[ref], fresh = true, true
			}
		}
		if fresh { // of items, a path may be on its way in another part
			list = append(list, Found{Field: fields[i], onlyLook: fields[i].Spec != nil})
		}
	}
	return resolve(list, Nothing)
}

// Findings are what is wrong with the references, or unusual.
func (k *Known) Findings(fields []Field) []catalog.Problem {
	var out []catalog.Problem
	for i := range fields {
		name := fields[i].Name
		if fields[i].Value == nil {
			continue
		}
		if what, ok := k.bad[name]; ok {
			out = append(out, catalog.Problem{Field: name, Severity: catalog.Block, Message: what})
		}
		if what, ok := k.odd[name]; ok {
			out = append(out, catalog.Problem{Field: name, Severity: catalog.Warn, Message: what})
		}
	}
	return out
}

// Heavy are warnings about references that make a request very long.
func (k *Known) Heavy(fields []Field) []catalog.Problem {
	var out []catalog.Problem
	for i := range fields {
		f := &fields[i]
		for _, w := range k.weights(f) {
			if w.URI <= media.LargeInline {
				continue
			}
			said := fmt.Sprintf("%s: %s, more than %s; data URIs are %s and request size limits are not documented: give an http(s) URL",
				f.Name, w, human.Bytes(media.LargeInline), NotShown)
			if len(out) > 0 { // in a line, since the first one says why
				said = fmt.Sprintf("%s: %s, %s as data URI, too", f.Name, w.Name, human.Bytes(w.URI))
			}
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Warn, Source: "Limits", Message: said})
		}
	}
	return out
}

// Glued are warnings about references that seem to hold two: the second would become part of the
// address of the first.
func Glued(fields []Field) []catalog.Problem {
	var out []catalog.Problem
	for i := range fields {
		n := 0
		for ref := range fields[i].All() {
			if strings.TrimSpace(ref) == "" {
				continue
			}
			n++
			if strings.HasPrefix(ref, "data:") || strings.Count(ref, "://") < 2 {
				continue
			}
			out = append(out, catalog.Problem{Field: fields[i].Name, Severity: catalog.Warn, Message: fmt.Sprintf(
				"%s: item %d holds :// twice, two references are two items: %s", fields[i].Name, n, client.CleanLine(text.Clip(ref, 100)))})
		}
	}
	return out
}
