package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
)

// checkNeeds checks the draft against the minimum input of its mode. Without a mode the gateway
// decides, and any mode's minimum will do. If none is met, the nearest is named: an input that
// every mode needs is refused if missing, such as the first frame of famH-2.3; the rest, and the
// prompt beside other input ("recommended"), only draws a warning. If there is nothing at all to
// make a result from, everything missing is refused.
func (k *checker) checkNeeds() {
	if k.d.Mode != "" {
		mode, ok := k.m.Mode(k.d.Mode)
		switch {
		case ok:
			k.reportNeeds(&mode, always)
		case len(k.m.Modes) == 1:
			k.reportNeeds(&k.m.Modes[0], always)
		default:
			k.checkPromptOnly()
			k.reportEverywhere()
			k.checkWidest()
		}
		return
	}
	mode := k.nearestMode()
	if mode == nil {
		return
	}
	nothing := !k.hasInput()
	k.reportNeeds(mode, func(n *Need) bool {
		return nothing || n.AnyOf[0] != client.FieldPrompt && k.neededEverywhere(n.AnyOf[0])
	})
	k.checkWidest()
}

// nearestMode returns the model's mode that the draft lacks least for, the first of several; nil if
// the model has none.
func (k *checker) nearestMode() *Mode {
	var best *Mode
	least := 0
	for i := range k.m.Modes {
		misses := 0
		for j := range k.m.Modes[i].Needs {
			n := &k.m.Modes[i].Needs[j]
			if n.Severity != Info && !k.met(n) {
				misses++
			}
			if slices.Contains(n.HardOn, k.format) && k.over(n) {
				misses += 2 // the number of references points to another mode
			}
		}
		if best == nil || misses < least {
			best, least = &k.m.Modes[i], misses
		}
	}
	return best
}

// always treats every need as hard: the mode was named, so all its needs must be met.
func always(*Need) bool { return true }

// reportEverywhere refuses a draft without an input that every mode of the model needs, except the
// prompt: a mode that is not documented needs that input too, such as the first frame of famH-2.3.
func (k *checker) reportEverywhere() {
	if len(k.m.Modes) == 0 {
		return
	}
	mode := k.m.Modes[0]
	mode.Name = ""
	mode.Needs = slices.DeleteFunc(slices.Clone(mode.Needs), func(n Need) bool {
		return n.AnyOf[0] == client.FieldPrompt || !k.neededEverywhere(n.AnyOf[0])
	})
	k.reportNeeds(&mode, always)
}

// neededEverywhere reports whether every mode of the model has an unmet need that begins with a
// field.
func (k *checker) neededEverywhere(field string) bool {
	return !slices.ContainsFunc(k.m.Modes, func(m Mode) bool {
		return !slices.ContainsFunc(m.Needs, func(n Need) bool { return n.AnyOf[0] == field && !k.met(&n) })
	})
}

// hasInput reports whether there is anything to make a result from.
func (k *checker) hasInput() bool {
	if k.hasPrompt() {
		return true
	}
	for i := range k.set.list {
		if f := &k.set.list[i]; len(f.MediaKinds) > 0 && isSet(k.d.Values[f.Name]) {
			return true
		}
	}
	return false
}

// hasPrompt reports whether there is a text to go by: the prompt, or a text item in content, which
// the formats that carry it also send as the prompt.
func (k *checker) hasPrompt() bool {
	if strings.TrimSpace(k.d.Prompt) != "" {
		return true
	}
	if _, ok := k.set.names[fieldContent]; !ok || k.info != nil && slices.Contains(k.info.Without, fieldContent) {
		return false
	}
	return slices.ContainsFunc(items(k.d.Values[fieldContent]), func(x any) bool {
		m, _ := x.(map[string]any)
		text, _ := m["text"].(string)
		return m["type"] == "text" && strings.TrimSpace(text) != ""
	})
}

// reportNeeds adds a problem for every unmet need of a mode. A need that is not hard draws a
// warning at most.
func (k *checker) reportNeeds(mode *Mode, hard func(*Need) bool) {
	where := k.m.ID
	if mode.Name != "" {
		where = "mode " + mode.Name + " of " + k.m.ID
	}
	for i := range mode.Needs {
		n := &mode.Needs[i]
		k.checkMax(n, where, cmp.Or(n.Source, mode.Source))
		if k.met(n) {
			continue
		}
		sev := cmp.Or(n.Severity, Block)
		if sev == Block && !hard(n) {
			sev = Warn
		}
		k.add(k.rank(n.AnyOf[0]), Problem{Field: n.AnyOf[0], Severity: sev,
			Message: fmt.Sprintf("%s is missing: %s %s %s%s", n.AnyOf[0], where, verb(sev), n.Text, alternatives(n)),
			Allowed: n.AnyOf, Source: cmp.Or(n.Source, mode.Source)})
	}
}

func verb(s Severity) string {
	if s == Info {
		return "goes with"
	}
	return "needs"
}

// alternatives names the fields that can meet a need if there are several.
func alternatives(n *Need) string {
	if len(n.AnyOf) < 2 {
		return ""
	}
	return " (any of " + strings.Join(n.AnyOf, ", ") + ")"
}

// met reports whether any field of a need is set as the need requires.
func (k *checker) met(n *Need) bool {
	total := 0
	for _, m := range k.mentions(k.d, n.Total, n.Types) {
		total += m.n
	}
	if total > 0 && total >= n.Min {
		return true
	}
	for _, name := range n.AnyOf {
		switch name {
		case client.FieldPrompt:
			if k.hasPrompt() {
				return true
			}
		default:
			if count, list := k.count(name, n); count >= 1 && (!list || count >= n.Min) {
				return true
			}
		}
	}
	return false
}

// count returns how many items of a field count towards a need, and whether the field is a list, to
// which the need's Min applies.
func (k *checker) count(name string, n *Need) (int, bool) {
	v := k.d.Values[name]
	i, ok := k.set.names[name]
	if ok && k.set.list[i].Kind == Content {
		return countContent(v, n.Types, n.Roles) + k.moved(n), true
	}
	if !ok || !isSet(v) || !k.carries(&k.set.list[i]) {
		return 0, false
	}
	switch k.set.list[i].Kind {
	case Medias, List:
		return countSet(v), true
	default:
		return 1, false
	}
}

// items returns the items of a list value; a single value is a list of one.
func items(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	if isSet(v) {
		return []any{v}
	}
	return nil
}

// countSet counts the items of a list that are set.
func countSet(v any) int {
	n := 0
	for _, x := range items(v) {
		if isSet(x) {
			n++
		}
	}
	return n
}

// isSet reports whether a value counts as given: neither null nor empty.
func isSet(v any) bool {
	switch t := v.(type) {
	case nil:
		return false
	case string:
		return t != ""
	case []any:
		return slices.ContainsFunc(t, isSet)
	case map[string]any:
		return len(t) > 0
	}
	return true
}

// countContent counts content items by type and role; without types, every media item.
func countContent(v any, types, roles []string) int {
	n := 0
	for _, x := range items(v) {
		item, _ := x.(map[string]any)
		kind, _ := item["type"].(string)
		role, _ := item["role"].(string)
		switch {
		case len(types) > 0 && !slices.Contains(types, kind):
		case len(types) == 0 && (kind == "" || kind == "text"):
		case len(roles) > 0 && !slices.Contains(roles, role):
		default:
			n++
		}
	}
	return n
}
