package zoom

import (
	"strings"

	"darkroom/tui/gallery"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Caption is what is said of the results.
type Caption struct {
	Title, Right string
	Name         string                   // of what is looked at, in a few words
	Other        string                   // of what it is compared with, "" for nothing
	Card         func(id string) []string // in place of a file; may be nil
}

// View draws it in exactly its room.
func (m *Model) View(c Caption) string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	right := c.Right
	if text := m.text(); text != "" {
		right = strings.TrimPrefix(right+" · "+text, " · ")
	}
	muted, accent := widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Accent)
	right = muted.Text(widgets.Truncate(right, max(0, m.w/2)))
	title := widgets.Line(widgets.Spread(" "+accent.Text(widgets.Truncate(c.Title, max(1, m.w-widgets.Width(right)-2))), right, m.w), m.w)
	if m.IsBeside() {
		return widgets.Fit(title+"\n"+m.halvesView(c), m.w, m.h)
	}
	why := ""
	if m.Other() == "" {
		why = "look at another result, or mark one, to flip between the two"
	}
	caption := gallery.Caption{Title: title, Other: c.Other, Why: why, Film: m.film(m.id)}
	caption.Card = func(w, _ int) []string { return m.card(c, m.id, w) }
	return widgets.Fit(m.Zoom.View(caption), m.w, m.h)
}

// text says how large the picture shows, or how far the video is.
func (m *Model) text() string {
	if p := m.films.lane(m.media(m.id).Path); m.films.on && p != nil {
		text := p.Text()
		if m.films.paths[1] != "" && m.films.ready {
			text += ", both in step"
		}
		return text
	}
	if m.IsBeside() {
		return ""
	}
	return m.ScaleText()
}

// film is the frame of a result that plays, nil for none.
func (m *Model) film(id string) []string {
	if p := m.films.lane(m.media(id).Path); m.films.on && p != nil {
		return p.Lines()
	}
	return nil
}

func (m *Model) card(c Caption, id string, w int) []string {
	if c.Card == nil {
		return nil
	}
	lines := c.Card(id)
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, widgets.WrapLines(l, max(4, w), 4)...)
	}
	return out
}

// halvesView draws both results side by side.
func (m *Model) halvesView(c Caption) string {
	names := [2]string{c.Name, c.Other}
	var blocks []string
	for i, id := range m.pair() {
		w, h := m.half()
		name := widgets.NewInk(m.st.Muted).Text(widgets.Truncate(" "+names[i], w))
		lines := []string{widgets.Line(name, w)}
		if h > 0 {
			lines = append(lines, strings.Split(widgets.Fit(strings.Join(m.halfLines(c, i, id, w, h), "\n"), w, h), "\n")...)
		}
		blocks = append(blocks, strings.Join(lines, "\n"))
	}
	return zone.Mark("zoom", widgets.JoinColumns(1, blocks...))
}

func (m *Model) halfLines(c Caption, i int, id string, w, h int) []string {
	if film := m.film(id); film != nil {
		return film
	}
	p := &m.halves[i]
	switch {
	case p.Have && p.Got.Lines != nil && p.Wanted.Width == w && p.Wanted.Height == h:
		return p.Got.Lines
	case p.Have && p.Got.Lines == nil && p.Got.Err == nil:
		return strings.Split(preview.Card(m.st, p.Got.Info, w, h), "\n")
	case p.Have:
		return m.card(c, id, w)
	default:
		return []string{widgets.NewInk(m.st.Faint).Text("preview …")}
	}
}
