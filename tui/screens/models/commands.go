package models

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// ask asks the gateway's lists and joins their answers with the catalog's rows, which are not
// written to.
func ask(ctx context.Context, g Gateway, base []row, gen int) tea.Cmd {
	return func() tea.Msg {
		list, err := g.Models(ctx)
		msg := liveMsg{gen: gen, sources: list.Sources, err: err}
		if err == nil {
			msg.rows = join(base, list.Models)
			msg.tally = count(msg.rows)
		}
		return msg
	}
}

// handOver puts a model into the person's draft of its kind, so that the prompt and the values
// stay, and hands the draft to another screen.
func handOver(cat *catalog.Catalog, drafts Drafts, x catalog.Model, to screen.ID) tea.Cmd {
	return func() tea.Msg {
		d, format, ok := cat.Default(x.Modality), "", false
		if d.Model != x.ID {
			d = client.Draft{Modality: x.Modality} // the presets were another model's
		}
		var old kept.Draft
		if drafts != nil {
			var err error
			if old, ok, err = drafts.Load(x.Modality); err != nil {
				return screen.ToastMsg{Level: screen.Bad, Text: "the draft could not be read, and would be lost: " + client.CleanLine(err.Error())}
			}
			if ok {
				d, format = old.Draft, old.Format
			}
		}
		d = withModel(d, x)
		if to == screen.Compare {
			return screen.OpenMsg{Screen: to, Payload: screen.CompareDraft{Draft: d}}
		}
		return screen.OpenMsg{Screen: to, Payload: screen.ComposeDraft{Draft: d, Format: format, Expand: old.Expand, Vars: old.Vars}}
	}
}

// withModel is a draft for a model: mode and model_name stay if the model has them, else they
// become its first.
func withModel(d client.Draft, x catalog.Model) client.Draft {
	d.Modality, d.Model = x.Modality, x.ID
	if _, ok := x.Mode(d.Mode); !ok {
		d.Mode = ""
		if len(x.Modes) > 0 {
			d.Mode = x.Modes[0].Name
		}
	}
	if !slices.Contains(x.ModelNames, d.ModelName) {
		d.ModelName = ""
		if len(x.ModelNames) > 0 {
			d.ModelName = x.ModelNames[0]
		}
	}
	return d
}
