package catalog

import (
	"strings"

	"darkroom/client"
)

// Family is a group of models of one vendor (GATEWAY: Model identifiers).
type Family struct {
	Token  string   // "famA"
	Kind   string   // for people: "video", "image", "video and image", "music and sound"
	Title  string   // for people
	Note   string   // for people; may be empty
	Models []string // identifiers, in catalog order
}

// Model is one public model name and what the gateway says about it.
type Model struct {
	ID       string
	Family   string // token
	Modality client.Modality
	// ModelNames are the values of model_name, empty for a model that takes none.
	ModelNames []string
	// ModelNameHard says that model_name is required and that only ModelNames are
	// allowed. Without it both are usual only, unless ModelNameListed says that one that
	// is given has to be among ModelNames.
	ModelNameHard, ModelNameListed bool
	// Modes that the model has, in catalog order. A mode with an empty name stands
	// for requests that carry no mode field at all (image, music).
	Modes []Mode
	// ModeRequired says that a draft without a mode is refused.
	ModeRequired bool
	// ModeWith lists fields that are to be accompanied by a mode (famA).
	ModeWith []string
	// Formats that create with this model, preferred first.
	Formats []string
	// Routes are the formats that may own a task of this model, likely first.
	Routes []string
	// Fixed holds values that the model alone decides, canonical -> value, as
	// resolution for famK. Another value is refused.
	Fixed map[string]string
	// MaxRefs bounds the references of a request by media kind (image, video, audio),
	// counted over all fields and content. Hard.
	MaxRefs map[string]int
	Advice  []Advice
	// Caveats are what the catalog takes on trust: the interface does not show it.
	Caveats []Caveat
	Note    string // for people; may be empty
	Source  string // section of GATEWAY.md
	// Overlay says that a person's own catalog file adds or changes it.
	Overlay bool

	limits    []limit
	perFormat bool // some need or limit holds in some formats only
	without   []string
	wireNames map[string]map[string]string // format -> canonical -> wire
	index     int
}

// Advice is a remark for a model in some modes, shown as information until it is followed.
type Advice struct {
	Modes []string `json:"modes,omitempty" yaml:"modes,omitempty"`
	Text  string   `json:"text" yaml:"text"`
	// Content says that media in content, and nowhere else, follow it.
	Content bool   `json:"content,omitempty" yaml:"content,omitempty"`
	Source  string `json:"source,omitempty" yaml:"source,omitempty"`
}

// What caveats may be about, beside fields.
const (
	CaveatMode   = "mode"
	CaveatFormat = "format"
)

// Caveat says of a part of what the catalog tells of a model that the interface does not
// show it.
type Caveat struct {
	About  string `json:"about" yaml:"about"` // "mode", "format", or a canonical field name
	Text   string `json:"text" yaml:"text"`
	Source string `json:"source,omitempty" yaml:"source,omitempty"`
}

// Mode is one way to use a model: the value of the mode field and its minimum input
// (GATEWAY: Mode and model rules).
type Mode struct {
	Name   string // the value on the wire; empty where the request has no mode field
	Label  string
	Help   string
	Source string
	Needs  []Need
}

// Need is one part of a minimum input.
type Need struct {
	// AnyOf are the fields of which one must be set: canonical names, or "prompt".
	AnyOf []string `json:"any_of" yaml:"any_of"`
	// Types and Roles restrict which content items count when AnyOf names content;
	// empty means every media item.
	Types []string `json:"types,omitempty" yaml:"types,omitempty"`
	Roles []string `json:"roles,omitempty" yaml:"roles,omitempty"`
	// Min and Max are item counts of a list among AnyOf; 0 means none. A list shorter
	// than Min does not meet the need; one longer than Max draws a warning.
	Min int `json:"min,omitempty" yaml:"min,omitempty"`
	Max int `json:"max,omitempty" yaml:"max,omitempty"`
	// Total are fields that together meet the need with Min references; a reference that two of
	// them name counts once.
	Total []string `json:"total,omitempty" yaml:"total,omitempty"`
	// Formats in which the need holds; empty means all.
	Formats []string `json:"formats,omitempty" yaml:"formats,omitempty"`
	// HardOn are the formats in which Max refuses instead of warning.
	HardOn []string `json:"hard_on,omitempty" yaml:"hard_on,omitempty"`
	// Severity of a miss; empty means Block.
	Severity Severity `json:"severity,omitempty" yaml:"severity,omitempty"`
	// Text names the need for people: "a prompt", "a first image".
	Text   string `json:"text" yaml:"text"`
	Source string `json:"source,omitempty" yaml:"source,omitempty"`
}

// Kind is the shape of a field's value, and so the widget that edits it.
type Kind string

