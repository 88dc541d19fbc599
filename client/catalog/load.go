package catalog

import (
	_ "embed" // the generated catalog
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"darkroom/client/yamlfile"
)

// version is the only version of catalog files that exists.
const version = 1

// maxFile bounds a catalog file: the embedded one has some 50 KiB.
const maxFile = 256 << 10

// limits bound a catalog file: the embedded one has some 1,400 lines and 5,000 keys and values.
func limits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: maxFile, Line: 8 << 10, Lines: 10_000, Nodes: 50_000}
}

// ReadFile reads a person's catalog file, up to the size a catalog may have. A missing file gives
// fs.ErrNotExist.
func ReadFile(path string) ([]byte, error) { return limits().Read(path) }

//go:embed catalog.json
var embedded []byte

// Embedded returns the catalog that the program was built with. It reads the generated JSON, not
// the YAML, so that it is fast enough to run before the first frame. It reads it only once: a
// catalog does not change.
func Embedded() (*Catalog, error) { return embeddedOnce() }

var embeddedOnce = sync.OnceValues(readEmbedded)

func readEmbedded() (*Catalog, error) {
	var doc document
	if err := json.Unmarshal(embedded, &doc); err != nil {
		return nil, fmt.Errorf("embedded catalog: %w", err)
	}
	return build(doc), nil
}

// Load reads a whole catalog. It is strict: an unknown key, a duplicate, or a name that leads
// nowhere is an [*Error] with name, line, column and an excerpt; several errors come joined.
func Load(yaml []byte, name string) (*Catalog, error) {
	doc, _, err := parse(yaml, name)
	if err != nil {
		return nil, err
	}
	if err := doc.validate(); err != nil {
		return nil, err
	}
	return build(doc), nil
}

// parse reads a document and records where its items are written. The second result is the same
// file as plain maps, to see which keys are present.
func parse(data []byte, name string) (doc document, raw map[string]any, err error) {
	return parseAs(data, name, yaml.Strict())
}

// parseAs is parse with the decoder options given. Without Strict, unknown keys are skipped; only
// Lint does that.
func parseAs(data []byte, name string, how ...yaml.DecodeOption) (doc document, raw map[string]any, err error) {
	src := &source{name: name}
	if len(data) <= maxFile {
		src.lines = strings.Split(string(data), "\n")
	}
	root, err := limits().Parse(data)
	if err != nil {
		return doc, nil, src.fromYAML(err)
	}
	if err := limits().Decode(data, &doc, how...); err != nil {
		return doc, nil, src.fromYAML(err)
	}
	if err := limits().Decode(data, &raw); err != nil {
		return doc, nil, src.fromYAML(err)
	}
	doc.place(src, root)
	if doc.Version != version {
		if raw["version"] == nil {
			return doc, nil, doc.at.errorf(nil, "version is missing: a catalog file begins with the line \"version: %d\"", version)
		}
		return doc, nil, doc.at.errorf([]any{"version"}, "version is %d; this program reads version %d", doc.Version, version)
	}
	return doc, raw, nil
}

// place records where each item is written.
func (d *document) place(src *source, root ast.Node) {
	at := func(n ast.Node, path ...any) *place {
		for _, step := range path {
			if n = child(unwrapNil(n), step); n == nil {
				return d.at
			}
		}
		return &place{src, n}
	}
	if root == nil {
		root = &ast.NullNode{BaseNode: &ast.BaseNode{}}
	}
	d.at = &place{src, root}
	for i := range d.Modes {
		d.Modes[i].at = at(root, "modes", i)
	}
	d.formatAt = make(map[string]*place, len(d.Formats))
	for i := range d.Formats {
		d.formatAt[d.Formats[i].Name] = at(root, "formats", i)
	}
	for i := range d.Errors {
		d.Errors[i].at = at(root, "errors", i)
	}
	for m, list := range d.Fields {
		for i := range list {
			list[i].at = at(root, "fields", string(m), i)
		}
	}
	for i := range d.Families {
		f := &d.Families[i]
		f.at = at(root, "families", i)
		for j := range f.Models {
			f.Models[j].at = at(root, "families", i, "models", j)
		}
	}
}

func unwrapNil(n ast.Node) ast.Node {
	if n == nil {
		return nil
	}
	return unwrap(n)
}

// firstErrors joins at most ten errors.
func firstErrors(errs []error) error {
	if len(errs) > 10 {
		errs = append(errs[:10:10], fmt.Errorf("and %d more", len(errs)-10))
	}
	return errors.Join(errs...)
}
