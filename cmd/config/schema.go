package config

import (
	"slices"
	"strings"
)

// schemaDialect names the dialect of JSON Schema that is used.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Action is an action of the console, whose keys the settings can change.
type Action struct{ ID, Title string }

// Schema is a JSON schema (draft 2020-12) of config.yaml, made of [Settings], for editors: names,
// values, defaults and help. With actions, no other is allowed.
func Schema(actions []Action) map[string]any {
	root := object("The settings of darkroom.")
	root["$schema"] = schemaDialect
	root["title"] = "darkroom config.yaml"
	for _, s := range Settings() {
		place(root, strings.Split(s.Key, "."), &s)
	}
	within(root, "keys")["description"] = "Other keys for actions of the console."
	within(root, "profiles")["description"] = "Gateways by name."
	within(root, "profiles")["propertyNames"] = map[string]any{
		"pattern": "^[A-Za-z0-9_-]{1,40}$", "not": map[string]any{"enum": []string{Sandbox, envProfileName}},
	}
	paths := within(within(root, "profiles")["additionalProperties"].(map[string]any), "create_paths")
	paths["description"] = "Paths for new jobs in formats that have none in the gateway's documentation."
	paths["propertyNames"] = map[string]any{"enum": Configurable()}
	if len(actions) > 0 {
		keys := within(root, "keys")
		words, props := keys["additionalProperties"].(map[string]any), map[string]any{}
		for _, a := range actions {
			one := map[string]any{"description": a.Title}
			for k, v := range words {
				if k != "description" {
					one[k] = v
				}
			}
			props[a.ID] = one
		}
		keys["properties"], keys["additionalProperties"] = props, false
	}
	return root
}

// object is the schema of a mapping that has no keys yet.
func object(help string) map[string]any {
	return map[string]any{"type": []string{"object", "null"}, "description": help, "additionalProperties": false}
}

// within is the schema of a key.
func within(in map[string]any, key string) map[string]any {
	return in["properties"].(map[string]any)[key].(map[string]any)
}

// place puts a setting where it belongs, and makes what leads there.
func place(in map[string]any, parts []string, s *Setting) {
	key := parts[0]
	next, _ := in["additionalProperties"].(map[string]any) // of *
	if key != "*" {
		props, ok := in["properties"].(map[string]any)
		if !ok {
			props = map[string]any{}
			in["properties"] = props
		}
		if next, ok = props[key].(map[string]any); !ok {
			next = object("")
			props[key] = next
		}
		if len(parts) == 1 {
			props[key] = s.schema()
		}
		if len(parts) == 1 && s.Required {
			required, _ := in["required"].([]string)
			in["required"] = append(required, key)
		}
	} else {
		if next == nil {
			next = object("")
			in["additionalProperties"] = next
		}
		if len(parts) == 1 {
			in["additionalProperties"] = s.schema()
		}
	}
	if len(parts) > 1 {
		place(next, parts[1:], s)
	}
}

// schema is the schema of a setting's value.
func (s *Setting) schema() map[string]any {
	out := map[string]any{"description": s.Help}
	switch {
	case len(s.Allowed) > 0:
		out["enum"] = append(slices.Clone(s.Allowed), "")
	case s.Kind == Text:
		out["type"] = []string{"string", "number", "boolean", "null"} // what YAML makes of a text without quotes
	case s.Kind == Bool:
		out["type"] = []string{"boolean", "null"}
	case s.Kind == Words:
		out["type"], out["items"] = []string{"array", "null"}, map[string]any{"type": []string{"string", "number", "boolean"}}
	case s.Kind == Wording:
		out["type"] = []string{"string", "object", "null"}
	case s.Kind == Number && s.Zero:
		out["anyOf"] = []any{map[string]any{"const": 0}, map[string]any{"type": "number", "minimum": s.Min, "maximum": s.Max}, map[string]any{"type": "null"}}
	case s.Kind == Number:
		out["type"], out["minimum"], out["maximum"] = []string{"number", "null"}, s.Min, s.Max
		if s.Whole {
			out["type"] = []string{"integer", "null"}
		}
	}
	if s.Required {
		out["type"] = "string"
	}
	if s.Default != "" {
		out["default"] = s.value(s.Default)
	}
	return out
}