// The kinds of values. Numbers are json.Number or their text; text forms of numbers and booleans
// ("5", "true") are accepted everywhere.
const (
	Text    Kind = "text"    // one line
	Lines   Kind = "lines"   // many lines
	Integer Kind = "integer" // whole number, maybe above 2^53
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Scalar  Kind = "scalar"  // text, or a number, or true or false: the type is not documented
	Choice  Kind = "choice"  // text, from Allowed, Usual or Suggested
	Size    Kind = "size"    // <width>x<height>
	Ratio   Kind = "ratio"   // <w>:<h>
	Media   Kind = "media"   // one reference: http(s) URL, data URI, file:// URL
	Medias  Kind = "medias"  // list of references
	List    Kind = "list"    // list of objects or scalars
	Object  Kind = "object"  // JSON object
	Content Kind = "content" // list of content items (GATEWAY: Content item)
)

// Field is one value of a draft, with the limits of the model that was asked for
// already merged in when it comes from [Catalog.Fields].
type Field struct {
	Name    string   `json:"name" yaml:"name"`                           // canonical
	Label   string   `json:"label,omitempty" yaml:"label,omitempty"`     // for people, short
	Unit    string   `json:"unit,omitempty" yaml:"unit,omitempty"`       // "s", "Hz"; may be empty
	Help    string   `json:"help,omitempty" yaml:"help,omitempty"`       // one line: what the gateway says, "not documented" included
	Source  string   `json:"source,omitempty" yaml:"source,omitempty"`   // section of GATEWAY.md
	Aliases []string `json:"aliases,omitempty" yaml:"aliases,omitempty"` // other names on the wire
	Kind    Kind     `json:"kind" yaml:"kind"`
	// Loose says that the gateway does not show the type: another one draws a warning.
	Loose bool `json:"loose,omitempty" yaml:"loose,omitempty"`
	// Allowed values. Others are refused if Hard is set, mapped if Mapped is set (information), and
	// unusual otherwise (warning).
	Allowed []string `json:"allowed,omitempty" yaml:"allowed,omitempty"`
	// Usual values are those that the interface names as common, as a default or as an example;
	// Suggested ones are ours. Nothing is said about others.
	Usual     []string `json:"usual,omitempty" yaml:"usual,omitempty"`
	Suggested []string `json:"suggested,omitempty" yaml:"suggested,omitempty"`
	// ValueAliases are other spellings of Allowed values, alias -> value.
	ValueAliases map[string]string `json:"value_aliases,omitempty" yaml:"value_aliases,omitempty"`
	// ValueHelp explains Allowed or Suggested values, one line each.
	ValueHelp map[string]string `json:"value_help,omitempty" yaml:"value_help,omitempty"`
	Min       *float64          `json:"min,omitempty" yaml:"min,omitempty"`
	Max       *float64          `json:"max,omitempty" yaml:"max,omitempty"`
	Hard      bool              `json:"hard,omitempty" yaml:"hard,omitempty"`           // Allowed, Min and Max refuse; else they warn
	Mapped    bool              `json:"mapped,omitempty" yaml:"mapped,omitempty"`       // the gateway maps other values to one of Allowed
	Overrides bool              `json:"overrides,omitempty" yaml:"overrides,omitempty"` // it wins over the key of an object that means the same
	Positive  bool              `json:"positive,omitempty" yaml:"positive,omitempty"`   // a number of zero or less is refused
	Default   string            `json:"default,omitempty" yaml:"default,omitempty"`
	Basic     bool              `json:"basic,omitempty" yaml:"basic,omitempty"` // shown at once; others behind "more fields"
	// MediaKinds are what a reference may be: image, video, audio.
	MediaKinds []string `json:"media,omitempty" yaml:"media,omitempty"`
	MinItems   int      `json:"min_items,omitempty" yaml:"min_items,omitempty"` // of a list; 0 means none; warnings unless Hard
	MaxItems   int      `json:"max_items,omitempty" yaml:"max_items,omitempty"`
	// Modes that take the field; empty means all.
	Modes []string `json:"modes,omitempty" yaml:"modes,omitempty"`
	// Models and Families that take the field; both empty means all.
	Models   []string `json:"models,omitempty" yaml:"models,omitempty"`
	Families []string `json:"families,omitempty" yaml:"families,omitempty"`
	// Keys of an object, or of the objects in a list; other keys draw information. The value names
	// the canonical field with the same meaning, or is empty.
	Keys map[string]string `json:"keys,omitempty" yaml:"keys,omitempty"`
	// KeyKinds are the kinds of keys that no canonical field stands for.
	KeyKinds map[string]Kind `json:"key_kinds,omitempty" yaml:"key_kinds,omitempty"`
	// KeyValues are the values shown for keys; others draw a warning.
	KeyValues map[string][]string `json:"key_values,omitempty" yaml:"key_values,omitempty"`
	// Formats that carry the field; empty if the catalog does not say.
	Formats []string `json:"formats,omitempty" yaml:"formats,omitempty"`
	// Needs must be met once the field is set; warnings unless they say otherwise.
	Needs []Need `json:"needs,omitempty" yaml:"needs,omitempty"`
	// OnlyWith names the values of another field with which this one matters.
	OnlyWith *OnlyWith `json:"only_with,omitempty" yaml:"only_with,omitempty"`
}

// Part is one key of a structured value, for editing it piece by piece.
type Part struct {
	Name string
	Kind Kind
	// Canonical is the field with the same meaning, "" for none.
	Canonical string
	// Values shown for the key; empty for any.
	Values []string
}

