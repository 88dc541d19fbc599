package inspect

import (
	"slices"
	"strings"

	"darkroom/jobs/inspect"
)

// maxID bounds what is accepted as an id, in characters; maxRecent how many are kept.
const (
	maxID     = 500
	maxRecent = 20
)

// cleanID extracts an id from what was typed or pasted: the first line that is not empty, without
// blanks and quotes around it, and without invisible characters.
func cleanID(s string) string {
	for line := range strings.Lines(s) {
		line = strings.Trim(inspect.Visible(line), " \"'`<>,;")
		if line != "" {
			return clip(line)
		}
	}
	return ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > maxID {
		return string(r[:maxID])
	}
	return s
}

// recent are the ids of this session, newest last, each once.
type recent struct {
	ids []string
	at  int // len(ids) for the line as it was typed
}

func (r *recent) add(id string) {
	r.ids = append(slices.DeleteFunc(r.ids, func(x string) bool { return x == id }), id)
	r.ids = r.ids[max(0, len(r.ids)-maxRecent):]
	r.at = len(r.ids)
}

// step goes to an older (-1) or newer (+1) id; false when there is none.
func (r *recent) step(n int, now string) (string, bool) {
	at := r.at + n
	if n < 0 && r.at == len(r.ids) && at >= 0 && r.ids[at] == now {
		at-- // the line shows the newest already
	}
	switch {
	case at < 0 || at > len(r.ids):
		return "", false
	case at == len(r.ids):
		r.at = at
		return "", true
	default:
		r.at = at
		return r.ids[at], true
	}
}
