// Package panel is the pulse of the work beside the list: a few sections of labels and values, which
// a command reads again when there was news, and not more often than every few seconds.
package panel

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/themes"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/scroll"
)

// Zone is that of the panel.
const Zone = "pulse"

// How often it is read again, and how long that may take.
const (
	every    = 2 * time.Second
	readTime = 30 * time.Second
)

// Level says how a row stands out.
type Level int

// The levels.
const (
	Plain Level = iota
	Good
	Warn
	Bad
)

// Row is a value with its label. They may hold texts of strangers.
type Row struct {
	Label, Value string
	Level        Level
}

// Section is some rows below a title; None is said where there are none.
type Section struct {
	Title string
	Rows  []Row
	None  string
}

// Read reads the sections. It may touch the disk.
type Read func(ctx context.Context) ([]Section, error)

// Panel is the panel. Make it with [New].
type Panel struct {
	read     Read
	sections []Section
	err      error
	at       time.Time // when they were read
	asked    time.Time
	asking   bool
	stale    bool
	lines    scroll.Model
	w        int
}

// New is a panel that reads its sections so.
func New(read Read) Panel {
	p := Panel{read: read, stale: true}
	p.lines.Zone = Zone
	return p
}

// Took are the sections as they were read.
type Took struct {
	sections []Section
	err      error
}

// News notes that what it shows may have changed.
func (p *Panel) News() { p.stale = true }

// Again has it read again at once.
func (p *Panel) Again() { p.stale, p.asked = true, time.Time{} }

// Ask reads the sections where they are stale: one read at a time, with a pause between two.
func (p *Panel) Ask(now time.Time) tea.Cmd {
	if !p.stale || p.asking || p.Wait(now) > 0 {
		return nil
	}
	p.asking, p.stale, p.asked = true, false, now
	read := p.read
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), readTime)
		defer cancel()
		sections, err := read(ctx)
		return Took{sections, err}
	}
}

// Wait is how long it is until it may be read again, 0 for no time.
func (p *Panel) Wait(now time.Time) time.Duration {
	if p.asked.IsZero() {
		return 0
	}
	return max(0, every-now.Sub(p.asked))
}

// Stale reports whether it waits to be read again.
func (p *Panel) Stale() bool { return p.stale && !p.asking }

// Take takes what was read.
func (p *Panel) Take(m Took, now time.Time) {
	p.asking, p.err = false, m.err
	if m.err == nil {
		p.sections, p.at = m.sections, now
	}
	p.w = 0
}

// Move scrolls by a key, and reports whether it was one that does.
func (p *Panel) Move(k tea.KeyMsg) bool { return p.lines.Update(k) }

// Wheel scrolls by notches of the mouse wheel.
func (p *Panel) Wheel(delta int) { p.lines.Wheel(delta) }

// View draws the panel in exactly w x h cells.
func (p *Panel) View(st *themes.Styles, k *inks.Set, clock human.Times, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	p.lines.SetSize(iw, ih)
	if p.w != iw {
		p.w = iw
		p.lines.SetLines(p.layout(k, max(4, iw-2)))
	}
	right := ""
	if !p.at.IsZero() {
		right = "as of " + clock.Clock(p.at)
	}
	return widgets.Box(st, "Pulse", right, p.lines.View(st), w, h, false)
}

// Restyle has it drawn anew with other inks.
func (p *Panel) Restyle() { p.w = 0 }

// maxRow bounds a text of a row, in characters.
const maxRow = 200

func (p *Panel) layout(k *inks.Set, w int) (out []string) {
	if p.err != nil {
		out = append(out, k.Failure(p.err, w, 6)...)
		out = append(out, "")
	}
	if p.sections == nil && p.err == nil {
		return []string{k.Muted.Text("reading …")}
	}
	for i, s := range p.sections {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, k.Accent.Text(widgets.Truncate(s.Title, w)))
		if len(s.Rows) == 0 {
			out = append(out, inks.Wrapped(k.Muted, s.None, w, 3)...)
		}
		out = append(out, rows(k, s.Rows, w)...)
	}
	return out
}

// rows align the values behind the widest label that leaves room for them.
func rows(k *inks.Set, all []Row, w int) (out []string) {
	wide := 0
	for _, r := range all {
		wide = max(wide, widgets.Width(clean(r.Label)))
	}
	wide = min(wide, max(8, w/2))
	for _, r := range all {
		ink := [...]widgets.Ink{k.Text, k.Good, k.Warn, k.Bad}[r.Level]
		label := k.Label.Text(widgets.Line(widgets.Truncate(clean(r.Label), wide), wide))
		for i, l := range widgets.WrapLines(clean(r.Value), max(4, w-wide-2), 3) {
			if i > 0 {
				label = strings.Repeat(" ", wide)
			}
			out = append(out, label+"  "+ink.Text(l))
		}
	}
	return out
}

func clean(s string) string { return client.CleanLine(text.Cap(s, maxRow)) }