// FormatInfo is what the gateway says about a wire format (GATEWAY: Endpoints).
type FormatInfo struct {
	Name string `json:"name" yaml:"name"`
	// Modalities that it creates; empty for a format that is only queried.
	Modalities []client.Modality `json:"modalities,omitempty" yaml:"modalities,omitempty"`
	// Create and Query are methods and paths, "" if not documented or not available.
	Create string `json:"create,omitempty" yaml:"create,omitempty"`
	Query  string `json:"query,omitempty" yaml:"query,omitempty"`
	// Configured says that creating needs a path from the profile.
	Configured bool `json:"configured,omitempty" yaml:"configured,omitempty"`
	// Reserved says that the gateway does not serve it.
	Reserved bool   `json:"reserved,omitempty" yaml:"reserved,omitempty"`
	Note     string `json:"note,omitempty" yaml:"note,omitempty"`
	Source   string `json:"source,omitempty" yaml:"source,omitempty"`
	// Needs hold for every request of the format.
	Needs []Need `json:"needs,omitempty" yaml:"needs,omitempty"`
	// Without are fields that meet no need here, since the format does not carry them.
	Without []string `json:"without,omitempty" yaml:"without,omitempty"`
	// Modes are the values of mode that the format lists; empty means those of the model.
	Modes []string `json:"modes,omitempty" yaml:"modes,omitempty"`
	// Whole are numbers that travel as integers here, though other formats take a
	// fraction.
	Whole []string `json:"whole,omitempty" yaml:"whole,omitempty"`
	// Typed says that the interface shows the types of its fields: a value that a loose field
	// accepts elsewhere is refused here, unless it can be written as text.
	Typed bool `json:"typed,omitempty" yaml:"typed,omitempty"`
	// Digits are numbers that travel as text here, shown as a string of digits: a fraction is
	// unusual.
	Digits []string `json:"digits,omitempty" yaml:"digits,omitempty"`
	// Names are the places where the format writes fields that it does not write under their own
	// names, canonical -> place.
	Names map[string]string `json:"names,omitempty" yaml:"names,omitempty"`
	// TextRefs are fields whose references are text here: an object other than {url} is
	// refused.
	TextRefs []string `json:"text_refs,omitempty" yaml:"text_refs,omitempty"`
	// RefKeys are the keys of references that are objects here, by field.
	RefKeys map[string][]string `json:"ref_keys,omitempty" yaml:"ref_keys,omitempty"`
	// ItemTypes are the content items that the format carries; empty means all.
	ItemTypes []string `json:"item_types,omitempty" yaml:"item_types,omitempty"`
	// Roles of references that the format shows beside those of content items.
	Roles []string `json:"roles,omitempty" yaml:"roles,omitempty"`
	// Bare are modes that take no references here, since references would select another mode.
	Bare []string `json:"bare,omitempty" yaml:"bare,omitempty"`
	// Takes are the modes that take a field here in addition to the field's own.
	Takes map[string][]string `json:"takes,omitempty" yaml:"takes,omitempty"`
	// IntoContent are the fields whose references the format puts into content by itself;
	// with one of the values of IntoContentWith, all of them.
	IntoContent     []string          `json:"into_content,omitempty" yaml:"into_content,omitempty"`
	IntoContentWith map[string]string `json:"into_content_with,omitempty" yaml:"into_content_with,omitempty"`
}

// OnlyWith ties a field to the values of another, as voice parameters to the speech
// engine. Setting it elsewhere is information.
type OnlyWith struct {
	Field  string   `json:"field" yaml:"field"`
	Values []string `json:"values" yaml:"values"`
}

// Severity of a problem.
type Severity string

// Block: the gateway says it refuses, or the value has no meaning. Warn: unusual, or
// not documented for this model. Info: worth knowing.
const (
	Block Severity = "block"
	Warn  Severity = "warn"
	Info  Severity = "info"
)

// Problem is one finding of [Catalog.Check].
type Problem struct {
	Field    string   `json:"field"`           // canonical name, "model", "model_name", "mode", "prompt"
	Value    string   `json:"value,omitempty"` // as set, shortened; data URIs abbreviated
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // names the field, as a rule first, the value and what is allowed
	Allowed  []string `json:"allowed,omitempty"`
	Source   string   `json:"source,omitempty"` // section of GATEWAY.md
}

// Called is the message with another name for the field, where it begins with the field's own: a
// form calls a field by the label of its row, a command by the name of its flag.
func (p *Problem) Called(name string) string {
	rest, ok := strings.CutPrefix(p.Message, p.Field)
	if !ok || name == "" || p.Field == "" || rest != "" && strings.ContainsAny(rest[:1], nameChars) {
		return p.Message
	}
	return name + rest
}

// nameChars are what the name of a field is made of: one that goes on is another field's.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Blocked reports whether any problem is of severity Block.
func Blocked(ps []Problem) bool {
	for _, p := range ps {
		if p.Severity == Block {
			return true
		}
	}
	return false
}
