package compose

import (
	"math/rand/v2"

	tea "github.com/charmbracelet/bubbletea"

	rules "darkroom/client/batch"
	"darkroom/client/media"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
)

// batches is what is known of the batches that were made of the form.
type batches struct {
	memory batch.Memory
	last   *uint64 // what the last one was drawn with, nil for nothing
	run    batchRun
}

// drawn is a number to draw a batch with.
func (m *Model) drawn() uint64 {
	if m.deps.Seed != nil {
		return m.deps.Seed()
	}
	return uint64(rand.Uint32()) //nolint:gosec // a number to repeat a batch with, no secret
}

// openBatch opens the dialog over a batch, once the references of the form are resolved.
func (m *Model) openBatch(kind batch.Kind, asked bool) tea.Cmd {
	if m.sending.Busy() {
		return screen.Toast(screen.Warn, sending.Still)
	}
	open := func() tea.Cmd {
		m.doc.Refresh()
		return m.open(batch.New(batch.Options{
			Kind: kind, Asked: asked, Form: m.batchForm(), Memory: &m.batch.memory, Last: m.batch.last,
			Catalog: m.deps.Catalog, Gateway: m.deps.Gateway, Wildcards: m.deps.wildcards, Keys: m.deps.Keys,
			Seed: m.drawn, Show: func(v any) string { return media.Readable(sheet.Text(v)) },
		}))
	}
	if look := m.sheet.ResolveLocal(references.GoOn); look != nil {
		m.ready = open
		return look
	}
	return open()
}

// batchForm is the form as a batch begins with it.
func (m *Model) batchForm() batch.Form {
	return batch.Form{Draft: m.sheet.Draft, Format: m.sheet.Effective().Format, Copies: m.sheet.Copies(), Mode: m.sheet.Template.Mode, Vars: m.sheet.Template.Vars, Blocked: m.sheet.Blocked}
}

// recount follows when the form was changed behind a dialog that shows it, as by the palette.
func (m *Model) recount() tea.Cmd {
	var batched, kept tea.Cmd
	if m.over.Has(batch.Scope) {
		batched, _ = m.over.Update(m.batchForm())
	}
	if m.over.Has(presets.Scope) {
		kept, _ = m.over.Update(m.presetForm())
	}
	return tea.Batch(batched, kept)
}

// sendBatch journals the jobs of a dialog.
func (m *Model) sendBatch(b batch.Submit) tea.Cmd {
	if off := m.notNow(); off != nil {
		cmd, _ := m.over.Update(batch.Sent{To: b.From, Not: true})
		return tea.Batch(off, cmd)
	}
	m.sheet.Refusal = findings.Refusal{}
	return m.sending.SendBatch(m.deps.Jobs, b)
}

// batchSent follows when a batch was written down, or could not be.
func (m *Model) batchSent(msg sending.SentMsg) tea.Cmd {
	m.batch.run.began(msg)
	if msg.Err == nil && msg.Master != nil {
		m.batch.last = msg.Master
	}
	if msg.Batch == nil {
		return nil
	}
	cmd, _ := m.over.Update(batch.Sent{To: msg.Batch, Err: msg.Err})
	return cmd
}

// batchInput is the form as the rules of batches take it, n copies of it.
func (m *Model) batchInput(n int) rules.Input {
	in := rules.Input{Catalog: m.deps.Catalog, Gateway: m.deps.Gateway, Base: m.sheet.Draft, Format: m.sheet.Effective().Format, Count: n, Seeds: rules.SeedsOf(m.sheet.Draft)}
	if n > 1 {
		in.Master = m.drawn()
	}
	return in
}
