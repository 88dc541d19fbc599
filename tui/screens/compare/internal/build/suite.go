package build

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/jobs/compare/pick"
	"darkroom/jobs/compare/suite"
)

// Suite is the plan as a suite: the file that was opened, or what was chosen and typed here.
func (m *Model) Suite() suite.Suite {
	if m.file != nil {
		return *m.file
	}
	s := m.set
	s.Kind, s.Mode = m.plan.Base.Modality, m.plan.Base.Mode
	s.Prompts = nil
	for _, p := range m.prompts.all {
		if strings.TrimSpace(p) != "" {
			s.Prompts = append(s.Prompts, suite.Prompt{Text: expand.Escape(p)})
		}
	}
	if s.Name == "" {
		s.Name = nameFor(m.prompts.all)
	}
	in := m.plan.In()
	own := func(c pick.Candidate) bool { return m.plan.Own[c.Model.ID] }
	s.Values = m.common(in)
	s.Models = nil
	apart := slices.ContainsFunc(in, own)
	for _, c := range in {
		x := suite.Model{Model: c.Model.ID, ModelName: c.Draft.ModelName}
		if apart {
			from := m.plan.Base
			if own(c) || c.Tried {
				from = c.Draft
			}
			if from.Mode != s.Mode {
				x.Mode = from.Mode
			}
			for name, v := range m.values(from.Values) {
				if _, common := s.Values[name]; !common {
					if x.Values == nil {
						x.Values = client.Values{}
					}
					x.Values[name] = v
				}
			}
		}
		s.Models = append(s.Models, x)
	}
	return s
}

// common are the values that every model gets.
func (m *Model) common(in []pick.Candidate) client.Values {
	out := m.values(m.plan.Base.Values)
	for _, c := range in {
		if !m.plan.Own[c.Model.ID] {
			continue
		}
		for name := range out {
			if _, has := c.Draft.Values[name]; !has {
				delete(out, name)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// values are those of a draft that a suite has: not the seed, which is the suite's, not what names one
// task, and not what varies.
func (m *Model) values(from client.Values) client.Values {
	out := client.Values{}
	for name, v := range from {
		axis := func(a suite.Axis) bool { return a.Field == name }
		if name != expand.FieldSeed && name != client.FieldExternalTaskID && name != "callback_url" && v != nil && v != "" && !slices.ContainsFunc(m.set.Axes, axis) {
			out[name] = v
		}
	}
	return out
}

// leftOut names what of the draft no suite has, "" for nothing.
func leftOut(m *Model) string {
	if n := len(m.plan.Base.Extra); n > 0 {
		return "the draft's raw additions are left out: they fit no suite"
	}
	return ""
}

// nameFor is a name made of the first prompt.
func nameFor(prompts []string) string {
	for _, p := range prompts {
		words := strings.Fields(client.CleanLine(p))
		if len(words) == 0 {
			continue
		}
		name := words[0]
		for _, w := range words[1:] {
			if len(name)+len(w) >= 40 {
				break
			}
			name += " " + w
		}
		if r := []rune(name); len(r) > 40 {
			name = string(r[:40])
		}
		return name
	}
	return "comparison"
}

// SetAxis makes a field vary, from "field = values"; without values it no longer does.
func (m *Model) SetAxis(text string) error {
	field, values, err := axisOf(m, text)
	if err != nil {
		return err
	}
	s := m.options()
	s.Axes = slices.DeleteFunc(slices.Clone(s.Axes), func(a suite.Axis) bool { return a.Field == field })
	if len(values) > 0 {
		s.Axes = append(s.Axes, suite.Axis{Field: field, Values: values})
		if field == expand.FieldSeed {
			s.Seed = suite.SeedNone
		}
	}
	m.typed = m.typed || m.file == nil
	m.changed()
	return nil
}

// options is the suite whose repeats, axes and bounds keys change: the one that is open, or the plan's.
func (m *Model) options() *suite.Suite {
	if m.file != nil {
		return m.file
	}
	return &m.set
}

// kind is what is compared.
func (m *Model) kind() client.Modality {
	if m.file != nil {
		return m.file.Kind
	}
	return m.plan.Base.Modality
}

// called is the field that the form calls so.
func called(m *Model, label string) (string, bool) {
	for _, f := range m.o.Catalog.AllFields(m.kind()) {
		if strings.EqualFold(f.Label, label) {
			return f.Name, true
		}
	}
	return "", false
}

// axisOf reads "field = values" in the syntax of axes.
func axisOf(m *Model, text string) (field string, values []suite.Value, err error) {
	field, list, ok := strings.Cut(text, "=")
	field = strings.TrimSpace(field)
	if !ok || field == "" {
		return "", nil, fmt.Errorf("write a field and its values, as duration = 4,8")
	}
	if field != client.FieldMode {
		known, ok := m.o.Catalog.Canonical(m.kind(), field)
		if !ok {
			known, ok = called(m, field)
		}
		if !ok {
			return "", nil, fmt.Errorf("%s is not a field of %s", client.CleanLine(field), m.kind())
		}
		field = known
	}
	if strings.TrimSpace(list) == "" {
		return field, nil, nil
	}
	values, err = suite.Values(strings.TrimSpace(list))
	return field, values, err
}

// optionKeys are those of [Model.setOption].
const optionKeys = "name, repeats, warmups, seed, concurrency, timeout, limit, formats"

// setOption sets one option of the run, from "key = value".
func setOption(s *suite.Suite, text string) error {
	key, value, ok := strings.Cut(text, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || value == "" {
		return fmt.Errorf("write key = value; keys are %s", optionKeys)
	}
	switch key {
	case "name":
		s.Name = client.CleanLine(value)
	case "repeats":
		return number(&s.Repeats, value, 1, suite.MaxRepeats)
	case "warmups":
		return number(&s.Warmups, value, 0, suite.MaxWarmups)
	case "concurrency":
		return number(&s.Concurrency, value, 1, 64)
	case "limit":
		return number(&s.Limit, value, 1, suite.MaxTrials)
	case "seed":
		if _, err := strconv.ParseUint(value, 10, 64); err != nil && value != suite.SeedEach && value != suite.SeedSame && value != suite.SeedNone {
			return fmt.Errorf("a seed is each, same, none, or a number")
		}
		s.Seed = value
	case "timeout":
		d, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
		if err != nil || d < time.Second || d > 24*time.Hour {
			return fmt.Errorf("a timeout is from 1s to 24h, as 90s or 10m")
		}
		s.Timeout = d
	case "formats":
		s.Formats = nil
		for _, f := range strings.Split(value, ",") {
			s.Formats = append(s.Formats, strings.TrimSpace(f))
		}
	default:
		return fmt.Errorf("%s is not an option; there are %s", client.CleanLine(key), optionKeys)
	}
	return nil
}

func number(to *int, text string, least, most int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return fmt.Errorf("it takes a number from %d to %d", least, most)
	}
	*to = n
	return nil
}
