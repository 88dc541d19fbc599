package app

import (
	"strings"

	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/helpbar"
)

// bars are the lines around a screen, and the screen between them, as they were drawn last: most keys
// change a line or two, and the rest is not measured again.
type bars struct {
	titled titled
	title  string
	helped helped
	help   string
	raw    []string // lines of the screen
	fitted []string // the same, exactly as wide as the console
	w, h   int
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
		b.helped, b.help = is, helpbar.Line(m.st, s, m.helpRight(), m.w)
	}
	return b.help
}

// fit makes a screen exactly w x h cells. A line that is the same as before is so still.
func (b *bars) fit(raw string, w, h int) string {
	if strings.Count(raw, "\n") != h-1 {
		b.raw = b.raw[:0]
		return widgets.Fit(raw, w, h)
	}
	if w != b.w || h != b.h || len(b.raw) != h {
		b.w, b.h, b.raw, b.fitted = w, h, make([]string, h), make([]string, h)
	}
	i := 0
	for line := range strings.SplitSeq(raw, "\n") {
		if line != b.raw[i] || b.fitted[i] == "" {
			b.raw[i], b.fitted[i] = line, widgets.Fit(line, w, 1)
		}
		i++
	}
	return strings.Join(b.fitted, "\n")
}
