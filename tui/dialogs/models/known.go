package models

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// Gateway lists the available models.
type Gateway interface {
	// FormatsFor are the formats that can create a draft.
	FormatsFor(d client.Draft) []string
	// Models fetches the gateway's lists of models.
	Models(ctx context.Context) (client.ModelList, error)
}

// Marks keeps which models are starred and were used. Its methods touch the disk, and return the
// resulting marks.
type Marks interface {
	Load() (kept.Marks, error)
	Star(model string, on bool) (kept.Marks, error)
	Used(model string) (kept.Marks, error)
	// Improve makes a chat model the one that improves prompts.
	Improve(model string) (kept.Marks, error)
}

// listLimit bounds the time for the gateway's model lists.
const listLimit = 30 * time.Second

// Known is the knowledge about models during a run of the console: the catalog, the gateway's
// lists, which are fetched when somebody chooses a model, and the person's marks. It takes
// messages before any dialog does.
type Known struct {
	catalog *catalog.Catalog
	gateway Gateway
	keep    Marks // nil keeps none
	// Usual is how long jobs of a model and mode take, by the history; 0 where that is not known.
	// Nil knows nothing.
	Usual func(model, mode string) time.Duration
	marks kept.Marks

	busy, have bool
	listed     []client.RemoteModel // as they were sent; nil before a list has answered
	err        error
}

// listedMsg brings the gateway's model lists.
type listedMsg struct {
	models []client.RemoteModel
	err    error
}

// markedMsg brings the marks, after reading or changing them. notice reports a star.
type markedMsg struct {
	marks  kept.Marks
	notice string
	err    error
}

// NewKnown begins with the catalog. Marks may be nil: then none are kept.
func NewKnown(c *catalog.Catalog, g Gateway, k Marks) *Known {
	return &Known{catalog: c, gateway: g, keep: k}
}

// Update handles the messages of its own commands, and ignores all others.
func (k *Known) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listedMsg:
		k.take(msg)
	case markedMsg:
		if msg.err != nil { // the former ones stay
			return screen.Toast(screen.Warn, "stars and recent models are not kept: "+client.CleanLine(msg.err.Error()))
		}
		k.marks = msg.marks
		if msg.notice != "" {
			return screen.Toast(screen.Info, msg.notice)
		}
	}
	return nil
}

// take takes over the lists. When none of them answered, the former ones stay.
func (k *Known) take(msg listedMsg) {
	k.busy, k.have, k.err = false, true, msg.err
	if msg.err == nil || len(msg.models) > 0 {
		k.listed = msg.models
		if k.listed == nil {
			k.listed = []client.RemoteModel{}
		}
	}
}

// ask fetches the gateway's lists, unless that is already under way.
func (k *Known) ask() tea.Cmd {
	if k.busy {
		return nil
	}
	k.busy = true
	g := k.gateway
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), listLimit)
		defer stop()
		l, err := g.Models(ctx)
		return listedMsg{models: l.Models, err: err}
	}
}

// changed is a command that changes the marks; nil where none are kept.
func (k *Known) changed(change func(Marks) (kept.Marks, error), notice string) tea.Cmd {
	keep := k.keep
	if keep == nil {
		return nil
	}
	return func() tea.Msg {
		marks, err := change(keep)
		return markedMsg{marks: marks, notice: notice, err: err}
	}
}

// Load reads the marks; other screens and programs set stars, too.
func (k *Known) Load() tea.Cmd { return k.changed(Marks.Load, "") }

// Used remembers a model that was submitted to.
func (k *Known) Used(model string) tea.Cmd {
	if model == "" {
		return nil
	}
	return k.changed(func(m Marks) (kept.Marks, error) { return m.Used(model) }, "")
}

// SetImprover makes a chat model the one that improves prompts.
func (k *Known) SetImprover(model string) tea.Cmd {
	k.marks.Improver = model
	return k.changed(func(m Marks) (kept.Marks, error) { return m.Improve(model) }, "")
}

// Improver is the chat model that improves prompts, "" for none.
func (k *Known) Improver() string { return k.marks.Improver }

// Star gives a model a star, or removes it.
func (k *Known) Star(model string) tea.Cmd {
	if off := k.OffStar(model); off != "" {
		return screen.Toast(screen.Info, off)
	}
	on := !slices.Contains(k.marks.Stars, model)
	notice := "★ " + client.CleanLine(model) + " is listed first from now on"
	if !on {
		notice = client.CleanLine(model) + " no longer has a star"
	}
	return k.changed(func(m Marks) (kept.Marks, error) { return m.Star(model, on) }, notice)
}

// OffStar says why a model cannot be starred, "" when it can.
func (k *Known) OffStar(model string) string {
	switch {
	case k.keep == nil:
		return "stars are not kept here"
	case strings.TrimSpace(model) == "":
		return "choose a model first"
	}
	return ""
}

// offers are the models of a kind, joined with what the gateway's lists say, and behind
// them those that only the lists have.
func (k *Known) offers(kind client.Modality) []catalog.Offer {
	all := catalog.Join(k.catalog.Offers(), k.listed)
	return slices.DeleteFunc(all, func(o catalog.Offer) bool {
		return o.ID == "" || len(o.Known) > 0 && !slices.ContainsFunc(o.Known, func(x catalog.Model) bool { return x.Modality == kind })
	})
}
