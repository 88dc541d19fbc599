package filter

import "strings"

// Complete lists how the last word of a filter can go on, each time as the whole filter: the names of
// terms, and the values that are known beforehand. It is empty within quotes, and where the word is
// no beginning of a term.
func Complete(text string) []string {
	if strings.Count(text, `"`)%2 == 1 {
		return nil
	}
	at := strings.LastIndexAny(text, " \t\n") + 1
	before, last := text[:at], text[at:]
	rest, not := strings.CutPrefix(last, "-")
	sign := last[:len(last)-len(rest)]
	var out []string
	for _, t := range Terms() {
		if not && !t.Not {
			continue
		}
		value, named := strings.CutPrefix(strings.ToLower(rest), t.Name)
		if !named {
			if strings.HasPrefix(t.Name, strings.ToLower(rest)) {
				out = append(out, before+sign+t.Name)
			}
			continue
		}
		done := ""
		if i := strings.LastIndex(value, ","); i >= 0 {
			done, value = value[:i+1], value[i+1:]
		}
		for _, v := range t.Give {
			if strings.HasPrefix(v, value) {
				out = append(out, before+sign+t.Name+done+v)
			}
		}
	}
	return out
}
