package app

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/picker"
)

// autoTheme follows the terminal's background.
const autoTheme = "auto"

// themePick is the choice of a theme: what has the cursor shows on the whole console at once.
type themePick struct {
	was  *themes.Styles
	auto bool
}

func offThemes(m *Model) string {
	if m.st.Plain {
		return "there are no colours here: --plain, NO_COLOR, or what the terminal says"
	}
	return ""
}

// openThemes lists the themes. Those with a mistake say where it is.
func openThemes(m *Model) {
	items := []picker.Item{{ID: autoTheme, Title: autoTheme, Sign: " ", Detail: "follows the terminal", About: []string{"Dark or light, like the terminal's background."}}}
	for _, name := range m.o.Themes {
		items = append(items, themeItem(m, name))
	}
	m.palette = picker.New("Theme", "name of a theme", items)
	m.palette.Keys, m.palette.Aligned = "enter keeps it", true
	shown := m.st.Name
	if m.o.Auto {
		shown = autoTheme
	}
	m.palette.Select(shown)
	m.themes = &themePick{was: m.st, auto: m.o.Auto}
	m.overlay = paletteOverlay
}

func themeItem(m *Model, name string) picker.Item {
	it := picker.Item{ID: name, Title: client.CleanLine(name), Sign: " "}
	st, err := m.o.Theme(name)
	if err != nil {
		it.Off = mistakeIn(err)
		it.About = widgets.WrapLines(it.Off, themeWidth-4, 4)
		return it
	}
	if it.Detail = "dark"; !st.Dark {
		it.Detail = "light"
	}
	if m.st.Name == name {
		it.Sign = "●"
	}
	return it
}

// themeWidth is how wide the choice is at most, in cells: beside it the console shows the theme.
const themeWidth = 46

// mistakeIn is what is wrong with a theme's file, with line and column in words.
func mistakeIn(err error) string {
	text := client.CleanLine(err.Error())
	_, rest, ok := strings.Cut(text, "[")
	var line, column int
	if n, _ := fmt.Sscanf("["+rest, "[%d:%d]", &line, &column); !ok || n != 2 {
		return text
	}
	_, what, _ := strings.Cut(rest, "] ")
	return fmt.Sprintf("line %d, column %d: %s", line, column, what)
}

// themeName is the theme that an item of the choice stands for.
func themeName(m *Model, item string) string {
	switch {
	case item != autoTheme:
		return item
	case m.behind != nil && !*m.behind:
		return themes.Light
	}
	return themes.Dark
}

// follow goes on after a key or a click in the choice of a theme.
func (p *themePick) follow(m *Model, e picker.Event) tea.Cmd {
	it, ok := m.palette.Current()
	switch {
	case e == picker.Cancelled:
		return p.leave(m)
	case e == picker.Picked && ok:
		m.overlay, m.themes = noOverlay, nil
		m.o.Auto = it.ID == autoTheme
		return tea.Batch(m.useTheme(themeName(m, it.ID)), keepTheme(m, it.ID, false))
	case ok && it.Off == "":
		return m.useTheme(themeName(m, it.ID))
	}
	return nil
}

// leave gives the former theme back.
func (p *themePick) leave(m *Model) tea.Cmd {
	m.overlay, m.themes = noOverlay, nil
	m.o.Auto = p.auto
	return wear(m, p.was)
}

// view lays the choice over the right of the frame, which keeps its colours.
func (p *themePick) view(m *Model, frame string) string {
	w, h := min(m.w-2, themeWidth), min(m.h-2, max(16, len(m.o.Themes)+10))
	return overlay.Place(frame, m.palette.View(m.st, w, h), m.w-w-1, 1)
}

// keepTheme writes the theme into the settings. Quiet says nothing of one that is kept.
func keepTheme(m *Model, name string, quiet bool) tea.Cmd {
	keep := m.o.KeepTheme
	switch {
	case keep == nil && quiet:
		return nil
	case keep == nil:
		return m.toasts.show(screen.Info, "theme: "+name)
	}
	return func() tea.Msg {
		note, err := keep(name)
		switch {
		case err != nil:
			return screen.ToastMsg{Level: screen.Bad, Text: "the theme is in use, but was not saved: " + err.Error()}
		case note != "":
			return screen.ToastMsg{Level: screen.Warn, Text: note}
		case quiet:
			return nil
		}
		return screen.ToastMsg{Level: screen.Good, Text: strings.TrimSpace("theme: " + name)}
	}
}
