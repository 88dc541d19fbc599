// Package past is the dialog that finds a prompt sent earlier.
package past

import (
	"maps"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/dialogs/paging"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
)

// Scope is that of the dialog's keys and actions.
const Scope = "past"

// Title is its heading in the help.
const Title = "In the prompts that were sent"

// The dialog's actions.
const (
	actTake  = Scope + ".take"
	actJob   = Scope + ".job"
	actClose = Scope + ".close"
)

// Commands is the table of what can be done in the dialog.
func Commands() []screen.Command[*Dialog] {
	found := func(d *Dialog) string {
		if d.pages.List.Len() == 0 {
			return "nothing was found"
		}
		return ""
	}
	return []screen.Command[*Dialog]{
		{ID: actTake, Title: "Take the prompt", Keys: []string{"enter"}, Word: "prompt", Off: found,
			Do: func(d *Dialog) tea.Cmd { return d.follow(finder.Picked) }},
		{ID: actJob, Title: "Take the whole job as the form", Keys: []string{"alt+enter", "ctrl+g"}, Word: "whole job", Off: found,
			Do: func(d *Dialog) tea.Cmd { d.answer(true); return nil }},
		{ID: actClose, Title: "Leave the prompts", Keys: []string{"esc"}, Word: "back",
			Do: func(d *Dialog) tea.Cmd { return d.follow(finder.Cancelled) }},
	}
}

// Taken is the answer: the newest job with the chosen prompt.
type Taken struct {
	JobID string
	Whole bool // the whole job is meant, not the prompt alone
}

// Options are what the dialog works with.
type Options struct {
	History paging.History
	Keys    keys.Map
	Now     func() time.Time // nil shows no ages
}

// Dialog is the dialog. It closes when it answers.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	pages    paging.Pager
	seen     map[string]bool
}

// prompt is a prompt with the newest job that sent it.
type prompt struct {
	job, text, model string
	modality         client.Modality
	at               time.Time
}

// foundMsg brings the prompts of a query to the dialog that searched for them.
type foundMsg struct {
	of *Dialog
	paging.Page
	found []prompt
}

// New is the dialog; it begins with the newest prompts.
func New(o Options) *Dialog {
	list := finder.New("Prompts that were sent", "words of a prompt …")
	list.Keys = strings.Join([]string{"enter prompt", o.Keys.Keys(actJob) + " whole job", "esc back"}, " · ")
	return &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), pages: paging.Pager{List: list}, seen: map[string]bool{}}
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd { return d.look() }

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	list := d.pages.List
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.follow(list.Update(msg))
	case screen.ClickMsg:
		return d.follow(list.Click(msg))
	case screen.WheelMsg:
		return d.follow(list.Wheel(msg.Delta))
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case foundMsg:
		if msg.of == d {
			return d.show(msg)
		}
	}
	return nil
}

func (d *Dialog) follow(ev finder.Event) tea.Cmd {
	switch ev {
	case finder.Changed, finder.Wanting:
		return d.look()
	case finder.Cancelled:
		d.Close()
	case finder.Picked:
		d.answer(false)
	}
	return nil
}

// answer takes the prompt under the cursor; without one, the dialog stays.
func (d *Dialog) answer(whole bool) {
	if it, ok := d.pages.List.Current(); ok {
		d.Answer(Taken{JobID: it.ID, Whole: whole})
		d.Close()
	}
}

// look fetches the next page for the typed query.
func (d *Dialog) look() tea.Cmd {
	anew, ok := d.pages.Begin()
	if anew {
		d.seen = map[string]bool{}
	}
	if !ok {
		return nil
	}
	h, query, before, seen := d.o.History, d.pages.Query, d.pages.Before, maps.Clone(d.seen)
	return func() tea.Msg { return find(d, h, query, before, seen) }
}

// find reads the history from a position until there are enough prompts not seen yet.
func find(of *Dialog, h paging.History, query, before string, seen map[string]bool) foundMsg {
	var found []prompt
	page := paging.Read(h, jobs.Query{}, query, before, func(j *jobs.Job, words []string) bool {
		text := strings.TrimSpace(j.Draft.Prompt)
		if text == "" || seen[text] || !paging.HasAll(text, words) {
			return false
		}
		seen[text] = true
		found = append(found, prompt{job: j.ID, text: j.Draft.Prompt, model: j.Draft.Model, modality: j.Draft.Modality, at: j.CreatedAt})
		return true
	})
	return foundMsg{of, page, found}
}

// show takes over the prompts found, if the query is still the same.
func (d *Dialog) show(msg foundMsg) tea.Cmd {
	switch {
	case !d.pages.Came(msg.Page):
		return d.look()
	case msg.Err != nil:
		return d.pages.Failed(msg.Err)
	}
	for _, x := range msg.found {
		if text := strings.TrimSpace(x.text); !d.seen[text] {
			d.seen[text] = true
			d.pages.List.Add(finder.Item{ID: x.job, Text: client.Clean(x.text), Detail: d.detail(x)})
		}
	}
	if d.pages.Wanting("nothing was sent yet", "no prompt has these words") {
		return d.look()
	}
	return nil
}

func (d *Dialog) detail(x prompt) string {
	parts := []string{string(x.modality), client.CleanLine(x.model)}
	if d.o.Now != nil && !x.at.IsZero() {
		parts = append(parts, human.Age(d.o.Now().Sub(x.at)))
	}
	return strings.Join(parts, "  ")
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	return d.pages.List.View(d.Styles, min(d.W, 110), min(d.H, 36))
}

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding { return d.commands.Line(actTake, actJob, actClose) }
