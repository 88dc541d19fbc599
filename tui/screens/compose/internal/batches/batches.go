// Package batches makes batches of the form of Compose: what their dialog starts with, and what is
// remembered for the next one.
package batches

import (
	"math/rand/v2"

	tea "github.com/charmbracelet/bubbletea"

	rules "darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
)

// Options are what batches are made with.
type Options struct {
	Catalog   *catalog.Catalog
	Gateway   rules.Gateway
	Wildcards rules.Wildcards
	Keys      keys.Map
	Seed      func() uint64 // draws what a batch is drawn with; nil draws a number of 32 bits by chance
}

// Batches makes batches. Make it with [New].
type Batches struct {
	o      Options
	doc    *document.Document
	over   *screen.Stack
	memory batch.Memory
	last   *uint64 // what the last one was drawn with, nil for nothing
}

// New makes batches of the form of a document.
func New(o Options, d *document.Document, over *screen.Stack) *Batches {
	if o.Seed == nil {
		o.Seed = func() uint64 { return uint64(rand.Uint32()) } //nolint:gosec // a number to repeat a batch with, no secret
	}
	return &Batches{o: o, doc: d, over: over}
}

// Open opens the dialog over a batch, once the references of the form are resolved. Asked says that
// it opens because the prompt may be a template.
func (b *Batches) Open(kind batch.Kind, asked bool) tea.Cmd {
	return b.doc.After(b.doc.Sheet.ResolveLocal(references.GoOn), func() tea.Cmd {
		b.doc.Refresh()
		b.doc.Side.ShowForm()
		return b.over.Open(batch.New(batch.Options{
			Kind: kind, Asked: asked, Form: b.form(), Memory: &b.memory, Last: b.last,
			Catalog: b.o.Catalog, Gateway: b.o.Gateway, Wildcards: b.o.Wildcards, Keys: b.o.Keys,
			Seed: b.o.Seed, Show: func(v any) string { return media.Readable(sheet.Text(v)) },
		}))
	})
}

// form is the form that a batch starts with.
func (b *Batches) form() batch.Form {
	s := b.doc.Sheet
	return batch.Form{Draft: s.Draft, Format: s.Effective().Format, Copies: s.Copies(), Mode: s.Template.Mode, Vars: s.Template.Vars, Blocked: s.Blocked}
}

// Recount updates the dialog when the form was changed behind it, for example by the palette.
func (b *Batches) Recount() tea.Cmd {
	if !b.over.Has(batch.Scope) {
		return nil
	}
	cmd, _ := b.over.Update(b.form())
	return cmd
}

// Sent follows up jobs that were journalled, or could not be.
func (b *Batches) Sent(msg sending.SentMsg) tea.Cmd {
	if msg.Err == nil && msg.Master != nil {
		b.last = msg.Master
	}
	if msg.Batch == nil {
		return nil
	}
	cmd, _ := b.over.Update(batch.Sent{To: msg.Batch, Err: msg.Err})
	return cmd
}

// Copies is the form, n times, as input of the rules for batches.
func (b *Batches) Copies(n int) rules.Input {
	s := b.doc.Sheet
	in := rules.Input{Catalog: b.o.Catalog, Gateway: b.o.Gateway, Base: s.Draft, Format: s.Effective().Format, Count: n, Seeds: rules.SeedsOf(s.Draft)}
	if n > 1 {
		in.Master = b.o.Seed()
	}
	return in
}
