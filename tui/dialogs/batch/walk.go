package batch

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
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
func (d *Dialog) walkKey(name string) (tea.Cmd, bool) {
	switch name {
	case "pgup", "pgdown", "alt+up", "alt+down":
		d.walk(len(d.plan.Jobs) > 0)
		d.list.HandleKey(strings.TrimPrefix(name, "alt+"))
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
		d.list.HandleKey(name)
	}
	return nil, true
}

// walkSays is what the keys do on the list.
func (d *Dialog) walkSays() string {
	say := "tab goes back to the rows"
	if k := d.commands.Key(Submits); k != "" && d.plan.Sendable() {
		say = k + " submits " + format.Plural(len(d.plan.Jobs), "job") + ", " + say
	}
	return say
}

// clickJob marks the job of a zone; false where it is of none.
func (d *Dialog) clickJob(zone string) bool {
	d.walk(d.list.Click(zone))
	return d.walks
}

// jobRows are the least lines of the list beside a job that shows as a whole.
const jobRows = 5

// wholeJob is the marked job as a whole, in a third of the room or what the list leaves of it,
// where there is room and some job of the list is cut; else nothing.
func (d *Dialog) wholeJob(w, room int) []string {
	n := max(room/3, room-len(d.plan.Jobs)-1)
	if n < 3 || room-n < min(jobRows, len(d.plan.Jobs)+1) || !d.cut() {
		return nil
	}
	j := &d.plan.Jobs[min(max(d.list.Cursor(), 0), len(d.plan.Jobs)-1)]
	text := client.Clean(j.Draft.Prompt)
	if v := d.valuesOf(j.Draft, d.placedFields()); v != "" {
		text += "\n" + v
	}
	all := widgets.WrapLines(text, w, 0)
	if over := len(all) - (n - 1); over > 0 { // prompts of a template often differ at their ends
		half := (n - 2) / 2
		all = append(append(all[:half:half], widgets.Ellipsis), all[half+over+1:]...)
	}
	ink := widgets.NewInk(d.Styles.Dialog)
	head := fmt.Sprintf("─ %d ", d.list.Cursor()+1)
	out := []string{widgets.NewInk(d.Styles.Border).Text(head + strings.Repeat("─", max(0, w-widgets.Width(head))))}
	for _, l := range all {
		out = append(out, ink.Text(widgets.Truncate(l, w)))
	}
	for len(out) < n {
		out = append(out, "")
	}
	return out
}

// maxCut bounds how many jobs are looked at for one that does not fit its line.
const maxCut = 200

// cut reports whether some job does not show as a whole in its line of the list.
func (d *Dialog) cut() bool {
	names, w := d.placedFields(), d.list.ColumnWidth(d.promptAt)
	for i := range d.plan.Jobs[:min(len(d.plan.Jobs), maxCut)] {
		x := &d.plan.Jobs[i].Draft
		if strings.Contains(x.Prompt, "\n") || widgets.Width(client.Clip(x.Prompt, w+1)) > w ||
			len(names) > 0 && widgets.Width(d.valuesOf(*x, names)) > d.list.ColumnWidth(d.promptAt+1) {
			return true
		}
	}
	return false
}
