package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/text"
)

// YAML writes the suite so that Parse reads the same one. Keys stand in a fixed order; comments are
// not kept.
func (s Suite) YAML() []byte {
	w := &writer{}
	w.put("name", plain(s.Name))
	if s.About != "" {
		w.put("about", block(s.About, "  "))
	}
	w.put("kind", plain(string(s.Kind)))
	w.raw("prompts:")
	for _, p := range s.Prompts {
		w.prompt(p)
	}
	if len(s.Vars) > 0 {
		w.raw("vars:")
		for _, k := range slices.Sorted(maps.Keys(s.Vars)) {
			w.put("  "+k, jsonText(s.Vars[k]))
		}
	}
	if s.Mode != "" {
		w.put("mode", plain(s.Mode))
	}
	w.values("", s.Values)
	w.raw("models:")
	for _, m := range s.Models {
		w.raw("  - " + m.yaml())
	}
	if slices.Equal(s.Formats, []string{FormatsAuto}) || slices.Equal(s.Formats, []string{FormatsAll}) {
		w.put("formats", s.Formats[0])
	} else {
		w.put("formats", flow(s.Formats))
	}
	if len(s.Axes) > 0 {
		w.raw("axes:")
		for _, a := range s.Axes {
			w.put("  "+plain(a.Field), a.yaml())
		}
	}
	if len(s.Exclude) > 0 {
		w.raw("exclude:")
		for _, m := range s.Exclude {
			w.raw("  - " + m.yaml())
		}
	}
	w.put("repeats", strconv.Itoa(s.Repeats))
	w.put("warmups", strconv.Itoa(s.Warmups))
	w.put("seed", s.Seed)
	w.put("concurrency", strconv.Itoa(s.Concurrency))
	w.put("timeout", s.Timeout.String())
	w.put("limit", strconv.Itoa(s.Limit))
	w.judged(s)
	return w.Bytes()
}

type writer struct{ bytes.Buffer }

func (w *writer) raw(line string) { w.WriteString(line + "\n") }

func (w *writer) put(key, value string) { w.raw(key + ": " + value) }

// judged writes what the results are held against.
func (w *writer) judged(s Suite) {
	if len(s.Expect) > 0 {
		w.raw("expect:")
		for _, e := range s.Expect {
			w.raw("  - " + plain(e))
		}
	}
	if len(s.Tolerance) > 0 {
		w.raw("tolerance:")
		for _, t := range s.Tolerance {
			unit := ""
			if t.Percent {
				unit = "%"
			}
			w.put("  "+t.Field, plain(strconv.FormatFloat(t.Amount, 'g', -1, 64)+unit))
		}
	}
	if s.Score != nil {
		w.raw("score:")
		w.put("  name", plain(s.Score.Name))
		w.put("  command", flow(s.Score.Command))
	}
}

func (w *writer) prompt(p Prompt) {
	if p.ID == "" && len(p.Values) == 0 {
		w.raw("  - " + block(p.Text, "    "))
		return
	}
	lead := "  - "
	if p.ID != "" {
		w.put(lead+"id", plain(p.ID))
		lead = "    "
	}
	w.put(lead+"text", block(p.Text, "      "))
	w.values("    ", p.Values)
}

func (w *writer) values(indent string, v client.Values) {
	if len(v) == 0 {
		return
	}
	w.raw(indent + "values:")
	for _, k := range v.Names() {
		s := jsonText(v[k])
		if t, ok := v[k].(string); ok {
			s = plain(t)
		}
		w.put(indent+"  "+plain(k), s)
	}
}

func (m Model) yaml() string {
	name := m.Model
	if m.Skip {
		name = skip + " " + name
	}
	if m.ModelName == "" && m.Mode == "" && len(m.Values) == 0 {
		return plain(name)
	}
	parts := []string{"model: " + jsonText(name)}
	if m.ModelName != "" {
		parts = append(parts, "model_name: "+jsonText(m.ModelName))
	}
	if m.Mode != "" {
		parts = append(parts, "mode: "+jsonText(m.Mode))
	}
	if len(m.Values) > 0 {
		parts = append(parts, "values: "+jsonText(map[string]any(m.Values)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (a Axis) yaml() string {
	parts := make([]string, len(a.Values))
	for i, v := range a.Values {
		switch {
		case v.Skip:
			parts[i] = jsonText(strings.TrimSpace(skip + " " + v.String()))
		case v.Value == nil:
			parts[i] = `""`
		default:
			parts[i] = jsonText(v.Value)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (m Match) yaml() string {
	parts := make([]string, len(m))
	for i, c := range m {
		v := flow(c.Values)
		if len(c.Values) == 1 {
			v = jsonText(c.Values[0])
		}
		parts[i] = jsonText(c.About) + ": " + v
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func flow(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = jsonText(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// plain is a text without quotes where nothing in it can mean anything else.
func plain(s string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	reserved := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
	if s == "" || !strings.Contains(letters, s[:1]) || strings.Trim(s, letters+"0123456789 _-./<>=()%") != "" ||
		strings.HasSuffix(s, " ") || slices.Contains(reserved, strings.ToLower(s)) {
		return jsonText(s)
	}
	return s
}

// block is a text of several lines as a block, where YAML keeps it as it is.
func block(s, indent string) string {
	if !strings.Contains(s, "\n") || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029\ufeff") || strings.Contains(s, "\n\n") || text.Clean(s) != s {
		return plain(s)
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) != line {
			return plain(s)
		}
	}
	return "|-\n" + indent + strings.ReplaceAll(s, "\n", "\n"+indent)
}

// jsonText is a value as JSON on one line, which is YAML too.
func jsonText(v any) string {
	if s, ok := v.(string); ok && !utf8.ValidString(s) {
		v = strings.ToValidUTF8(s, "\ufffd")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return strconv.Quote(fmt.Sprint(v)) // no value of a suite
	}
	return string(text.CleanJSON(bytes.TrimSpace(b.Bytes())))
}
