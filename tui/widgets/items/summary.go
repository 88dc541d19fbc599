package items

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
)

// Sum is an item in one line: its kind, its content, and further remarks.
type Sum struct{ Head, Main, Tail string }

// String is the line as one text.
func (s Sum) String() string {
	var parts []string
	for _, p := range []string{s.Head, s.Main, s.Tail} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "  ")
}

// Ordinal is how the i-th item (from 0) is numbered.
func Ordinal(i int) string {
	if i < 20 {
		return string(rune('①' + i))
	}
	return strconv.Itoa(i + 1)
}

// seen bounds how much of a value is read for its line, in bytes.
const seen = 400

// Summary is an item in a line.
func (s *Spec) Summary(item any, facts map[string]Fact) Sum {
	m, ok := item.(map[string]any)
	if !ok {
		return Sum{Main: plain(item)}
	}
	var out Sum
	var tail []string
	if s.Tag != "" {
		out.Head = plain(m[s.Tag])
	}
	for _, i := range s.parts(m) {
		p := &s.Parts[i]
		v, has, _ := get(m, p.Path)
		if !has {
			continue
		}
		switch text := plain(v); {
		case p.Kind == Media:
			out.Main = refText(v, facts)
		case p.Kind == Lines:
			out.Main = text
		case len(p.Options) > 0 && s.List && p.Kind == Text:
			if out.Head == "" {
				out.Head = text
			} else {
				tail = append(tail, text)
			}
		case p.Name() == "name":
			tail = append(tail, "“"+text+"”")
		default:
			tail = append(tail, p.Name()+" "+text)
		}
	}
	for _, k := range s.others(m) {
		if !s.List {
			tail = append(tail, client.CleanLine(k)+" "+plain(m[k]))
		}
	}
	sep := "  "
	if !s.List {
		sep = " · "
	}
	out.Tail = strings.Join(tail, sep)
	return out
}

// plain is the beginning of a value in one line.
func plain(v any) string {
	s, ok := scalar(v)
	if !ok {
		s = compact(v)
	}
	return client.CleanLine(head(s, seen))
}

// refText describes a reference as people do: the name and size of a file, the URL, or the type
// and size of a data URI.
func refText(v any, facts map[string]Fact) string {
	ref, ok := v.(string)
	if !ok {
		return plain(v)
	}
	if rest, ok := strings.CutPrefix(ref, "data:"); ok {
		kind, data, _ := strings.Cut(rest, ",")
		kind, _, _ = strings.Cut(kind, ";")
		if strings.HasPrefix(data, "…") { // abbreviated, and says itself how long it is
			return plain(ref)
		}
		return "data: " + client.CleanLine(head(kind, 60)) + " " + human.Bytes(int64(len(data)*3/4))
	}
	f := facts[ref]
	name := plain(ref)
	if _, local := client.FilePath(ref); local {
		name = base(ref)
	}
	if f.Size > 0 {
		name += " " + human.Bytes(f.Size)
	}
	return name
}

// base is the name of a file without its folders.
func base(ref string) string {
	p, ok := client.FilePath(ref)
	if !ok {
		p = ref
	}
	p = strings.TrimRight(p, "/")
	return client.CleanLine(p[strings.LastIndexByte(p, '/')+1:])
}

// worst is the mark of an item.
func worst(found []Finding) Finding {
	return slices.MaxFunc(append([]Finding{{}}, found...), func(a, b Finding) int { return int(a.Mark) - int(b.Mark) })
}
