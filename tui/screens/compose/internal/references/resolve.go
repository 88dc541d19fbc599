package references

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/tui/widgets/items"
)

// Found is what was found out about the references of a field, and the text that resulted.
type Found struct {
	Field
	Done string

	problem string // in the way of a submission
	remark  string // which is not
	files   map[string]weight
	facts   map[string]items.Fact // about references within items
	// onlyLook says that the text stays as it is.
	onlyLook bool
}

// Msg brings what was found out; Then says what follows.
type Msg struct {
	Found []Found
	Then  After
}

// After says what follows once references are resolved.
type After int

// What follows.
const (
	Nothing After = iota
	Submit
	GoOn // with what waits for it
)

// Resolve turns the paths in fields into file:// URLs of files that exist and hold a picture, a
// video or a sound; nil for no fields.
func Resolve(fields []Field, then After) tea.Cmd {
	list := make([]Found, len(fields))
	for i := range fields {
		list[i].Field = fields[i]
	}
	return resolve(list, then)
}

func resolve(list []Found, then After) tea.Cmd {
	if len(list) == 0 {
		return nil
	}
	return func() tea.Msg {
		for i := range list {
			if f := &list[i]; f.Spec != nil {
				f.resolveItems()
			} else {
				f.resolveLines()
			}
		}
		return Msg{Found: list, Then: then}
	}
}

func (f *Found) resolveLines() {
	lines := strings.Split(f.Text, "\n")
	for i, line := range lines {
		done, err := media.Reference(line)
		lines[i] = done
		if err == nil {
			err = f.look(done, f.Kinds)
		}
		f.fail(err)
	}
	f.Done = strings.Join(lines, "\n")
}

func (f *Found) resolveItems() {
	f.facts = map[string]items.Fact{}
	changed := false
	value := f.Spec.EachReference(f.Value, func(ref string, takes []string) string {
		if media.Remote(ref) || f.onlyLook && media.Typed(ref) {
			return ref
		}
		done, err := media.Reference(ref)
		if err == nil {
			err = f.look(done, takes)
		}
		if w, local := f.files[done]; err != nil {
			f.facts[done] = items.Fact{Err: client.CleanLine(err.Error())}
		} else if local {
			f.facts[done] = items.Fact{Size: w.Bytes, Type: w.mediaType}
		}
		f.fail(err)
		changed = changed || done != ref
		return done
	})
	f.Done = f.Text
	if changed && !f.onlyLook {
		f.Done = items.Format(value)
	}
}

// fail keeps the first error.
func (f *Found) fail(err error) {
	if err != nil && f.problem == "" {
		f.problem = f.Name + ": " + client.CleanLine(err.Error())
	}
}

// look tells from a file's first bytes what it holds: an error when it cannot be sent, a remark
// when the field is for something else.
func (f *Found) look(ref string, kinds []string) error {
	is, local, err := media.Look(ref)
	if err != nil || !local {
		return err
	}
	path, _ := client.FilePath(ref)
	if f.files == nil {
		f.files = make(map[string]weight)
	}
	f.files[ref] = weigh(path, is.Type, is.Size)
	if len(kinds) > 0 && !slices.Contains(kinds, is.Kind()) && f.remark == "" {
		f.remark = fmt.Sprintf("%s: %s is %s, not %s", f.Name, client.CleanLine(path), is.Type, strings.Join(kinds, " or "))
	}
	return nil
}
