package bundle

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/text"
)

// known are texts that are left out wherever they stand, since it is known of them what they are.
type known struct {
	prompts []string // the longest first
	media   []string // addresses of results and references
}

// Bounds of what is found again.
const (
	leastPrompt = 4  // runes of a prompt
	begins      = 20 // runes of a prompt by which a part of it is found, as in a title that was cut
	maxKnown    = 400
	leastMedia  = 400 // characters of what is taken for media as text
)

// JSON within JSON, or what was cut out of it, has characters of addresses escaped once or more.
const (
	slash   = `\\*/`
	escaped = `\\+/|\\+u00(?:2[0-157-9a-f]|26|3[0-9abdf])`
)

var (
	dataURI  = text.Pattern(`(?i)data:[a-z]+` + slash + `(?:[^\s"'<>\\]|` + escaped + `)*`)
	namedURL = text.Pattern(`(?i)(url\\*"\s*:\s*\\*")https?:(?:` + slash + `){2}(?:[^\s"<>\\]|` + escaped + `)*`)
	mediaURL = text.Pattern(`(?i)https?:(?:` + slash + `){2}(?:[^\s"'<>?\\]|\\+/)+\.(png|jpe?g|webp|gif|avif|heic|bmp|tiff?|svg|mp4|m4v|mov|webm|mkv|avi|mp3|m4a|wav|flac|ogg|opus|aac)\b((\?|\\+u003f)([^\s"'<>\\]|` + escaped + `)*)?`)
	encoded  = text.Pattern(`(?i)([a-z0-9+/_-]|\\+/|\\+u002[bf])+(=|\\+u003d){0,2}`)
)

// learn notes what a body says of prompts and media.
func (k *known) learn(body []byte) {
	var v any
	if json.Unmarshal(body, &v) == nil {
		k.walk(v, "", false)
	}
}

func (k *known) walk(v any, key string, inside bool) {
	switch x := v.(type) {
	case map[string]any:
		for name, e := range x {
			k.walk(e, name, holdsPrompt(name, e, inside))
		}
	case []any:
		for _, e := range x {
			k.walk(e, key, inside)
		}
	case string:
		if nested, ok := within(x); ok {
			k.walk(nested, key, inside)
			return
		}
		switch {
		case inside:
			k.prompt(x)
		case strings.HasSuffix(strings.ToLower(key), "url") && strings.HasPrefix(x, "http"):
			k.address(x)
		}
	}
}

// address notes one of a result or a reference, also as JSON may have it.
func (k *known) address(s string) {
	k.media = append(k.media, s, strings.ReplaceAll(s, "/", `\/`), strings.ReplaceAll(s, "&", `\u0026`))
}

// prompt notes one. A single short word is none that can be told from others of its kind.
func (k *known) prompt(s string) {
	s = strings.TrimSpace(s)
	words := strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r > unicode.MaxASCII })
	if len(k.prompts) == maxKnown || utf8.RuneCountInString(s) < leastPrompt || !words && len(s) < begins || strings.HasPrefix(s, "http") {
		return
	}
	for _, form := range []string{s, client.CleanLine(s), url.QueryEscape(s), url.PathEscape(s)} {
		if !slices.Contains(k.prompts, form) {
			k.prompts = append(k.prompts, form)
		}
	}
}

// sort puts longer texts before those that are a part of them.
func (k *known) sort() {
	longer := func(a, b string) int { return len(b) - len(a) }
	slices.SortStableFunc(k.prompts, longer)
	slices.SortFunc(k.media, func(a, b string) int { return cmp.Or(longer(a, b), strings.Compare(a, b)) })
	k.media = slices.Compact(k.media)
}

// cut leaves out of a text what is known and not wanted.
func (k *known) cut(s string, o Options) string {
	if o.NoPrompts {
		s = k.cutPrompts(s)
	}
	if o.NoMedia {
		for _, u := range k.media {
			s = strings.ReplaceAll(s, u, leftOut)
		}
		s = namedURL().ReplaceAllString(dataURI().ReplaceAllString(s, leftOut), "${1}"+leftOut)
		s = encoded().ReplaceAllStringFunc(mediaURL().ReplaceAllString(s, leftOut), func(run string) string {
			if len(run) < leastMedia {
				return run
			}
			return leftOut
		})
	}
	return s
}

func (k *known) cutPrompts(s string) string {
	if whole := strings.TrimRight(strings.TrimSpace(s), ".…\"' "); utf8.RuneCountInString(whole) >= 12 && strings.ContainsFunc(whole, unicode.IsSpace) {
		for _, p := range k.prompts {
			if strings.Contains(p, whole) { // a title is often a part of the prompt
				return leftOut
			}
		}
	}
	for _, p := range k.prompts {
		s = strings.ReplaceAll(s, p, leftOut)
	}
	for _, p := range k.prompts {
		if utf8.RuneCountInString(p) > begins {
			s = k.cutBegun(s, string([]rune(p)[:begins]))
		}
	}
	return s
}

// cutBegun leaves out what begins as a prompt does, as far as it goes on as one.
func (k *known) cutBegun(s, head string) string {
	for from := 0; ; {
		at := strings.Index(s[from:], head)
		if at < 0 {
			return s
		}
		at += from
		n := len(head)
		for _, p := range k.prompts {
			if strings.HasPrefix(p, head) {
				n = max(n, common(s[at:], p))
			}
		}
		for at+n < len(s) && !utf8.RuneStart(s[at+n]) { // not in the middle of a character
			n++
		}
		s = s[:at] + leftOut + s[at+n:]
		from = at + len(leftOut)
	}
}

// common is how many bytes two texts have in common from their beginning.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// within is the JSON that a text holds, if it is an object or a list.
func within(s string) (any, bool) {
	t := strings.TrimSpace(s)
	if !strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "[") {
		return nil, false
	}
	v, err := client.ParseJSON(t)
	return v, err == nil
}

// holdsPrompt reports whether the texts below a key are a prompt's.
func holdsPrompt(key string, v any, inside bool) bool {
	_, object := v.(map[string]any)
	media := object && strings.EqualFold(key, "input") // holds the prompt under a key of its own
	return inside && key != "role" && key != "type" || promptKey().MatchString(key) && !media
}
