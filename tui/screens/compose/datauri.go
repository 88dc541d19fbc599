package compose

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"darkroom/client/catalog"
	"darkroom/tui/widgets/format"
)

// longData is the length in bytes from which a data URI stands abbreviated in the form.
const longData = 256

// maxHead bounds how much of a data URI stands before its comma; more is no media type.
const maxHead = 128

// dataURIs keeps the long data URIs that were pasted or came with a draft. The form holds
// a few words in the place of each, so that no megabyte is edited, wrapped or shown;
// drafts hold them whole.
type dataURIs struct{ whole map[string]string } // by what stands for them

func newDataURIs() dataURIs { return dataURIs{whole: make(map[string]string)} }

// fold puts short words in the place of the long data URIs of a text. Something that was
// added to one already folded becomes a part of it.
func (d dataURIs) fold(text string) string {
	if !strings.Contains(text, "data:") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, "data:")
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		n := uriEnd(text)
		uri := text[:n]
		if len(uri) > longData {
			uri = d.keep(uri)
		}
		b.WriteString(uri)
		text = text[n:]
	}
	b.WriteString(text)
	return b.String()
}

// uriEnd is the length of the data URI at the beginning of a text: up to the first byte
// that none holds.
func uriEnd(s string) int {
	head := s[:min(len(s), maxHead)]
	comma := strings.IndexByte(head, ',')
	if comma < 0 || strings.ContainsAny(head[:comma], " \t\r\n\"'<>\\") {
		return len("data:")
	}
	for i := comma + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ', c >= 0x7f, c == '"', c == '\'', c == '<', c == '>', c == '\\':
			return i
		}
	}
	return len(s)
}

// keep remembers a data URI and returns what stands for it: its type, how long it is, and
// a few digits by which two of the same length are told apart.
func (d dataURIs) keep(uri string) string {
	head, _, _ := strings.Cut(uri[:min(len(uri), maxHead+1)], ",")
	sum := sha256.Sum256([]byte(uri))
	short := fmt.Sprintf("%s,…(%s, #%s)", head, format.Bytes(int64(len(uri))), hex.EncodeToString(sum[:3]))
	d.whole[short] = uri
	return short
}

// unfold puts the data URIs back into a text.
func (d dataURIs) unfold(text string) string {
	if len(d.whole) == 0 || !strings.Contains(text, foldSign) {
		return text
	}
	for short, uri := range d.whole {
		text = strings.ReplaceAll(text, short, uri)
	}
	return text
}

// foldSign stands in every folded data URI and in no other.
const foldSign = ",…("

// expand is a value with the data URIs that its texts stand for.
func (d dataURIs) expand(v any) any {
	if len(d.whole) == 0 {
		return v
	}
	return mapTexts(v, func(s string) string {
		if uri, ok := d.whole[strings.TrimSpace(s)]; ok {
			return uri
		}
		return s
	})
}

// shrink is a value as the form shows it: the opposite of expand.
func (d dataURIs) shrink(v any) any { return mapTexts(v, d.foldValue) }

func (d dataURIs) foldValue(s string) string {
	if len(s) <= longData || !strings.HasPrefix(s, "data:") {
		return s
	}
	return d.fold(s)
}

// mapTexts changes the texts within a value. What it changes it copies first.
func mapTexts(v any, change func(string) string) any {
	switch t := v.(type) {
	case string:
		return change(t)
	case []any:
		var out []any
		for i, x := range t {
			y := mapTexts(x, change)
			if out == nil && sameText(x, y) {
				continue
			}
			if out == nil {
				out = append(make([]any, 0, len(t)), t...)
			}
			out[i] = y
		}
		if out != nil {
			return out
		}
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, x := range t {
			out[k] = mapTexts(x, change)
		}
		return out
	}
	return v
}

// sameText reports whether a scalar stayed what it was.
func sameText(a, b any) bool {
	switch t := a.(type) {
	case string:
		s, ok := b.(string)
		return ok && s == t
	case []any, map[string]any:
		return false
	default:
		return true
	}
}

// broken is what stood for a data URI and was changed, "" for none: nothing to send.
func (d dataURIs) broken(v any) string {
	switch t := v.(type) {
	case string:
		if strings.HasPrefix(t, "data:") && len(t) <= longData+maxHead && strings.Contains(t, "…") {
			return t
		}
	case []any:
		for _, x := range t {
			if s := d.broken(x); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, x := range t {
			if s := d.broken(x); s != "" {
				return s
			}
		}
	}
	return ""
}

// mayHoldData reports whether a field may hold references, and so data URIs.
func mayHoldData(f *catalog.Field) bool { return holdsMedia(f) || structured(f.Kind) }

// foldField folds the text of a field that may hold references.
func (m *Model) foldField(id string) {
	for i := range m.fields {
		if f := &m.fields[i]; f.Name != id || !mayHoldData(f) {
			continue
		}
		t := m.form.Text(id)
		if folded := m.data.fold(t); folded != t {
			m.form.SetText(id, folded)
		}
		return
	}
}

// pasted is a pasted text as the focused field is to get it: a data URI in one piece,
// also when it came in lines, and folded.
func (m *Model) pasted(runes []rune) []rune {
	id := m.form.Focused()
	for i := range m.fields {
		f := &m.fields[i]
		if f.Name != id || !mayHoldData(f) || len(runes) <= longData {
			continue
		}
		text := strings.TrimSpace(string(runes))
		if holdsMedia(f) && strings.HasPrefix(text, "data:") && strings.Count(text, ":") == 1 {
			text = strings.Join(strings.Fields(text), "")
		}
		return []rune(m.data.fold(text))
	}
	return runes
}
