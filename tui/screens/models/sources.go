package models

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/widgets"
)

// askedText says when the lists were asked, or that they are being asked.
func (l *live) askedText() string {
	if l.loading {
		return "asking …"
	}
	if l.asked.IsZero() {
		return ""
	}
	return "asked " + clock(l.asked)
}

// lines say how each list answered, in lines of at most w cells.
func (l *live) lines(k *inks, w int) []string {
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
			add(k.bad, "✗ "+client.CleanLine(l.err.Error()))
		default:
			add(k.muted, "… asking the gateway which models it offers; the catalog needs no answer")
		}
		return out
	}
	for i := range l.sources {
		s := &l.sources[i]
		ink := k.good
		switch {
		case l.loading:
			ink = k.muted
		case s.Err != nil:
			ink = k.bad
		}
		add(ink, sourceText(s))
	}
	if l.err != nil && l.have {
		add(k.warn, "⚠ this is what the lists said at "+clock(l.of))
	}
	return out
}

// clock is a time of today, in the zone of this machine.
func clock(at time.Time) string { return human.Times{Now: at.Local()}.Clock(at) }

// sourceText is how a list answered.
func sourceText(s *client.ModelSource) string {
	name := bound(s.Path, maxName)
	if s.Guess {
		name += " (a guess of ours: this list's path is not documented)"
	}
	if s.Err == nil {
		text := "✓ " + name + ": " + plural(s.Count, "model", "models")
		if s.Meta.Latency > 0 {
			text += ", " + human.Dur(s.Meta.Latency)
		}
		return text
	}
	text := "✗ " + name + ": " + reason(s)
	if s.Count > 0 {
		text += "; " + plural(s.Count, "model", "models") + " came before that"
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

// summary is how the lists answered in one line.
func (l *live) summary(k *inks) string {
	if l.loading && len(l.sources) == 0 {
		return k.muted.Text("… asking the gateway")
	}
	if len(l.sources) == 0 {
		if l.err == nil {
			return ""
		}
		return k.bad.Text("✗ " + bound(l.err.Error(), maxTextOfError))
	}
	var parts []string
	for i := range l.sources {
		s := &l.sources[i]
		name := bound(s.Name, 20)
		if s.Guess {
			name += " (guess)"
		}
		if s.Err == nil {
			parts = append(parts, k.good.Text("✓ "+name+" "+human.Count(s.Count)))
			continue
		}
		parts = append(parts, k.bad.Text("✗ "+name+" "+shortReason(s.Err)))
	}
	return strings.Join(parts, k.faint.Text(" · "))
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
