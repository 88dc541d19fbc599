package setup

import (
	"darkroom/client/catalog"
	"darkroom/client/dialect"
	"darkroom/cmd/config"
)

// dialectInUse is a dialect as `config` shows it.
type dialectInUse struct {
	Name string `json:"name"`
	From string `json:"from"`
	dialect.File
}

// dialectOf is the dialect of a profile, nil for none.
func dialectOf(p config.Profile, cat *catalog.Catalog) (*dialectInUse, error) {
	if p.Dialect.Name == "" {
		return nil, nil
	}
	_, err := p.Dialect.Client(cat)
	return &dialectInUse{Name: p.Dialect.Name, From: p.Dialect.From, File: p.Dialect.File}, err
}

// String is the dialect in a line.
func (d *dialectInUse) String() string {
	if d == nil {
		return "none: the interface's own words (`dialect:` of a profile names one)"
	}
	return d.Name + " (" + d.From + ")"
}

// dialectCells are what a dialect says, one line a word: what it is about, here, at the gateway.
func dialectCells(f dialect.File) (out [][]string) {
	for _, e := range f.Entries() {
		out = append(out, []string{e.Part, e.Here, e.There})
	}
	return out
}
