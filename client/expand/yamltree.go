package expand

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/client/yamlfile"
)

// MaxPreset bounds the file of a preset, in bytes.
const MaxPreset = 256 << 10

const (
	maxPresetLine  = 16 << 10
	maxPresetLines = 2000
)

// presetLimits bound the file of a preset. It has no aliases; see [source.value].
func presetLimits() yamlfile.Limits {
	return yamlfile.Limits{Bytes: MaxPreset, Line: maxPresetLine, Lines: maxPresetLines, Nodes: 50_000}
}

// tree parses a document whose top level is a mapping.
func tree(src *source) ([]yamlfile.Entry, error) {
	if len(src.text) <= MaxPreset { // else the size is what is wrong
		if !utf8.ValidString(src.text) {
			return nil, src.errorf(firstInvalid(src.text), "the text is not UTF-8")
		}
		if err := src.noControls(); err != nil {
			return nil, err
		}
	}
	root, err := presetLimits().Parse([]byte(src.text))
	if err != nil {
		return nil, src.fromYAML(err)
	}
	if root == nil {
		return nil, &Error{Name: src.name, Message: "the file is empty"}
	}
	if _, ok := root.(ast.MapNode); !ok {
		line, column := yamlfile.Place(root)
		return nil, src.at(yamlfile.Entry{Line: line, Column: column}, "keys and values are needed, as model: famI-omni")
	}
	return src.entries(root)
}

// at makes an error at a key.
func (s *source) at(e yamlfile.Entry, format string, args ...any) error {
	return &Error{Name: s.name, Line: e.Line, Column: e.Column, Message: client.CleanLine(fmt.Sprintf(format, args...))}
}

func (s *source) fromYAML(err error) error {
	e := yamlfile.Explain(err)
	return &Error{Name: s.name, Line: e.Line, Column: e.Column, Message: client.CleanLine(e.Message)}
}

// entries returns the keys of a mapping, each allowed once.
func (s *source) entries(n ast.Node) ([]yamlfile.Entry, error) {
	all, err := yamlfile.Entries(n)
	if err != nil {
		return nil, s.fromYAML(err)
	}
	return all, nil
}

// value converts a node to a draft value. Numbers keep their digits.
func (s *source) value(n ast.Node) (any, error) {
	v, err := yamlfile.Value(n)
	if err != nil {
		return nil, s.fromYAML(err)
	}
	return v, nil
}

// jsonText returns a value as JSON on one line, without escaping characters.
func jsonText(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(text.CleanJSON(bytes.TrimSpace(b.Bytes()))), nil
}
