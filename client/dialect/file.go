package dialect

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"darkroom/client"
	"darkroom/client/yamlfile"
)

// version is the only version of dialect files that exists.
const version = 1

// maxFile bounds a dialect file, in bytes; maxEntries the entries of each of its parts.
const (
	maxFile    = 128 << 10
	maxEntries = 2000
)

// File is a dialect in its written form. Every key but Version is optional; in a profile Version is
// left out too.
type File struct {
	Version int `yaml:"version,omitempty" json:"-"`
	// Title and Origin are for people: the purpose of the dialect, and the source of its words.
	Title  string `yaml:"title,omitempty" json:"title,omitempty"`
	Origin string `yaml:"origin,omitempty" json:"origin,omitempty"`
	// Segments: a segment of the documented paths -> the gateway's word for it.
	Segments map[string]string `yaml:"segments,omitempty" json:"segments,omitempty"`
	// Paths: a format, and its whole paths at the gateway.
	Paths map[string]Paths `yaml:"paths,omitempty" json:"paths,omitempty"`
	// Models: a model of the catalog, and its names at the gateway; the first is sent.
	Models map[string]Names `yaml:"models,omitempty" json:"models,omitempty"`
	// ModelNames and Engines: a value of model_name or upstream_model, and the gateway's.
	ModelNames map[string]string `yaml:"model_names,omitempty" json:"model_names,omitempty"`
	Engines    map[string]string `yaml:"engines,omitempty" json:"engines,omitempty"`
	// WireNames: a format, a field of the catalog, and its name in requests.
	WireNames map[string]map[string]string `yaml:"wire_names,omitempty" json:"wire_names,omitempty"`
	// Omit: fields that the gateway does not take.
	Omit []string `yaml:"omit,omitempty" json:"omit,omitempty"`
}

// Paths are the whole paths of a format, "" for the documented one. Query and Content hold
// {id} once.
type Paths struct {
	Create  string `yaml:"create,omitempty" json:"create,omitempty"`
	Query   string `yaml:"query,omitempty" json:"query,omitempty"`
	Content string `yaml:"content,omitempty" json:"content,omitempty"`
}

// Names are one name, or a list of them.
type Names []string

// UnmarshalYAML takes a text or a list of texts.
func (n *Names) UnmarshalYAML(read func(any) error) error {
	var one string
	if read(&one) == nil {
		*n = Names{one}
		return nil
	}
	var all []string
	if err := read(&all); err != nil {
		return err
	}
	*n = all
	return nil
}

// MarshalYAML writes one name as a text.
func (n Names) MarshalYAML() (any, error) {
	if len(n) == 1 {
		return n[0], nil
	}
	return []string(n), nil
}

// Parse reads a dialect file, strictly, and checks everything that needs no catalog: see
// [File.Problems] for the rest. Errors are *[catalog.Error] with line and column where they are
// known; name is the file's name in them.
func Parse(data []byte, name string) (File, error) {
	f, err := read(data, name)
	if err != nil {
		return File{}, err
	}
	return f, errors.Join(located(data, name, f.Problems(nil))...)
}

// limits bound a dialect file.
func limits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: maxFile, Line: 4 << 10, Lines: 8000, Nodes: 20000}
}

// ReadFile returns the text of a dialect file; it refuses one above the size limit, and a pipe.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	return limits().Read(path)
}

// read is Parse without checking the contents of the keys.
func read(data []byte, name string) (f File, err error) {
	if err := limits().Decode(data, &f, yaml.Strict()); err != nil {
		return File{}, fromYAML(err, name)
	}
	if f.Version != version {
		return File{}, mistake(name, find(data, "version"), "version is %d; a dialect begins with the line \"version: %d\"", f.Version, version)
	}
	return f, nil
}

// Dialect returns the file as the client takes it, under a name.
func (f File) Dialect(name string) client.Dialect {
	d := client.Dialect{
		Name: name, Segments: maps.Clone(f.Segments), ModelNames: maps.Clone(f.ModelNames), Engines: maps.Clone(f.Engines),
		WireNames: maps.Clone(f.WireNames), Omit: slices.Clone(f.Omit),
	}
	if len(f.Paths) > 0 {
		d.Paths = make(map[string]client.DialectPaths, len(f.Paths))
	}
	for format, p := range f.Paths {
		d.Paths[format] = client.DialectPaths(p)
	}
	if len(f.Models) > 0 {
		d.Models = make(map[string][]string, len(f.Models))
	}
	for id, names := range f.Models {
		d.Models[id] = slices.Clone(names)
	}
	return d
}

// Bytes is the file as YAML, with a comment above.
func (f File) Bytes(comment string) ([]byte, error) {
	f.Version = version
	b, err := yaml.Marshal(f)
	if err != nil {
		return nil, err
	}
	var head strings.Builder
	for line := range strings.Lines(comment) {
		fmt.Fprintf(&head, "# %s\n", strings.TrimSpace(client.CleanLine(line)))
	}
	return append([]byte(head.String()), b...), nil
}

// Empty reports whether it changes nothing.
func (f File) Empty() bool {
	return len(f.Segments)+len(f.Paths)+len(f.Models)+len(f.ModelNames)+len(f.Engines)+len(f.WireNames)+len(f.Omit) == 0
}
