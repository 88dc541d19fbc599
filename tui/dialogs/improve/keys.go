package improve

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screen"
)

// Scope is that of the dialog's keys and actions.
const Scope = "improve"

// Title is its heading in the help.
const Title = "In an improved prompt"

// The actions that buttons, texts and the bottom line name.
const (
	actAsk    = Scope + ".go"
	actToggle = Scope + ".toggle"
	actAll    = Scope + ".all"
	actNone   = Scope + ".none"
	actModel  = Scope + ".model"
	actClose  = Scope + ".close"
)

// zonePart marks a part in the list of the dialog.
const zonePart = "improve-part/"

// Commands is the table of the dialog's actions; no text is typed there.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: actAsk, Title: "Ask the model, or take what is chosen", Keys: []string{"enter"}, Off: offGo, Do: (*Dialog).proceed},
		{ID: actToggle, Title: "Tick or untick the change", Keys: []string{" "}, Off: offParts, Do: func(d *Dialog) tea.Cmd { return d.toggle(d.at) }},
		{ID: actAll, Title: "Tick all changes", Keys: []string{"a"}, Off: offParts, Do: taking(true)},
		{ID: actNone, Title: "Untick all changes", Keys: []string{"r"}, Off: offParts, Do: taking(false)},
		{ID: Scope + ".next", Title: "Next change", Keys: []string{"down", "tab", "right", "j", "l"}, Off: offParts, Do: moving(1)},
		{ID: Scope + ".prev", Title: "Previous change", Keys: []string{"up", "shift+tab", "left", "k", "h"}, Off: offParts, Do: moving(-1)},
		{ID: actModel, Title: "Ask another chat model", Keys: []string{"m", "ctrl+g"}, Off: offModel, Do: (*Dialog).choose},
		{ID: Scope + ".copy", Title: "Copy the improved prompt", Keys: []string{"y"}, Off: offCopy, Do: (*Dialog).copy},
		{ID: actClose, Title: "Stop the answer, or leave the prompt as it was", Keys: []string{"esc"}, Do: (*Dialog).stop},
	}
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

func (d *Dialog) busy() bool { return d.phase == running || d.phase == comparing }

func offGo(d *Dialog) string {
	switch {
	case d.busy():
		return "still waiting for an answer"
	case d.phase == review && len(d.changes) == 0:
		return "there is nothing to take"
	}
	return ""
}

func offModel(d *Dialog) string {
	if d.busy() || d.phase == review {
		return "the question was already asked"
	}
	return ""
}

func offParts(d *Dialog) string {
	if d.phase != review || len(d.changes) == 0 {
		return "there are no changes to choose"
	}
	return ""
}

func offCopy(d *Dialog) string {
	if d.phase != review {
		return "there is no answer yet"
	}
	return ""
}

func (d *Dialog) proceed() tea.Cmd {
	if d.phase == review {
		return d.apply()
	}
	return d.ask()
}

func (d *Dialog) choose() tea.Cmd {
	d.Open(d.o.Models(d.o.Model))
	return nil
}

func (d *Dialog) copy() tea.Cmd {
	answer, prompt := d.kept.Answer.Text, d.prompt
	return func() tea.Msg {
		return screen.Copied(client.Clean(improve.Text(answer, prompt)), "the improved prompt", "Chat keeps the answer")
	}
}

// taking accepts all parts, or none.
func taking(all bool) func(*Dialog) tea.Cmd {
	return func(d *Dialog) tea.Cmd {
		for _, c := range d.changes {
			d.take[c] = all
		}
		return nil
	}
}

func moving(by int) func(*Dialog) tea.Cmd {
	return func(d *Dialog) tea.Cmd {
		d.at = (d.at + by + len(d.changes)) % len(d.changes)
		return nil
	}
}

func (d *Dialog) toggle(at int) tea.Cmd {
	if at >= 0 && at < len(d.changes) {
		d.at = at
		d.take[d.changes[at]] = !d.take[d.changes[at]]
	}
	return nil
}

// click is a press on a part or a button.
func (d *Dialog) click(zone string) tea.Cmd {
	if rest, ok := strings.CutPrefix(zone, zonePart); ok && d.phase == review {
		if n, err := strconv.Atoi(rest); err == nil {
			return d.toggle(n)
		}
	}
	if id, ok := strings.CutPrefix(zone, "btn:"); ok {
		return d.commands.Do(d, id)
	}
	return nil
}

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	k := d.o.Keys
	switch d.phase {
	case ready, failed:
		return []key.Binding{k.Short(actAsk, "ask"), k.Short(actModel, "another model"), k.Short(actClose, "back")}
	case running, comparing:
		return []key.Binding{k.Short(actClose, "stop")}
	default:
		return []key.Binding{k.Short(actAsk, "take"), k.Short(actToggle, "toggle"), k.Short(actAll, "all"), k.Short(actNone, "none"), k.Short(actClose, "back")}
	}
}
