package download

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
)

// DefaultTemplate names files by what a person asked for, the model and the job's short id, in a folder
// a day.
const DefaultTemplate = "{date}/{words}_{model}_{short}{nth}.{ext}"

// Bounds of a name, in bytes: of one value, and of one component with room left for
// "-999", a suffix of the kind and ".json" below the 255 of common file systems.
const (
	maxValue     = 80
	maxComponent = 220
)

// nameFields are the placeholders of a template.
var nameFields = map[string]func(r jobs.FileRequest) string{
	"date":     func(r jobs.FileRequest) string { return r.Job.CreatedAt.Local().Format("2006-01-02") },
	"time":     func(r jobs.FileRequest) string { return r.Job.CreatedAt.Local().Format("150405") },
	"model":    func(r jobs.FileRequest) string { return r.Job.Draft.Model },
	"id":       func(r jobs.FileRequest) string { return r.Job.ID },
	"short":    func(r jobs.FileRequest) string { return jobs.ShortID(r.Job.ID) },
	"task":     func(r jobs.FileRequest) string { return r.Job.TaskID },
	"index":    func(r jobs.FileRequest) string { return strconv.Itoa(r.Index + 1) },
	"kind":     func(r jobs.FileRequest) string { return string(r.Asset.Kind) },
	"modality": func(r jobs.FileRequest) string { return string(r.Job.Draft.Modality) },
	"profile":  func(r jobs.FileRequest) string { return r.Job.Profile },
	"group":    func(r jobs.FileRequest) string { return r.Job.Group },
	"words":    promptWords,
	"nth":      nil, // a suffix, or nothing
	"prompt":   func(r jobs.FileRequest) string { return r.Job.Draft.Prompt },
	"title":    func(r jobs.FileRequest) string { return r.Job.Title },
	"ext":      nil, // known when the bytes are
}

// template is a parsed name template: components of literal and placeholder parts.
type template struct {
	parts   [][]part
	hasKind bool
}

type part struct{ literal, field string }

// CheckTemplate says what is wrong with a name template, naming what is allowed.
func CheckTemplate(s string) error {
	_, err := parseTemplate(s)
	return err
}

// FlatTemplate returns a template without its folders.
func FlatTemplate(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// Placeholders lists those that a template may have, separated by blanks.
func Placeholders() string {
	all := slices.Sorted(maps.Keys(nameFields))
	for i := range all {
		all[i] = "{" + all[i] + "}"
	}
	return strings.Join(all, " ")
}

// parseTemplate reads a template; its slashes are folders.
func parseTemplate(s string) (template, error) {
	var t template
	if !strings.HasSuffix(s, ".{ext}") {
		return t, fmt.Errorf("name template %q: it has to end in .{ext}, as in %s", s, DefaultTemplate)
	}
	for comp := range strings.SplitSeq(s, "/") {
		parts, err := parseComponent(comp)
		if err != nil {
			return t, fmt.Errorf("name template %q: %w", s, err)
		}
		for _, p := range parts {
			t.hasKind = t.hasKind || p.field == "kind"
		}
		t.parts = append(t.parts, parts)
	}
	return t, nil
}

func parseComponent(s string) ([]part, error) {
	if s == "" || s == "." || s == ".." {
		return nil, fmt.Errorf("a part between slashes may not be %q; the name is one below the folder of the downloads", s)
	}
	var parts []part
	for s != "" {
		lit, rest, ok := strings.Cut(s, "{")
		if lit != "" {
			parts = append(parts, part{literal: lit})
		}
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return nil, fmt.Errorf("{%s has no closing brace; there are %s", name, Placeholders())
		}
		if _, known := nameFields[name]; !known {
			return nil, fmt.Errorf("{%s} is not a placeholder; there are %s", name, Placeholders())
		}
		parts = append(parts, part{field: name})
		s = after
	}
	return parts, nil
}

