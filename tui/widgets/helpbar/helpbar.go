// Package helpbar draws keys and what they do: a line at the bottom of the screen and
// the full list of the help overlay.
package helpbar

import (
	"strings"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"

	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Line draws the short help of a key map in exactly w cells. Entries that do not fit are left out
// whole, the last first. Right stands at the right end as long as there is room.
func Line(st *themes.Styles, km help.KeyMap, right string, w int) string {
	if w <= 0 {
		return ""
	}
	keys, text := widgets.NewInk(st.HelpKey), widgets.NewInk(st.HelpText)
	room := w
	if right != "" {
		room -= widgets.Width(right) + 2
		if room < w/3 {
			room, right = w, ""
		}
	}
	var b strings.Builder
	used := 0
	for _, k := range km.ShortHelp() {
		h := k.Help()
		if !k.Enabled() || h.Key == "" {
			continue
		}
		n := 1 + widgets.Width(h.Key) + 1 + widgets.Width(h.Desc) + 1
		if used+n > room {
			break
		}
		used += n
		b.WriteString(" " + keys.Text(h.Key) + " " + text.Text(h.Desc) + " ")
	}
	if right != "" {
		right += " "
	}
	return widgets.Spread(b.String(), right, w)
}

// Group is a column of the full help.
type Group struct {
	Title    string
	Bindings []key.Binding
}

// Titled is a key map that has a title for each column of its full help.
type Titled interface{ HelpTitles() []string }

// Groups makes groups of a key map's full help; titles are taken in order, and may be
// fewer than the columns. The key map's own go before them.
func Groups(km help.KeyMap, titles ...string) []Group {
	if own, ok := km.(Titled); ok {
		titles = own.HelpTitles()
	}
	var out []Group
	for i, col := range km.FullHelp() {
		g := Group{Bindings: col}
		if i < len(titles) {
			g.Title = titles[i]
		}
		out = append(out, g)
	}
	return out
}

// Full draws groups as lines of at most w cells, beside each other in as many columns
// as fit and are needed to keep it low. The lines are for a scroll.Model.
func Full(st *themes.Styles, groups []Group, w int) []string {
	var blocks [][]string
	widest := 1
	for _, g := range groups {
		b := groupLines(st, g)
		if len(b) == 0 {
			continue
		}
		blocks = append(blocks, b)
		for _, l := range b {
			widest = max(widest, widgets.Width(l))
		}
	}
	if len(blocks) == 0 || w <= 0 {
		return nil
	}
	const gap = 3
	n := max(1, min(len(blocks), (w+gap)/(widest+gap)))
	cols := share(blocks, n)
	height := 0
	for _, c := range cols {
		height = max(height, len(c))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		for i, c := range cols {
			cell := ""
			if y < len(c) {
				cell = c[y]
			}
			if i < len(cols)-1 {
				cell = widgets.Pad(cell, widest+gap)
			}
			b.WriteString(cell)
		}
		out[y] = widgets.Truncate(b.String(), w)
	}
	return out
}

// share puts each block into the column that is the lowest so far.
func share(blocks [][]string, n int) [][]string {
	cols := make([][]string, n)
	for _, b := range blocks {
		low := 0
		for i := range cols {
			if len(cols[i]) < len(cols[low]) {
				low = i
			}
		}
		if len(cols[low]) > 0 {
			cols[low] = append(cols[low], "")
		}
		cols[low] = append(cols[low], b...)
	}
	return cols
}

func groupLines(st *themes.Styles, g Group) []string {
	keys, text := widgets.NewInk(st.HelpKey), widgets.NewInk(st.HelpText)
	wide := 0
	var shown []key.Binding
	for _, k := range g.Bindings {
		if k.Enabled() && k.Help().Desc != "" {
			shown = append(shown, k)
			wide = max(wide, widgets.Width(k.Help().Key))
		}
	}
	if len(shown) == 0 {
		return nil
	}
	var out []string
	if g.Title != "" {
		out = append(out, widgets.NewInk(st.Head).Text(g.Title))
	}
	for _, k := range shown {
		h := k.Help()
		out = append(out, keys.Text(widgets.Pad(h.Key, wide))+"  "+text.Text(h.Desc))
	}
	return out
}
