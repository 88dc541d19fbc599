package tuitest

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// Host is a screen that has nothing but dialogs.
type Host struct {
	*Driver
	screen.Stack
	// Answers are what the dialogs have answered, in order.
	Answers []any
}

// NewDialog drives a dialog as the stack of a screen would, with [Styles]; a nil d opens none yet.
func NewDialog(t testing.TB, k keys.Map, d screen.Dialog, w, h int) *Host {
	t.Helper()
	host := &Host{Driver: newDriver(t)}
	host.Stack = screen.NewStack(k, Styles(t), func(a any) tea.Cmd {
		host.Answers = append(host.Answers, a)
		return nil
	})
	host.shell = true
	host.update = func(msg tea.Msg) tea.Cmd {
		cmd, _ := host.Update(msg)
		return cmd
	}
	host.view = func() string {
		w, h := host.Size()
		return host.Stack.View(widgets.Fit(strings.Repeat("\n", h-1), w, h))
	}
	host.resize = func(w, h int) tea.Cmd { host.SetSize(w, h); return nil }
	host.Resize(w, h)
	if d != nil {
		host.Show(d)
	}
	return host
}

// Show opens a dialog, over those that are open.
func (h *Host) Show(d screen.Dialog) {
	h.t.Helper()
	h.run(h.Open(d))
	h.collect()
}

// View returns what a person sees.
func (h *Host) View() string { return h.Driver.View() }

// Do does an action as the palette does; it must be offered and not be off.
func (h *Host) Do(id string) {
	h.t.Helper()
	for _, a := range h.Actions() {
		if a.ID == id && a.Off == "" {
			h.Send(screen.ActionMsg{ID: id})
			return
		}
	}
	h.t.Fatalf("tuitest: action %s is not offered: %s", id, fmt.Sprint(h.Actions()))
}
