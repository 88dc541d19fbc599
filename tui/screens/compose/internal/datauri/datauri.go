// Package datauri keeps long data URIs out of texts that are edited and shown: a few words stand
// for each.
package datauri

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"darkroom/client/human"
)

// long is the length in bytes from which a data URI is abbreviated.
const long = 256

// maxHead bounds the part of a data URI before its comma; anything longer is not a media type.
const maxHead = 128

// Store keeps the long data URIs that were pasted or came with a draft. The form holds a few words
// in place of each, so that megabytes are never edited, wrapped or shown; drafts hold them whole.
type Store struct{ whole map[string]string } // by what stands for them

// New is a store that holds nothing.
func New() Store { return Store{whole: make(map[string]string)} }

// Fold replaces the long data URIs of a text by short words. Text added to a folded one becomes
// part of it.
func (d Store) Fold(text string) string {
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
		if len(uri) > long {
			uri = d.keep(uri)
		}
		b.WriteString(uri)
		text = text[n:]
	}
	b.WriteString(text)
	return b.String()
}

// uriEnd is the length of the data URI at the beginning of a text: up to the first byte that cannot
// be part of one.
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

// keep remembers a data URI and returns the words that stand for it: its type, its length, and a
// few digits that tell apart two of the same length.
func (d Store) keep(uri string) string {
	head, _, _ := strings.Cut(uri[:min(len(uri), maxHead+1)], ",")
	sum := sha256.Sum256([]byte(uri))
	short := fmt.Sprintf("%s,…(%s, #%s)", head, human.Bytes(int64(len(uri))), hex.EncodeToString(sum[:3]))
	d.whole[short] = uri
	return short
}

// Pasted is a pasted text with its data URIs folded. With reference, the text is a single
// reference, and a data URI that came in several lines becomes one piece.
func (d Store) Pasted(runes []rune, reference bool) []rune {
	if len(runes) <= long {
		return runes
	}
	text := strings.TrimSpace(string(runes))
	if reference && strings.HasPrefix(text, "data:") && strings.Count(text, ":") == 1 {
		text = strings.Join(strings.Fields(text), "")
	}
	return []rune(d.Fold(text))
}

// Unfold puts the data URIs back into a text.
func (d Store) Unfold(text string) string {
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

// Expand is a value whose texts have their data URIs back.
func (d Store) Expand(v any) any {
	if len(d.whole) == 0 {
		return v
	}
	return MapTexts(v, func(s string) string {
		if uri, ok := d.whole[strings.TrimSpace(s)]; ok {
			return uri
		}
		return s
	})
}

// Shrink is a value as the form shows it: the opposite of Expand.
func (d Store) Shrink(v any) any { return MapTexts(v, d.foldValue) }

func (d Store) foldValue(s string) string {
	if len(s) <= long || !strings.HasPrefix(s, "data:") {
		return s
	}
	return d.Fold(s)
}

// MapTexts changes the texts within a value. It copies whatever it changes.
func MapTexts(v any, change func(string) string) any {
	switch t := v.(type) {
	case string:
		return change(t)
	case []any:
		var out []any
		for i, x := range t {
			y := MapTexts(x, change)
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
			out[k] = MapTexts(x, change)
		}
		return out
	}
	return v
}

// sameText reports whether a scalar is unchanged.
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

// Broken is a folded data URI that was changed by hand and cannot be sent, "" for none.
func (d Store) Broken(v any) string {
	switch t := v.(type) {
	case string:
		if strings.HasPrefix(t, "data:") && len(t) <= long+maxHead && strings.Contains(t, "…") {
			return t
		}
	case []any:
		for _, x := range t {
			if s := d.Broken(x); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, x := range t {
			if s := d.Broken(x); s != "" {
				return s
			}
		}
	}
	return ""
}
