package items

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/tui/widgets/form"
)

// Finding is a problem with an item, or a remark worth knowing.
type Finding struct {
	Mark form.Mark
	Text string
}

// Judge lists the problems with the shape of an item, worst first; the limits of a model are the
// catalog's business.
func (s *Spec) Judge(item any, facts map[string]Fact) []Finding {
	m, ok := item.(map[string]any)
	if !ok {
		return []Finding{{form.Bad, fmt.Sprintf("%s, not an object with %s", shape(item), strings.Join(s.Names(), ", "))}}
	}
	j := judge{spec: s, facts: facts}
	j.tag(m)
	for _, i := range s.parts(m) {
		j.part(&s.Parts[i], m)
	}
	if others := s.others(m); len(others) > 0 {
		j.add(form.Info, "other keys, kept: "+client.CleanLine(strings.Join(others, ", ")))
	}
	slices.SortStableFunc(j.found, func(a, b Finding) int { return int(b.Mark) - int(a.Mark) })
	return j.found
}

type judge struct {
	spec  *Spec
	facts map[string]Fact
	found []Finding
}

func (j *judge) add(mark form.Mark, text string) { j.found = append(j.found, Finding{mark, text}) }

func (j *judge) tag(m map[string]any) {
	s := j.spec
	if s.Tag == "" {
		return
	}
	switch tag, has := m[s.Tag]; {
	case !has:
		j.add(form.Bad, s.Tag+" is missing; it is one of "+strings.Join(s.Tags, ", "))
	default:
		if t, _ := tag.(string); !slices.Contains(s.Tags, t) {
			j.add(form.Bad, s.Tag+" is "+short(tag)+"; allowed: "+strings.Join(s.Tags, ", "))
		}
	}
}

func (j *judge) part(p *Part, m map[string]any) {
	v, has, nested := get(m, p.Path)
	switch {
	case !nested:
		j.add(form.Bad, fmt.Sprintf("%s is %s; it is an object {%s: …}, not a bare value", p.Path[0], short(v), strings.Join(p.Path[1:], ": {")))
	case !has || v == nil || v == "":
		j.missing(p)
	default:
		if j.kind(p, v) {
			j.option(p, v)
		}
	}
}

func (j *judge) missing(p *Part) {
	switch {
	case p.Required:
		j.add(form.Bad, p.Name()+" is missing")
	case p.Expected && len(p.Options) > 0:
		j.add(form.Warn, p.Name()+" is missing; "+p.Seen+" "+strings.Join(p.Options, ", "))
	case p.Expected:
		j.add(form.Warn, p.Name()+" is missing")
	}
}

// kind judges a value by what the part takes; false for one that no more is said of.
func (j *judge) kind(p *Part, v any) bool {
	text, plain := scalar(v)
	takes := ""
	switch _, isBool := v.(bool); p.Kind {
	case Integer:
		if isBool || !plain || !number(text, true) {
			takes = "a whole number"
		}
	case Number:
		if isBool || !plain || !number(text, false) {
			takes = "a number"
		}
	case Boolean:
		if text != "true" && text != "false" {
			takes = "true or false"
		}
	case Media:
		if _, isText := v.(string); !isText {
			j.add(form.Bad, p.Name()+" is "+short(v)+"; it is a path or a URL")
			return false
		}
		j.reference(p, text)
	}
	if takes != "" {
		j.add(form.Bad, p.Name()+" is "+short(v)+"; it is "+takes)
	}
	return true
}

// option judges a value of a part that has options.
func (j *judge) option(p *Part, v any) {
	text, _ := scalar(v)
	if len(p.Options) == 0 || slices.Contains(p.Options, text) {
		return
	}
	if p.Closed {
		j.add(form.Bad, fmt.Sprintf("%s is %s; allowed: %s", p.Name(), short(v), strings.Join(p.Options, ", ")))
	} else if p.Seen != "" {
		j.add(form.Warn, fmt.Sprintf("%s is %s; %s %s", p.Name(), short(v), p.Seen, strings.Join(p.Options, ", ")))
	}
}

func (j *judge) reference(p *Part, ref string) {
	f := j.facts[ref]
	kind, _, _ := strings.Cut(f.Type, "/")
	switch {
	case f.Err != "":
		j.add(form.Bad, f.Err)
	case kind != "" && len(p.Media) > 0 && !slices.Contains(p.Media, kind):
		j.add(form.Warn, fmt.Sprintf("%s is %s, not %s", base(ref), f.Type, strings.Join(p.Media, " or ")))
	}
	if uri := f.Size * 4 / 3; uri > media.LargeInline {
		j.add(form.Warn, fmt.Sprintf("%s is %s and goes along as a data URI of %s, more than %s: give an http(s) URL instead",
			base(ref), human.Bytes(f.Size), human.Bytes(uri), human.Bytes(media.LargeInline)))
	}
	switch {
	case strings.HasPrefix(ref, "file://"):
		j.add(form.Info, "the file is sent as a data URI, which is not documented as accepted")
	case strings.HasPrefix(ref, "data:"):
		j.add(form.Info, "data URIs are not documented as accepted")
	}
}

// Names are the keys at the top of an item, its tag first.
func (s *Spec) Names() []string {
	var out []string
	if s.Tag != "" {
		out = append(out, s.Tag)
	}
	for i := range s.Parts {
		if k := s.Parts[i].Path[0]; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func number(s string, whole bool) bool {
	if !whole {
		v, err := client.ParseJSON(s)
		_, ok := v.(json.Number)
		return err == nil && ok
	}
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// shape names the type of a value.
func shape(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "bare text"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// short is a value in a message.
func short(v any) string {
	s, ok := scalar(v)
	if v == nil {
		s = "null"
	} else if !ok {
		s = compact(v)
	}
	s = client.CleanLine(head(s, 200))
	if r := []rune(s); len(r) > 40 {
		s = string(r[:39]) + "…"
	}
	if _, isText := v.(string); isText {
		return "“" + s + "”"
	}
	return s
}

// head is the beginning of a long text: no more of it is looked at than shows.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
