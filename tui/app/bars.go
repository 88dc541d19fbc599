package app

import (
	"strings"

	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/helpbar"
	"darkroom/tui/widgets/zone"
)

// bars are the lines around a screen as they were drawn last. Most keys change a line or two of the
// whole, and the rest is not measured again.
type bars struct {
	titled titled
	title  string
	helped helped
	help   string
}

// titled is what the title line is made from.
type titled struct {
	w, active                               int
	st                                      *themes.Styles
	tabs, trouble, elsewhere                string
	profile, origin, color, banner, refused string
	sandbox, readOnly                       bool
	counts                                  jobs.Counts
	left                                    int // seconds that the gateway asked to wait
}

// titleLine is the title line.
func (b *bars) titleLine(m *Model) string {
	is := titled{
		w: m.w, active: m.active, st: m.st, trouble: m.trouble, elsewhere: elsewhere(m, true),
		profile: m.o.Profile, origin: m.o.Origin, color: m.o.Color, banner: m.o.Banner, refused: m.o.Forbidden,
		sandbox: m.o.Sandbox, readOnly: m.o.ReadOnly != nil && m.o.ReadOnly(), counts: m.counts,
	}
	tabs, lead := m.tabs(true)
	is.tabs = lead
	for _, t := range tabs {
		is.tabs += "\x00" + t.Label
	}
	if until := m.counts.Flow.Until; !until.IsZero() {
		is.left = seconds(until.Sub(m.o.Now()))
	}
	if b.title == "" || is != b.titled {
		b.titled, b.title = is, m.title()
	}
	return b.title
}

// helped is what the help line is made from.
type helped struct {
	w    int
	st   *themes.Styles
	keys string
}

// helpLine is the line of keys of a screen.
func (b *bars) helpLine(m *Model, s screen.Screen) string {
	var keys strings.Builder
	keys.WriteString(works(m, actPalette) + "\x00" + works(m, actHelp))
	for _, k := range s.ShortHelp() {
		if k.Enabled() {
			keys.WriteString("\x00" + k.Help().Key + "\x00" + k.Help().Desc)
		}
	}
	if is := (helped{m.w, m.st, keys.String()}); b.help == "" || is != b.helped {
		b.helped, b.help = is, helpbar.Line(m.st, s, helpRight(m), m.w)
	}
	return b.help
}

// page is a screen as it was drawn last.
type page struct {
	raw    string   // its View
	lines  []string // of it; none where they are not as many as fitted
	fitted []string // the same, exactly w x h cells; a line that did not change is the same string
	w, h   int
	marks  zone.Scanner // of frames with it
}

// take fits what a screen draws. A line that is the same as before is so still.
func (p *page) take(raw string, w, h int) {
	if raw == p.raw && p.fitted != nil && w == p.w && h == p.h {
		return
	}
	p.raw = raw
	if strings.Count(raw, "\n") != h-1 {
		p.lines, p.fitted = nil, strings.Split(widgets.Fit(raw, w, h), "\n")
		p.w, p.h = w, h
		return
	}
	if w != p.w || h != p.h || len(p.lines) != h {
		p.w, p.h, p.lines, p.fitted = w, h, make([]string, h), make([]string, h)
	}
	i := 0
	for line := range strings.SplitSeq(raw, "\n") {
		if line != p.lines[i] || p.fitted[i] == "" {
			line = strings.Clone(line) // else each line keeps the whole that it came in
			p.lines[i], p.fitted[i] = line, widgets.Fit(line, w, 1)
		}
		i++
	}
}
