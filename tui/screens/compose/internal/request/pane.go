// Package request is the pane of Compose that shows the request a draft makes: as JSON, as a curl
// command, or in every format that reaches the model. It is given drafts and knows no form.
package request

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/themes"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/scroll"
	"darkroom/tui/widgets/zone"
)

// Zones of the pane.
const (
	Zone     = "compose-request"
	zoneTab  = "compose-tab/"
	zoneWire = "compose-wire/"
)

// Tab is how the request is shown.
type Tab int

// The tabs, in their order.
const (
	JSON Tab = iota
	Curl
	Wire // every format that reaches the model
)

// Source is the input of a request. Wide is the draft with the values that other formats carry, and
// Formats are those that reach its model: both are for [Wire].
type Source struct {
	Draft   client.Draft
	Format  string
	Wide    client.Draft
	Formats []string
}

// MadeMsg brings the request that a draft makes.
type MadeMsg struct {
	preview client.Preview
	shown   string // the curl command as it is shown: clean, with long data URIs abbreviated
	wire    []part
	err     error
}

// Pane shows the newest request. At most one is being made.
type Pane struct {
	gateway Gateway
	st      *themes.Styles
	pens    pens.Pens
	w       int

	tab     Tab
	got     MadeMsg
	have    bool
	busy    bool // a command is on its way
	stale   bool // the draft changed since that command began
	asked   Source
	body    scroll.Model
	version int
}

// New is a pane that shows nothing yet.
func New(g Gateway, st *themes.Styles) Pane {
	p := Pane{gateway: g, st: st, pens: pens.New(st)}
	p.body.Zone = Zone
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *themes.Styles) {
	p.st, p.pens = st, pens.New(st)
	p.layout()
}

// SetSize sets the size of the request itself, below its head.
func (p *Pane) SetSize(w, h int) {
	p.body.SetSize(w, h)
	if w != p.w {
		p.w = w
		p.layout()
	}
}

// Tab is the one that shows.
func (p *Pane) Tab() Tab { return p.tab }

// Show shows another tab. The tab of all formats is empty until a request was made for it.
func (p *Pane) Show(t Tab) {
	p.tab = t
	p.layout()
}

// Make makes the request anew. While one is being made, changes wait until it has come, so that the
// newest draft wins.
func (p *Pane) Make(s Source) tea.Cmd {
	p.asked = s
	if p.busy {
		p.stale = true
		return nil
	}
	p.busy, p.stale = true, false
	return Make(p.gateway, s)
}

// Make makes the request of a source.
func Make(g Gateway, s Source) tea.Cmd {
	return func() tea.Msg {
		p, err := g.Preview(s.Draft, s.Format)
		wire := parts(g, s.Wide, s.Formats)
		if err != nil {
			return MadeMsg{err: err, wire: wire}
		}
		curl, err := g.Curl(s.Draft, s.Format)
		if err != nil {
			curl = "# " + err.Error()
		}
		return MadeMsg{preview: p, wire: wire, shown: client.Clean(datauri.New().Fold(curl))}
	}
}

// Take shows a request that was made; again reports that the draft has changed meanwhile.
func (p *Pane) Take(msg MadeMsg) (again bool) {
	p.busy, p.have, p.got = false, true, msg
	p.layout()
	return p.stale
}

// Preview is the request that shows, nil when the draft makes none, or none was made yet.
func (p *Pane) Preview() *client.Preview {
	if !p.have || p.got.err != nil {
		return nil
	}
	return &p.got.preview
}

// Version changes whenever the pane shows something else, except for what Top and Head return.
func (p *Pane) Version() int { return p.version }

// Top is the first line of the request that shows.
func (p *Pane) Top() int { return p.body.Top() }

// layout puts the request into the window that scrolls.
func (p *Pane) layout() {
	p.version++
	w := max(10, p.w-2) // two for the scroll bar
	switch {
	case !p.have:
		p.body.SetLines(nil)
	case p.tab == Wire && len(p.got.wire) > 0:
		p.body.SetLines(p.wireLines(w))
	case p.got.err != nil:
		p.body.SetLines(widgets.WrapLines("no request yet: "+client.CleanLine(p.got.err.Error()), max(10, p.w), 0))
	case p.tab == Curl:
		var lines []string
		for l := range strings.SplitSeq(p.got.shown, "\n") {
			lines = append(lines, widgets.Hang(l, w, p.pens.Faint)...)
		}
		p.body.SetLines(lines)
	default:
		p.body.SetLines(jsonview.RenderIn(p.st, p.got.preview.Body, client.Clean, w))
	}
}

// Head is the line over the request: where it goes, in what format, how big it is.
func (p *Pane) Head() string {
	if p.have && p.tab == Wire {
		return widgets.Spread(p.pens.Code.Text(widgets.Truncate(client.CleanLine(p.asked.Draft.Model), p.w)),
			p.pens.Faint.Text("through "+human.Plural(len(p.got.wire), "format")), p.w)
	}
	r := p.Preview()
	if r == nil {
		return ""
	}
	where := p.pens.Code.Text(widgets.Truncate(client.CleanLine(r.Method+" "+r.Path), p.w))
	what := fmt.Sprintf("%s · %s", client.CleanLine(r.Label), size(r.Bytes))
	if widgets.Width(where)+widgets.Width(what)+2 > p.w {
		what = size(r.Bytes)
	}
	return widgets.Spread(where, p.pens.Faint.Text(what), p.w)
}

// View is the request, in the size that was set.
func (p *Pane) View() string { return p.body.View(p.st) }

// Tabs are the tabs of the pane, as zones to click.
func (p *Pane) Tabs() string {
	var out []string
	for i, name := range []string{"JSON", "curl", "wire"} {
		label, ink := " "+name+" ", p.pens.Faint
		if Tab(i) == p.tab {
			label, ink = "‹"+name+"›", p.pens.Title
		}
		out = append(out, zone.Mark(zoneTab+strconv.Itoa(i), ink.Text(label)))
	}
	return strings.Join(out, "")
}

// Move scrolls by lines.
func (p *Pane) Move(lines int) { p.body.Move(lines) }

// Wheel scrolls by notches of the wheel.
func (p *Pane) Wheel(delta int) { p.body.Wheel(delta) }

// Update scrolls by a key.
func (p *Pane) Update(k tea.KeyMsg) { p.body.Update(k) }

// Holds reports whether a zone belongs to the pane, so that the wheel scrolls it.
func Holds(id string) bool { return id == Zone || strings.HasPrefix(id, zoneWire) }

// TabAt is the tab of a zone.
func TabAt(id string) (Tab, bool) {
	rest, ok := strings.CutPrefix(id, zoneTab)
	n, err := strconv.Atoi(rest)
	return Tab(n), ok && err == nil && n >= int(JSON) && n <= int(Wire)
}

// CopyAt is what a zone copies, as [Pane.Copy] takes it.
func CopyAt(id string) (string, bool) { return strings.CutPrefix(id, zoneWire) }

func size(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n) + " B"
	case n < 10_000_000:
		return strconv.Itoa(n/1000) + " kB"
	default:
		return strconv.Itoa(n/1_000_000) + " MB"
	}
}
