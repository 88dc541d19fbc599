package suite

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
)

func numbered(key string, i int) string { return fmt.Sprintf("%s.%d", key, i) }

// together checks what no key can say alone. seedGiven tells whether the file has a seed.
func (s *Suite) together(seedGiven bool) error {
	if err := s.checkPrompts(); err != nil {
		return err
	}
	for _, a := range s.Axes {
		key := "axes." + a.Field
		switch {
		case a.Field == expand.FieldSeed && seedGiven && s.Seed != SeedNone:
			return s.Errorf(key, "the axis seed and seed: %s contradict each other; with the axis goes seed: none", s.Seed)
		case a.Field == expand.FieldSeed:
			s.Seed = SeedNone
		case a.Field == client.FieldMode && (s.Mode != "" || slices.ContainsFunc(s.Models, func(m Model) bool { return m.Mode != "" })):
			return s.Errorf(key, "mode varies here, and has a value elsewhere")
		}
		if other := s.fixedElsewhere(a.Field); other != "" {
			return s.Errorf(key, "%s varies here, and has a value in %s", show(a.Field), other)
		}
	}
	allowed := []string{"prompt", "model", "model_name", "format"}
	for _, a := range s.Axes {
		allowed = append(allowed, a.Field)
	}
	for i, m := range s.Exclude {
		for _, c := range m {
			if !slices.Contains(allowed, c.About) {
				return s.Errorf(numbered("exclude", i)+"."+c.About, "unknown key %q of an exclusion; allowed: %s", show(c.About), strings.Join(allowed, ", "))
			}
		}
	}
	return nil
}

// fixedElsewhere says where a field has a value, "" for nowhere.
func (s *Suite) fixedElsewhere(field string) string {
	if _, ok := s.Values[field]; ok {
		return "values"
	}
	for i, p := range s.Prompts {
		if _, ok := p.Values[field]; ok {
			return "prompt " + s.PromptID(i)
		}
	}
	for _, m := range s.Models {
		if _, ok := m.Values[field]; ok {
			return "model " + show(m.Model)
		}
	}
	return ""
}

func (s *Suite) checkPrompts() error {
	seen := map[string]bool{}
	for i, p := range s.Prompts {
		id := s.PromptID(i)
		if seen[id] {
			return s.Errorf(numbered("prompts", i), "two prompts are named %s", show(id))
		}
		seen[id] = true
		t, err := expand.Parse(p.Text)
		if err != nil {
			return s.Errorf(numbered("prompts", i), "%s", inTemplate(err))
		}
		for _, v := range t.Variables() {
			if _, ok := s.Vars[v.Name]; !ok && !v.HasDefault {
				return s.Errorf(numbered("prompts", i), "${%s} has no value: vars: gives one, as does ${%s:words}", v.Name, v.Name)
			}
		}
	}
	return nil
}