// render returns the relative name without its extension, and the extension with its dot.
func (t template) render(r jobs.FileRequest, ext string) (stem, dotExt string) {
	comps := make([]string, len(t.parts))
	for i, parts := range t.parts {
		var b strings.Builder
		for _, p := range parts {
			switch p.field {
			case "ext":
			case "nth":
				b.WriteString(nth(r))
			case "":
				b.WriteString(p.literal)
			default:
				b.WriteString(safeValue(nameFields[p.field](r)))
			}
		}
		comp := b.String()
		if i == len(t.parts)-1 {
			comp = strings.TrimSuffix(comp, ".")
			if !t.hasKind {
				comp = text.Head(comp, maxComponent-len("_cover")) + kindSuffix(r.Asset.Kind)
			}
		}
		comps[i] = safeComponent(comp)
	}
	return path.Join(comps...), "." + ext
}

// Bounds of the words of a name: a few, and not too long where a script has no blanks.
const (
	maxWords     = 6
	maxWordRunes = 40
)

// promptWords are the first words of the prompt in lower case, without an article before them; where it has
// none, the title, or else what kind of job it is.
func promptWords(r jobs.FileRequest) string {
	for _, s := range []string{r.Job.Draft.Prompt, r.Job.Title} {
		if w := firstWords(s); w != "" {
			return w
		}
	}
	return string(r.Job.Draft.Modality)
}

func firstWords(s string) string {
	s = strings.NewReplacer("'", "", "’", "", "\ufe0e", "", "\ufe0f", "", "\u20e3", "").Replace(text.Head(s, 8*maxValue))
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	if len(all) > 1 && slices.Contains([]string{"a", "an", "the"}, all[0]) {
		all = all[1:]
	}
	var out []string
	left := maxWordRunes
	for _, w := range all {
		w = strings.TrimLeftFunc(w, unicode.IsMark) // what is left of an emoji is no word
		if w == "" {
			continue
		}
		n := utf8.RuneCountInString(w)
		if len(out) == 0 && n > left {
			w, n = string([]rune(w)[:left]), left
		}
		if left -= n; left < 0 || len(out) == maxWords {
			break
		}
		out = append(out, w)
	}
	return strings.Join(out, "-")
}

// nth tells the results of one kind of a job apart: nothing for the first, then -2 and so on.
func nth(r jobs.FileRequest) string {
	n := 1
	for i := 0; i < r.Index && i < len(r.Job.Assets); i++ {
		if r.Job.Assets[i].Kind == r.Asset.Kind {
			n++
		}
	}
	if n == 1 {
		return ""
	}
	return "-" + strconv.Itoa(n)
}

func kindSuffix(k client.AssetKind) string {
	switch k {
	case client.AssetCover:
		return "_cover"
	case client.AssetLastFrame:
		return "_last"
	default:
		return ""
	}
}

// safeValue makes a text from anywhere fit to be part of a name: letters and digits of any
// script, and "._+-"; runs of everything else become one "-".
func safeValue(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range s {
		if b.Len() > 4*maxValue {
			break
		}
		switch {
		case r == utf8.RuneError:
			dash = true
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && b.Len() > 0 || strings.ContainsRune("._+", r):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	v := strings.Trim(text.Head(b.String(), maxValue), ".-")
	for strings.Contains(v, "..") {
		v = strings.ReplaceAll(v, "..", ".")
	}
	if v == "" {
		return "none"
	}
	return v
}

// safeComponent makes a text a file or folder name that every common system takes.
func safeComponent(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`<>:"/\|?*`, r) || r == utf8.RuneError {
			return '-'
		}
		return r
	}, s)
	s = strings.TrimRight(text.Head(s, maxComponent), ". ")
	s = strings.TrimLeft(s, " ")
	if s == "" || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "-") {
		s = "_" + s
	}
	if base, _, _ := strings.Cut(s, "."); reserved(base) {
		s = "_" + s
	}
	return s
}

// reserved reports whether a name is a device on Windows, whatever its extension.
func reserved(base string) bool {
	b := strings.ToUpper(strings.TrimRight(base, " "))
	switch b {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	rest, ok := strings.CutPrefix(b, "COM")
	if !ok {
		rest, ok = strings.CutPrefix(b, "LPT")
	}
	return ok && utf8.RuneCountInString(rest) == 1 && strings.ContainsAny(rest, "0123456789¹²³")
}
