package models

import (
	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
)

// row is one model as `models` prints it. Scripts rely on its names; the catalog's own types may
// change without them.
type row struct {
	ID         string          `json:"id"`
	Family     string          `json:"family"`   // "" for one that is not in the catalog
	Modality   client.Modality `json:"modality"` // "" for one that is not in the catalog
	ModelNames []string        `json:"model_names,omitempty"`
	Modes      []string        `json:"modes,omitempty"`
	Formats    []string        `json:"formats,omitempty"`
	Note       string          `json:"note,omitempty"`
	// Starred by the person; Recent counts from 1 for the model that Compose submitted to
	// last, 0 for none of the recent ones.
	Starred bool `json:"starred,omitempty"`
	Recent  int  `json:"recent,omitempty"`
	// Origin is catalog, live, both or overlay; without --live the gateway is not asked, and it is
	// catalog or overlay.
	Origin catalog.Origin `json:"origin"`
	// Origins and Live are only asked for by --live: where the model was found, and what
	// the gateway's lists tell of it.
	Origins []string            `json:"origins,omitempty"`
	Live    *client.RemoteModel `json:"live,omitempty"`
}

func rowOf(m catalog.Model) row {
	return row{ID: m.ID, Family: m.Family, Modality: m.Modality, ModelNames: m.ModelNames,
		Modes: m.ModeNames(), Formats: m.Formats, Note: m.Note, Origin: knownFrom(m.ID, []catalog.Model{m}, nil)}
}

// detail is one model as `models MODEL` prints it.
type detail struct {
	row
	ModelNameRequired bool              `json:"model_name_required"`
	ModelNameListed   bool              `json:"model_name_listed,omitempty"` // not required, and others are refused
	ModeRequired      bool              `json:"mode_required"`
	QueryFormats      []string          `json:"query_formats,omitempty"`
	Fixed             map[string]string `json:"fixed,omitempty"`
	MaxReferences     map[string]int    `json:"max_references,omitempty"`
	Advice            []catalog.Advice  `json:"advice,omitempty"`
	Caveats           []catalog.Caveat  `json:"caveats,omitempty"`
	Kinds             []string          `json:"kinds"`
	Creates           []pathView        `json:"creates"`
	Queries           []pathView        `json:"queries"` // in the order in which they are asked
	Limits            []limitView       `json:"limits"`
	ModeDetail        []modeView        `json:"mode_detail"`
	Fields            []fieldView       `json:"fields"`
	Source            string            `json:"source,omitempty"`
}

// pathView is one way to create with a model, or to query its tasks.
type pathView struct {
	Format string `json:"format"`
	// Path is a method and a path, "" for one that the interface does not show.
	Path       string `json:"path"`
	Configured bool   `json:"configured,omitempty"` // the profile has to name the path
	Reserved   bool   `json:"reserved,omitempty"`   // the gateway does not serve it
	Note       string `json:"note,omitempty"`
}

// limitView is one bound of a model.
type limitView struct {
	Field    string   `json:"field"`
	Text     string   `json:"text"`
	Strength string   `json:"strength"` // hard, usual, mapped
	Modes    []string `json:"modes,omitempty"`
	Formats  []string `json:"formats,omitempty"`
	Source   string   `json:"source,omitempty"`
}

type modeView struct {
	Name   string         `json:"name"`
	Label  string         `json:"label,omitempty"`
	Help   string         `json:"help,omitempty"`
	Needs  []catalog.Need `json:"needs,omitempty"`
	Source string         `json:"source,omitempty"`
}

type fieldView struct {
	Name         string            `json:"name"`
	Flag         string            `json:"flag"`
	Aliases      []string          `json:"aliases,omitempty"`
	Label        string            `json:"label,omitempty"`
	Kind         catalog.Kind      `json:"kind"`
	Unit         string            `json:"unit,omitempty"`
	Help         string            `json:"help,omitempty"`
	Default      string            `json:"default,omitempty"`
	Allowed      []string          `json:"allowed,omitempty"`
	Usual        []string          `json:"usual,omitempty"`     // the interface names them as common or as examples
	Suggested    []string          `json:"suggested,omitempty"` // by us
	ValueAliases map[string]string `json:"value_aliases,omitempty"`
	ValueHelp    map[string]string `json:"value_help,omitempty"`
	Min          *float64          `json:"min,omitempty"`
	Max          *float64          `json:"max,omitempty"`
	// Hard: other values are refused. Mapped: the gateway maps them to an allowed one.
	Hard       bool              `json:"hard"`
	Mapped     bool              `json:"mapped,omitempty"`
	Positive   bool              `json:"positive,omitempty"`
	Basic      bool              `json:"basic"`
	MediaKinds []string          `json:"media_kinds,omitempty"`
	MinItems   int               `json:"min_items,omitempty"`
	MaxItems   int               `json:"max_items,omitempty"`
	Modes      []string          `json:"modes,omitempty"` // that take it; none means all
	Keys       map[string]string `json:"keys,omitempty"`
	Needs      []catalog.Need    `json:"needs,omitempty"`
	OnlyWith   *catalog.OnlyWith `json:"only_with,omitempty"`
	Source     string            `json:"source,omitempty"`

	documented, usual string // values for people
}

func detailOf(cat *catalog.Catalog, m catalog.Model) detail {
	fields := cat.Fields(client.Draft{Modality: m.Modality, Model: m.ID})
	d := detail{
		row: rowOf(m), ModelNameRequired: m.ModelNameHard, ModelNameListed: m.ModelNameListed, Caveats: m.Caveats, ModeRequired: m.ModeRequired, QueryFormats: m.Routes,
		Fixed: m.Fixed, MaxReferences: m.MaxRefs, Advice: m.Advice, Source: m.Source,
		ModeDetail: []modeView{}, Fields: []fieldView{}, Creates: []pathView{}, Queries: []pathView{}, Limits: limitsOf(m, fields),
	}
	for _, name := range m.Formats {
		f, _ := cat.Format(name)
		d.Creates = append(d.Creates, pathView{Format: name, Path: f.Create, Configured: f.Configured, Reserved: f.Reserved, Note: f.Note})
	}
	for _, name := range m.Routes {
		f, _ := cat.Format(name)
		d.Queries = append(d.Queries, pathView{Format: name, Path: f.Query})
	}
	for _, x := range m.Modes {
		d.ModeDetail = append(d.ModeDetail, modeView{Name: x.Name, Label: x.Label, Help: x.Help, Needs: x.Needs, Source: x.Source})
	}
	for _, f := range fields {
		documented, usual := f.Shown()
		d.Fields = append(d.Fields, fieldView{
			Name: f.Name, Flag: "--" + kit.FlagName(f.Name), Aliases: f.Aliases, Label: f.Label, Kind: f.Kind, Unit: f.Unit, Help: f.Help,
			Default: f.Default, Allowed: f.Allowed, Usual: f.Usual, Suggested: f.Suggested, ValueAliases: f.ValueAliases, ValueHelp: f.ValueHelp,
			Min: f.Min, Max: f.Max, Hard: f.Hard, Mapped: f.Mapped, Positive: f.Positive, Basic: f.Basic,
			MediaKinds: f.MediaKinds, MinItems: f.MinItems, MaxItems: f.MaxItems, Modes: f.Modes, Keys: f.Keys,
			Needs: f.Needs, OnlyWith: f.OnlyWith, Source: f.Source, documented: documented, usual: usual,
		})
	}
	return d
}
