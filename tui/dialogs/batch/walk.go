package batch

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/zone"
)

// walking reports whether the list of jobs has the keys.
func (d *Dialog) walking() bool { return d.walks && len(d.plan.Jobs) > 0 }

// walk moves the keys to the list of jobs, or back to the rows.
func (d *Dialog) walk(on bool) {
	d.walks = on
	d.form.Blur(on)
}

// walkKey handles a key while the list of jobs has the keys; false for a key of the rows. Nothing
// is submitted from the list: looking through the jobs is not a decision to send them.
func (d *Dialog) walkKey(k tea.KeyMsg) (tea.Cmd, bool) {
	name := k.String()
	switch name {
	case "pgup", "pgdown", "alt+up", "alt+down":
		d.walk(len(d.plan.Jobs) > 0)
		k.Alt = false
		d.list.Update(k)
		return nil, true
	}
	if !d.walking() {
		return nil, false
	}
	switch name {
	case "tab", "shift+tab":
		d.walk(false)
	case "enter", " ":
		return screen.Toast(screen.Info, "nothing is submitted from the list: "+d.walkSays()), true
	default:
		d.list.Update(k)
	}
	return nil, true
}

// walkSays is the help for the keys of the list.
func (d *Dialog) walkSays() string {
	say := "tab goes back to the rows"
	if k := d.commands.Key(Submits); k != "" && d.plan.Sendable() {
		say = k + " submits " + human.Plural(len(d.plan.Jobs), "job") + ", " + say
	}
	return say
}

// clickJob selects the job of a zone; false for any other zone.
func (d *Dialog) clickJob(c zone.Click) bool {
	d.walk(d.list.Click(c))
	return d.walks
}
