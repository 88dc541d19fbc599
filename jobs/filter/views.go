package filter

import (
	_ "embed" // views.yaml
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"darkroom/client"
	"darkroom/client/yamlfile"
)

// View is a filter that was kept under a name.
type View struct {
	Name   string `json:"name" yaml:"name"`
	Filter string `json:"filter" yaml:"filter"`
	About  string `json:"about,omitempty" yaml:"about"`
	// Own says that a person kept it, and that it did not come with the program.
	Own bool `json:"own" yaml:"-"`
}

// Bounds of the views of a file.
const (
	maxViews = 50
	maxName  = 40  // characters
	maxAbout = 200 // characters
)

// viewsVersion is the version of the files that this program reads.
const viewsVersion = 1

// ViewLimits bound a file of views.
func ViewLimits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: 64 << 10, Line: 4 << 10, Lines: 1000, Nodes: 2000}
}

//go:embed views.yaml
var builtIn []byte

// BuiltIn are the views that come with the program.
func BuiltIn() []View { return slices.Clone(builtInViews()) }

var builtInViews = sync.OnceValue(func() []View {
	all, err := ReadViews(builtIn)
	if err != nil {
		panic(err) // a test reads them
	}
	return all
})

// ReadViews reads a file of views, and refuses one of which a filter or a name cannot be used.
func ReadViews(data []byte) ([]View, error) {
	var doc struct {
		Version int    `yaml:"version"`
		Views   []View `yaml:"views"`
	}
	if err := ViewLimits().Decode(data, &doc, yaml.Strict()); err != nil {
		return nil, yamlfile.Explain(err)
	}
	switch {
	case doc.Version > viewsVersion:
		return nil, fmt.Errorf("it is of version %d, and this program knows %d", doc.Version, viewsVersion)
	case len(doc.Views) > maxViews:
		return nil, fmt.Errorf("it has %d views; at most %d are read", len(doc.Views), maxViews)
	}
	for i, v := range doc.Views {
		if err := v.Check(); err != nil {
			return nil, err
		}
		if _, twice := FindView(doc.Views[:i], v.Name); twice {
			return nil, fmt.Errorf("the view %q stands twice", v.Name)
		}
	}
	return doc.Views, nil
}

// WriteViews is the file of some views.
func WriteViews(all []View) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Views of jobs: filters with a name, as Queue and `darkroom jobs views` show them.\nversion: %d\nviews:\n", viewsVersion)
	if len(all) == 0 {
		b.WriteString("  []\n")
	}
	for _, v := range all {
		for i, x := range []struct{ name, value string }{{"name", v.Name}, {"filter", v.Filter}, {"about", v.About}} {
			if x.value == "" {
				continue
			}
			fmt.Fprintf(&b, "  %s %s: ", []string{"-", " ", " "}[i], x.name)
			e := json.NewEncoder(&b) // which is YAML, too
			e.SetEscapeHTML(false)
			if err := e.Encode(x.value); err != nil {
				return nil, err
			}
		}
	}
	_, err := ReadViews([]byte(b.String()))
	return []byte(b.String()), err
}

// Check says what is wrong with a view.
func (v View) Check() error {
	switch {
	case v.Name == "" || strings.TrimSpace(v.Name) != v.Name || client.CleanLine(v.Name) != v.Name || strings.HasPrefix(v.Name, "-"):
		return fmt.Errorf("%q is not a name of a view: it is a line without blanks around it that does not begin with -", client.CleanLine(v.Name))
	case utf8.RuneCountInString(v.Name) > maxName:
		return fmt.Errorf("the name of a view has %d characters; at most %d are kept", utf8.RuneCountInString(v.Name), maxName)
	case utf8.RuneCountInString(v.About) > maxAbout || client.CleanLine(v.About) != v.About:
		return fmt.Errorf("view %s: about is a line of at most %d characters", v.Name, maxAbout)
	case strings.TrimSpace(v.Filter) == "":
		return fmt.Errorf("view %s: it has no filter", v.Name)
	case utf8.RuneCountInString(v.Filter) > MaxText || client.CleanLine(v.Filter) != v.Filter:
		return fmt.Errorf("view %s: its filter is a line of at most %d characters", v.Name, MaxText)
	}
	if _, err := Parse(v.Filter, time.Unix(0, 0)); err != nil {
		return fmt.Errorf("view %s: %w", v.Name, err)
	}
	return nil
}

// FindView finds a view by its name; case does not matter.
func FindView(all []View, name string) (View, bool) {
	i := slices.IndexFunc(all, func(v View) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return View{}, false
	}
	return all[i], true
}

// Views are those that come with the program with a person's own: one of the same name stands in the
// place of the program's, the others behind them, in their order.
func Views(own []View) []View {
	all := BuiltIn()
	for _, v := range own {
		v.Own = true
		i := slices.IndexFunc(all, func(have View) bool { return strings.EqualFold(have.Name, v.Name) })
		if i >= 0 {
			all[i] = v
		} else {
			all = append(all, v)
		}
	}
	return all
}
