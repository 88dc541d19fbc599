// Package helpbar draws keys and what they do: a line at the bottom of the screen, and the full list
// of the help overlay, which can be searched.
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

// Group is a part of the full help.
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
