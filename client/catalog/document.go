package catalog

import "darkroom/client"

// document is catalog.yaml as written. A family's traits pass to the models that do not set their
// own.
type document struct {
	Version  int                            `json:"version" yaml:"version"`
	Modes    []modeDef                      `json:"modes,omitempty" yaml:"modes,omitempty"`
	Fields   map[client.Modality][]fieldDef `json:"fields,omitempty" yaml:"fields,omitempty"`
	Families []familyDef                    `json:"families,omitempty" yaml:"families,omitempty"`
	Formats  []FormatInfo                   `json:"formats,omitempty" yaml:"formats,omitempty"`
	// Open are modalities whose models are not documented: any name will do.
	Open []client.Modality `json:"open,omitempty" yaml:"open,omitempty"`
	// Errors explain what errors mean.
	Errors []ErrorRule `json:"errors,omitempty" yaml:"errors,omitempty"`

	at *place
	// formatAt is where each format was written, by name.
	formatAt map[string]*place
}

// modeDef is a mode under an id. Several ids may share a name (the value on the wire) if models
// need different input for it.
type modeDef struct {
	ID     string `json:"id" yaml:"id"`
	Name   string `json:"name,omitempty" yaml:"name,omitempty"`
	Label  string `json:"label,omitempty" yaml:"label,omitempty"`
	Help   string `json:"help,omitempty" yaml:"help,omitempty"`
	Source string `json:"source,omitempty" yaml:"source,omitempty"`
	Needs  []Need `json:"needs,omitempty" yaml:"needs,omitempty"`

	at *place
}

// familyDef is a family with its models.
type familyDef struct {
	Token  string     `json:"token" yaml:"token"`
	Kind   string     `json:"kind,omitempty" yaml:"kind,omitempty"`
	Title  string     `json:"title,omitempty" yaml:"title,omitempty"`
	Note   string     `json:"note,omitempty" yaml:"note,omitempty"`
	Traits traits     `json:"traits,omitzero" yaml:"traits,omitempty"`
	Models []modelDef `json:"models,omitempty" yaml:"models,omitempty"`

	at *place
}

// modelDef is one identifier.
type modelDef struct {
	ID     string `json:"id" yaml:"id"`
	Note   string `json:"note,omitempty" yaml:"note,omitempty"`
	Traits traits `json:"traits,omitzero" yaml:"traits,omitempty"`

	at *place
}

// traits are what a family may say for all its models. A model's own trait replaces the family's,
// except for limits: both apply, and the model's win.
type traits struct {
	Modality   client.Modality              `json:"modality,omitempty" yaml:"modality,omitempty"`
	Modes      []string                     `json:"modes,omitempty" yaml:"modes,omitempty"` // mode ids
	ModeRule   string                       `json:"mode_rule,omitempty" yaml:"mode_rule,omitempty"`
	ModeWith   []string                     `json:"mode_with,omitempty" yaml:"mode_with,omitempty"`
	ModelNames []string                     `json:"model_names,omitempty" yaml:"model_names,omitempty"`
	NameRule   string                       `json:"name_rule,omitempty" yaml:"name_rule,omitempty"`
	Formats    []string                     `json:"formats,omitempty" yaml:"formats,omitempty"`
	Routes     []string                     `json:"routes,omitempty" yaml:"routes,omitempty"`
	Fixed      map[string]string            `json:"fixed,omitempty" yaml:"fixed,omitempty"`
	MaxRefs    map[string]int               `json:"max_refs,omitempty" yaml:"max_refs,omitempty"`
	Limits     []limit                      `json:"limits,omitempty" yaml:"limits,omitempty"`
	Without    []string                     `json:"without,omitempty" yaml:"without,omitempty"`
	WireNames  map[string]map[string]string `json:"wire_names,omitempty" yaml:"wire_names,omitempty"`
	Variants   []variant                    `json:"variants,omitempty" yaml:"variants,omitempty"`
	Advice     []Advice                     `json:"advice,omitempty" yaml:"advice,omitempty"`
	Caveats    []Caveat                     `json:"caveats,omitempty" yaml:"caveats,omitempty"`
	Source     string                       `json:"source,omitempty" yaml:"source,omitempty"`
}

// variant is a second modality of the same model: famN_music also makes speech.
type variant struct {
	Modality client.Modality `json:"modality" yaml:"modality"`
	Modes    []string        `json:"modes" yaml:"modes"` // mode ids
	Note     string          `json:"note,omitempty" yaml:"note,omitempty"`
}

// The rules that mode_rule and name_rule may name. required refuses a request without the value;
// usual only warns; listed, for names alone, warns if there is none and refuses one that is not
// listed.
const (
	ruleRequired = "required"
	ruleUsual    = "usual"
	ruleListed   = "listed"
)

// limit changes a field for a model, in some modes or in all.
type limit struct {
	Field     string            `json:"field" yaml:"field"`
	Modes     []string          `json:"modes,omitempty" yaml:"modes,omitempty"`
	Formats   []string          `json:"formats,omitempty" yaml:"formats,omitempty"`
	Allowed   []string          `json:"allowed,omitempty" yaml:"allowed,omitempty"`
	Usual     []string          `json:"usual,omitempty" yaml:"usual,omitempty"`
	Suggested []string          `json:"suggested,omitempty" yaml:"suggested,omitempty"`
	Min       *float64          `json:"min,omitempty" yaml:"min,omitempty"`
	Max       *float64          `json:"max,omitempty" yaml:"max,omitempty"`
	Hard      bool              `json:"hard,omitempty" yaml:"hard,omitempty"`
	Mapped    bool              `json:"mapped,omitempty" yaml:"mapped,omitempty"`
	Default   string            `json:"default,omitempty" yaml:"default,omitempty"`
	MinItems  int               `json:"min_items,omitempty" yaml:"min_items,omitempty"`
	MaxItems  int               `json:"max_items,omitempty" yaml:"max_items,omitempty"`
	Basic     *bool             `json:"basic,omitempty" yaml:"basic,omitempty"`
	Help      string            `json:"help,omitempty" yaml:"help,omitempty"`
	Source    string            `json:"source,omitempty" yaml:"source,omitempty"`
	ValueHelp map[string]string `json:"value_help,omitempty" yaml:"value_help,omitempty"`
}

// fieldDef is a [Field] as written in the file.
type fieldDef struct {
	Field `yaml:",inline"`

	at *place
}
