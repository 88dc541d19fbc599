package queue

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"darkroom/client/human"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
)

// Bounds of facts.
const (
	maxLabel = 17 // cells
	maxWraps = 12 // lines of one value
	maxValue = 600

	maxText      = 256 << 10 // bytes of an answer in words
	maxTextLines = 4000
)

// fact is a value with its label; without a label it goes over the whole width.
type fact struct {
	label, value string
	ink          widgets.Ink
	most         int    // lines; 0 for maxWraps
	line         bool   // on one line, shortened in the middle, as the names of files
	tail         string // behind that
	head         bool   // a heading
}

// sheet collects facts, since the room for labels depends on all of them.
type sheet struct {
	*kit
	all []fact
}

// add puts a value beside its label; nothing for an empty value. Values are clean; line ends are
// kept.
func (s *sheet) add(label, value string) { s.paint(label, value, s.ink.Text) }

func (s *sheet) paint(label, value string, ink widgets.Ink) {
	if value != "" {
		s.all = append(s.all, fact{label: label, value: value, ink: ink})
	}
}

// text puts a long text over the whole width; nothing for a text that is there already. It has a
// heading of its own, "" for none.
func (s *sheet) text(label, text string) {
	for i := range s.all {
		if s.all[i].value == text {
			return
		}
	}
	if text == "" {
		return
	}
	if label != "" {
		s.paint(label, "♪", s.ink.Accent)
	}
	s.all = append(s.all, fact{value: text, ink: s.ink.Text, most: maxTextLines})
}

// heading begins a part of the facts; one without facts is not shown.
func (s *sheet) heading(text string) {
	s.all = append(s.all, fact{value: text, ink: s.ink.Faint, head: true})
}

// at puts a point in time; nothing for the zero one.
func (s *sheet) at(label string, t time.Time) {
	s.add(label, s.clock().Stamp(t))
}

// lines lays the facts out in w cells.
func (s *sheet) lines(w int) []string {
	wide := 0
	for _, f := range s.all {
		wide = max(wide, widgets.Width(f.label))
	}
	wide = min(wide, maxLabel, w/2) + 1
	var out []string
	for n, f := range s.all {
		switch {
		case f.head && n == len(s.all)-1:
			continue
		case f.head:
			out = append(out, "", f.ink.Text(widgets.Truncate(f.value, w)))
			continue
		case f.label == "":
			out = append(out, "")
			for _, l := range widgets.WrapLines(f.value, w, max(f.most, maxWraps)) {
				out = append(out, f.ink.Text(l))
			}
			out = append(out, "")
			continue
		}
		if f.line {
			room := max(4, w-wide-widgets.Width(f.tail))
			out = append(out, s.ink.Label.Text(widgets.Line(widgets.Truncate(f.label, wide-1), wide))+f.ink.Text(widgets.Middle(f.value, room))+s.ink.Muted.Text(f.tail))
			continue
		}
		label := s.ink.Label.Text(widgets.Line(widgets.Truncate(f.label, wide-1), wide))
		for i, l := range widgets.WrapLines(f.value, max(4, w-wide), maxWraps) {
			if i > 0 {
				label = strings.Repeat(" ", wide)
			}
			out = append(out, label+f.ink.Text(l))
		}
	}
	return out
}

// valueText is a value of a draft for people. Data in it is only named.
func valueText(v any) string {
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		if head, data, ok := strings.Cut(t, ","); ok && strings.HasPrefix(t, "data:") && len(data) > 64 {
			return inks.OneLine(head, 60) + ", " + human.Bytes(int64(len(data)))
		}
		return inks.OneLine(t, maxValue)
	case []any:
		parts := make([]string, 0, len(t))
		for i, e := range t {
			if i == 16 {
				parts = append(parts, widgets.Ellipsis)
				break
			}
			parts = append(parts, valueText(e))
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		b, err := json.Marshal(t)
		if err != nil {
			return ""
		}
		return inks.OneLine(string(b), maxValue)
	default:
		return inks.OneLine(fmt.Sprint(t), maxValue)
	}
}
