// Package documenttest has a document for tests of code that works on one.
package documenttest

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/tuitest"
)

// Gateway has one format, in which a request is its prompt.
type Gateway struct{}

// Formats implements the sheet's gateway.
func (Gateway) Formats() []client.Format { return nil }

// FormatsFor implements the sheet's gateway.
func (Gateway) FormatsFor(client.Draft) []string { return []string{"videos"} }

// Preview implements request.Gateway.
func (Gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	return client.Preview{Format: format, Body: []byte(d.Prompt)}, nil
}

// Curl implements request.Gateway.
func (Gateway) Curl(d client.Draft, _ string) (string, error) { return d.Prompt, nil }

// Body implements request.Gateway.
func (Gateway) Body(_ context.Context, d client.Draft, _ string) ([]byte, error) {
	return []byte(d.Prompt), nil
}

// New is an empty document over the test catalog, without watchers. Only alt+z is a key.
func New(t testing.TB, change ...func(*document.Options)) *document.Document {
	t.Helper()
	st, c := tuitest.Styles(t), catalogtest.Catalog(t)
	k := keys.New([]keys.Action{{ID: document.ActBringBack, Title: "Bring back", Keys: []string{"alt+z"}}})
	nothing := func() tea.Cmd { return nil }
	o := document.Options{
		Sheet: sheet.New(c, Gateway{}, k, st, nil), Gateway: Gateway{}, Catalog: c, Keys: k, Styles: st,
		Watcher: document.Watcher{Refreshed: func() {}, Changed: nothing, Touched: nothing},
	}
	for _, f := range change {
		f(&o)
	}
	d := document.New(o)
	d.Saver.Later = nothing
	d.SetSize(120, 34)
	d.Refresh()
	return d
}

// Run runs a command, hands its messages to a document, repeats that with what follows, and returns
// the texts of the toasts among the messages.
func Run(d *document.Document, cmd tea.Cmd) (toasts []string) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			toasts = append(toasts, Run(d, c)...)
		}
	case screen.ToastMsg:
		return []string{msg.Text}
	case autosave.LoadedMsg:
		return Run(d, d.Loaded(msg, false))
	default:
		next, _ := d.Update(msg)
		return Run(d, next)
	}
	return toasts
}
