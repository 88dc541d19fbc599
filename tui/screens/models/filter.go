package models

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
)

// show says which rows are wanted, by their origin.
type show int

const (
	showAll show = iota
	showCatalog
	showLive
	showDifferences // in one of both only
	shows
)

func (s show) String() string {
	return [...]string{"all", "catalog", "live", "differences"}[s]
}

// Kinds besides those of the catalog's models.
const (
	anyKind   = "all"
	otherKind = "other" // nobody says what kind it is
)

// kindNames are the tabs: all, the kinds, and the models of unknown kind.
func kindNames() []string {
	out := []string{anyKind}
	for _, k := range client.Modalities() {
		out = append(out, string(k))
	}
	return append(out, otherKind)
}

func (m *Model) kindName() string { return kindNames()[m.kind] }

// options are the tabs as a chooser shows them.
func kindOptions() []widgets.Option {
	var out []widgets.Option
	for _, k := range kindNames() {
		out = append(out, widgets.Option{Value: k})
	}
	return out
}

// makes reports whether a model makes a kind; every model makes "all".
func (r *row) makes(kind string) bool {
	switch kind {
	case anyKind:
		return true
	case otherKind:
		return !slices.ContainsFunc(client.Modalities(), func(k client.Modality) bool { return r.makes(string(k)) })
	}
	for i := range r.known {
		if string(r.known[i].Modality) == kind {
			return true
		}
	}
	return false
}

func (s show) takes(r *row) bool {
	switch s {
	case showCatalog:
		return len(r.known) > 0
	case showLive:
		return r.live != nil
	case showDifferences:
		return (len(r.known) > 0) != (r.live != nil)
	default:
		return true
	}
}

// rank is how well a row matches the words of a filter, which are in lower case: each must occur in
// the row's search text or, if loose matches are allowed, its letters must occur in this order in
// the name. 0 is no match.
func rank(r *row, words []string, loose bool) int {
	score := 1
	for _, w := range words {
		name := r.words[:min(len(r.words), len(r.name))] // the name comes first
		switch at := strings.Index(r.words, w); {
		case at == 0:
			score += 8
		case at > 0 && at < len(name):
			score += 4
		case at > 0:
			score += 2
		case loose && scattered(w, name):
			score++
		default:
			return 0
		}
	}
	return score
}

// scattered reports whether the characters of w occur in s in their order.
func scattered(w, s string) bool {
	for _, c := range w {
		i := strings.IndexRune(s, c)
		if i < 0 {
			return false
		}
		s = s[i+1:]
	}
	return true
}

// apply selects the rows that show: those that match as typed, and where there are none
// those that match loosely. The cursor stays on its row where that still shows; toBest
// puts it on the best match, as after the filter has changed.
func (m *Model) apply(toBest bool) {
	words := strings.Fields(strings.ToLower(m.filter.Value()))
	best, same := m.match(words, false)
	if len(m.visible) == 0 && len(words) > 0 {
		best, same = m.match(words, true)
	}
	m.table.SetSource(m.source())
	if same < 0 || toBest {
		same = best
	}
	m.table.SetCursor(same)
	m.table.Empty = m.emptyText()
	m.settle()
}

// match fills visible; best is the index in it of the best match, same that of the
// current row or -1.
func (m *Model) match(words []string, loose bool) (best, same int) {
	kind := m.kindName()
	m.visible = make([]int32, 0, len(m.rows))
	score := 0
	same = -1
	told := m.show != showDifferences || m.live.have
	for i := range m.rows {
		r := &m.rows[i]
		if !told || !m.show.takes(r) || kind != anyKind && !r.makes(kind) {
			continue
		}
		n := rank(r, words, loose)
		if n == 0 {
			continue
		}
		if n > score {
			best, score = len(m.visible), n
		}
		if r.id == m.current {
			same = len(m.visible)
		}
		m.visible = append(m.visible, int32(i))
	}
	return best, same
}

// emptyText says why no row shows, and what to do about it.
func (m *Model) emptyText() string {
	if q := strings.TrimSpace(m.filter.Value()); q != "" {
		return "No model matches “" + bound(q, 60) + "”.\n" + m.commands.Key(actBack) + " clears the filter."
	}
	switch {
	case m.show == showDifferences && !m.live.have:
		if m.live.loading {
			return "Asking the gateway's lists …"
		}
		return "No list of the gateway has answered yet, so nothing can differ.\n" + m.commands.Key(actRefresh) + " asks again."
	case m.show == showDifferences && m.kind == 0:
		return "No differences: the gateway offers what the catalog has."
	case m.show == showLive && !m.live.have:
		if m.live.loading {
			return "Asking the gateway's lists …"
		}
		return "No list of the gateway has answered yet.\n" + m.commands.Key(actRefresh) + " asks again."
	case m.kindName() == string(client.Chat):
		return "The interface names no chat models, so any is taken: what the gateway's lists have beyond the catalog stands under other."
	case m.kindName() == otherKind:
		return "The kind of each model here is known."
	default:
		return "No model of this kind and origin."
	}
}
