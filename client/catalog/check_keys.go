package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// namedKey judges the value of a key that no canonical field stands for, by the kind and
// the values that the catalog gives it; no severity means it is fine.
func (f *Field) namedKey(key string, v any) (Severity, string) {
	s, plain := scalar(v)
	text, isText := v.(string)
	switch f.KeyKinds[key] {
	case Integer:
		if !isInteger(s) {
			return Block, fmt.Sprintf("%s is %s; it must be a whole number", key, showAny(v))
		}
	case Number:
		if _, isBool := v.(bool); isBool || !isNumber(s) {
			return Block, fmt.Sprintf("%s is %s; it must be a number", key, showAny(v))
		}
	case Boolean:
		if s != "true" && s != "false" {
			return Block, fmt.Sprintf("%s is %s; it must be true or false", key, showAny(v))
		}
	case Text:
		if !isText {
			return Block, fmt.Sprintf("%s is %s; it must be text", key, showAny(v))
		}
	case Media:
		if !isText {
			return Block, fmt.Sprintf("%s is %s; it must be %s", key, showAny(v), references)
		}
		if sev, what := reference(text, f.MediaKinds); sev != "" && text != "" {
			return sev, fmt.Sprintf("%s is %s; %s", key, show(text), what)
		}
	}
	if values := f.KeyValues[key]; len(values) > 0 && (!plain || !slices.Contains(values, s)) {
		return Warn, fmt.Sprintf("%s is %s; shown are %s", key, showAny(v), strings.Join(values, ", "))
	}
	return "", ""
}
