package app

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// routed is a message that a command of one screen returned: it goes back to that
// screen and to no other.
type routed struct {
	to  screen.ID
	msg tea.Msg
}

var teaPackage = reflect.TypeFor[tea.QuitMsg]().PkgPath()

// route makes a screen's command answer to that screen. Messages for the shell, or for bubbletea
// itself, pass unchanged.
func route(to screen.ID, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return wrap(to, cmd()) }
}

func wrap(to screen.ID, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		out := make(tea.BatchMsg, 0, len(m))
		for _, c := range m {
			if c = route(to, c); c != nil {
				out = append(out, c)
			}
		}
		return out
	case screen.ToastMsg:
		return toastOf{owner: to, toast: m}
	case screen.OpenMsg, toastOf, screen.UntoastMsg, screen.CopyMsg, screen.OpenFileMsg, screen.SwitchMsg, screen.ThemesMsg, routed:
		return msg
	case screen.EditMsg:
		return editFor{to: to, edit: m}
	default:
		if t := reflect.TypeOf(msg); t.PkgPath() == teaPackage {
			return msg // bubbletea's own: quit, exec and their kin
		}
		return routed{to: to, msg: msg}
	}
}

// toastOf is a toast that a screen shows.
type toastOf struct {
	owner screen.ID
	toast screen.ToastMsg
}

// editFor is an edit requested by a screen.
type editFor struct {
	to   screen.ID
	edit screen.EditMsg
}
