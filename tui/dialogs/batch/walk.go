package batch

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/zone"
)

// walking reports whether the keys are those of the list of jobs.
func (d *Dialog) walking() bool { return d.walks && len(d.plan.Jobs) > 0 }

// walk gives the keys to the list of jobs, or back to the rows.
func (d *Dialog) walk(on bool) {
	d.walks = on
	d.form.Blur(on)
}

// walkKey is a key that moves over the jobs, or that is pressed while somebody does; false for
// one of the rows. On a job nothing is submitted: who looks through them has not said so.
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

// walkSays is what the keys do on the list.
func (d *Dialog) walkSays() string {
	say := "tab goes back to the rows"
	if k := d.commands.Key(Submits); k != "" && d.plan.Sendable() {
		say = k + " submits " + human.Plural(len(d.plan.Jobs), "job") + ", " + say
	}
	return say
}

// clickJob marks the job of a zone; false where it is of none.
func (d *Dialog) clickJob(c zone.Click) bool {
	d.walk(d.list.Click(c))
	return d.walks
}
