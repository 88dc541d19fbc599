package models

import (
	"errors"
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// askedText says when the lists were asked, or that they are being asked.
func (m *Model) askedText() string {
	if m.live.loading {
		return "asking …"
	}
	if m.live.asked.IsZero() {
		return ""
	}
	return "asked " + m.live.asked.Local().Format("15:04:05")
}

// sourceLines say how each list answered, in lines of at most w cells.
func (m *Model) sourceLines(w int) []string {
	l := &m.live
	var out []string
	add := func(ink widgets.Ink, text string) {
		for i, s := range widgets.WrapLines(text, max(4, w-2), 3) {
			if i > 0 {
				s = "  " + s
			}
			out = append(out, ink.Text(s))
		}
	}
	if len(l.sources) == 0 {
		switch {
		case l.err != nil && !l.loading:
			add(m.ink.bad, "✗ "+client.CleanLine(l.err.Error()))
		default:
			add(m.ink.muted, "… asking the gateway which models it offers; the catalog needs no answer")
		}
		return out
	}
	for i := range l.sources {
		s := &l.sources[i]
		ink := m.ink.good
		switch {
		case l.loading:
			ink = m.ink.muted
		case s.Err != nil:
			ink = m.ink.bad
		}
		add(ink, sourceText(s))
	}
	if l.err != nil && l.have {
		add(m.ink.warn, "⚠ shown is what the lists said at "+l.of.Local().Format("15:04:05"))
	}
	return out
}

// sourceText is how a list answered.
func sourceText(s *client.ModelSource) string {
	name := bound(s.Path, maxName)
	if s.Guess {
		name += " (a guess of ours: this list's path is not shown)"
	}
	if s.Err == nil {
		text := "✓ " + name + ": " + plural(s.Count, "model", "models")
		if s.Meta.Latency > 0 {
			text += ", " + format.Dur(s.Meta.Latency)
		}
		return text
	}
	text := "✗ " + name + ": " + reason(s)
	if s.Count > 0 {
		text += "; " + plural(s.Count, "model", "models") + " had come before"
	}
	return text
}

// reason is why a list did not answer, without the path that stands beside it.
func reason(s *client.ModelSource) string {
	if api, ok := errors.AsType[*client.APIError](s.Err); ok && api.HTTPStatus == 401 {
		return "the gateway refused the key (HTTP 401); check it with `darkroom auth status`"
	}
	return bound(strings.TrimPrefix(s.Err.Error(), s.Path+": "), maxTextOfError)
}

// maxTextOfError bounds the text of an error, in characters.
const maxTextOfError = 300

// sourceSummary is how the lists answered in one line.
func (m *Model) sourceSummary() string {
	l := &m.live
	if l.loading && len(l.sources) == 0 {
		return m.ink.muted.Text("… asking the gateway")
	}
	if len(l.sources) == 0 {
		if l.err == nil {
			return ""
		}
		return m.ink.bad.Text("✗ " + bound(l.err.Error(), maxTextOfError))
	}
	var parts []string
	for i := range l.sources {
		s := &l.sources[i]
		name := bound(s.Name, 20)
		if s.Guess {
			name += " (guess)"
		}
		if s.Err == nil {
			parts = append(parts, m.ink.good.Text("✓ "+name+" "+format.Count(s.Count)))
			continue
		}
		parts = append(parts, m.ink.bad.Text("✗ "+name+" "+shortReason(s.Err)))
	}
	return strings.Join(parts, m.ink.faint.Text(" · "))
}

// shortReason is why a list did not answer, in two words.
func shortReason(err error) string {
	api, ok := errors.AsType[*client.APIError](err)
	switch {
	case !ok:
		return "failed"
	case api.HTTPStatus == 401:
		return "key refused"
	default:
		return fmt.Sprintf("HTTP %d", api.HTTPStatus)
	}
}
