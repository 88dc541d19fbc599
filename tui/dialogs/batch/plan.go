package batch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/jobs"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
)

// planMsg brings a plan to the dialog that asked for it.
type planMsg struct {
	of   *Dialog
	gen  uint64
	plan rules.Plan
}

// fileMsg brings the file that was read.
type fileMsg struct {
	of   *Dialog
	gen  uint64
	file file
}

// read reads the file that the dialog names.
func (d *Dialog) read() tea.Cmd {
	typed := strings.TrimSpace(d.form.Text(rowFile))
	if typed == "" {
		d.o.Memory.file = file{}
		d.dropPlan()
		return d.count()
	}
	d.looks, d.failed = true, ""
	d.gen++
	d.left = spot{d.form.Focused(), d.form.Text(d.form.Focused())}
	gen := d.gen
	return func() tea.Msg { return fileMsg{d, gen, readFile(typed)} }
}

// dropPlan discards the plan of the previous file, so that nothing of it shows for another.
func (d *Dialog) dropPlan() {
	d.plan = rules.Plan{}
	d.rows()
	d.listJobs()
}

// took takes in a file that was read. One that was read again keeps its settings and the plan; for
// another the plan is discarded.
func (d *Dialog) took(f file) tea.Cmd {
	mem, at := d.o.Memory, d.form.Focused()
	still := d.left == spot{at, d.form.Text(at)}
	d.looks, d.arrived = false, f.have
	again := f.typed == mem.file.typed && mem.file.have
	if again { // its earlier settings still hold
		f.columns, f.lines = mem.file.columns, mem.file.lines
	}
	mem.file = f
	if !again || !f.have {
		d.dropPlan()
	}
	if strings.TrimSpace(d.form.Text(rowFile)) == f.typed { // otherwise another path is being typed
		d.form.SetText(rowFile, f.typed)
	}
	d.form.SetText(rowShape, shapeOf(f.lines))
	d.rows()
	if !f.have && still { // nobody went on meanwhile: another path can be typed
		d.form.Focus(rowFile)
	}
	return d.count()
}

// count computes the plan anew. At most one plan is being computed: changes made meanwhile are
// counted once it is back.
func (d *Dialog) count() tea.Cmd {
	d.gen++
	in, bad := d.says()
	d.bad = bad
	if len(bad) > 0 {
		d.dropJobs()
		return nil
	}
	switch {
	case d.looks:
		return nil
	case d.busy:
		d.stale = true
		return nil
	}
	d.busy, d.stale = true, false
	gen := d.gen
	return func() tea.Msg { return planMsg{d, gen, in.Make()} }
}

// dropJobs discards the computed jobs while the dialog's input allows no new plan. The rows stay.
func (d *Dialog) dropJobs() {
	d.plan = rules.Plan{Peek: d.plan.Peek, Targets: d.plan.Targets, Vars: d.plan.Vars}
	d.rows()
	d.listJobs()
}

func (d *Dialog) counted(msg planMsg) tea.Cmd {
	d.busy = false
	if d.stale {
		return d.count()
	}
	if msg.gen != d.gen {
		return nil
	}
	d.plan, d.made = msg.plan, msg.gen
	for i, c := range d.plan.Peek.Columns {
		d.form.SetText(rowColumn+strconv.Itoa(i), cmp.Or(c.Target, unplaced))
	}
	d.rows()
	d.goUnplaced()
	d.listJobs()
	return nil
}

// goUnplaced moves to the first gap, when the dialog was just opened or a file read: the first
// unassigned column, else the first variable without a value.
func (d *Dialog) goUnplaced() {
	if !d.arrived {
		return
	}
	d.arrived = false
	for i, c := range d.plan.Peek.Columns {
		if c.Target == "" {
			d.form.Focus(rowColumn + strconv.Itoa(i))
			return
		}
	}
	for _, v := range d.plan.Vars {
		if !v.HasDefault && d.form.Text(varRow(v.Name)) == "" {
			d.form.Focus(varRow(v.Name))
			return
		}
	}
}

// says is the dialog's input, or the problems with it.
func (d *Dialog) says() (rules.Input, []string) {
	f, mem := &d.o.Form, d.o.Memory
	in := rules.Input{Catalog: d.o.Catalog, Gateway: d.o.Gateway, Wildcards: d.o.Wildcards, Base: f.Draft, Format: f.Format,
		Seeds: seedMode(d.form.Text(rowSeeds)), Vars: maps.Clone(f.Vars), Blocked: f.Blocked, Mode: d.mode().Expand()}
	var bad []string
	number := func(id, what string) int {
		n, err := strconv.Atoi(strings.TrimSpace(d.form.Text(id)))
		if err != nil || n < 1 || n > expand.HardCap {
			bad = append(bad, fmt.Sprintf("%s %q: 1 to %d are allowed", what, shortened(d.form.Text(id)), expand.HardCap))
		}
		return n
	}
	in.Count, in.Limit = number(rowCount, "copies"), number(rowLimit, "limit")
	var err error
	if in.Master, err = strconv.ParseUint(strings.TrimSpace(d.form.Text(rowMaster)), 10, 64); err != nil {
		bad = append(bad, fmt.Sprintf("drawn with %q: give a whole number, 0 or more", shortened(d.form.Text(rowMaster))))
	}
	if d.o.Kind == OfFile {
		switch {
		case d.unread() != "":
			bad = append(bad, d.unread())
		case mem.file.err != "":
			bad = append(bad, mem.file.err+"; "+d.otherFile())
		case !mem.file.have:
			bad = append(bad, "name a table (.csv, .tsv) or a file with one prompt per line (.txt), or drag one here")
		}
		in.File = &rules.File{Name: mem.file.name, Path: mem.file.path, Text: mem.file.text, Lines: mem.file.lines, Columns: maps.Clone(mem.file.columns), Media: media.Reference}
	}
	return in, bad
}

// submit answers with the jobs shown, asks about their files first, or says why they cannot be
// sent.
func (d *Dialog) submit() tea.Cmd {
	if d.o.Kind == OfFile && strings.TrimSpace(d.form.Text(rowFile)) != d.o.Memory.file.typed {
		return d.read()
	}
	refuse := func(why string) tea.Cmd { return d.refusals.Say("not submitted: " + client.CleanLine(why)) }
	switch {
	case len(d.bad) > 0:
		return refuse(d.bad[0])
	case !d.fresh():
		return screen.Toast(screen.Info, "not submitted yet: the jobs are still being counted")
	case d.plan.Over != nil:
		return refuse(d.plan.Over.Error())
	case len(d.plan.Findings) > 0:
		return refuse(d.plan.Findings[0])
	case !d.plan.Sendable():
		return screen.Toast(screen.Info, "there is nothing to submit")
	}
	if out := d.plan.Outside; len(out) > 0 {
		d.Open(ask.Decide("Attach files on this machine?", outsideText(out), "Do not send", "Attach and send", outside(d.made)))
		return nil
	}
	d.send()
	return nil
}

// outside is the subject of the question about files from outside the table's folder: the number
// of the plan.
type outside uint64

func outsideText(files []string) string {
	return "The table names " + human.Plural(len(files), "file") + " from outside its folder, which would be sent: " + few(files)
}

// attach sends the jobs shown, if they are the ones that the question was about.
func (d *Dialog) attach(a ask.Agreed) {
	if n, ok := a.About.(outside); ok && uint64(n) == d.made && d.fresh() && d.plan.Sendable() {
		d.send()
	}
}

// send answers with the jobs shown.
func (d *Dialog) send() {
	if mode := d.mode(); d.o.saysMode() && d.o.Form.Mode != mode {
		d.say(mode, d.o.Form.Vars)
	}
	d.o.Memory.count, _ = strconv.Atoi(strings.TrimSpace(d.form.Text(rowCount)))
	d.sending, d.failed = true, ""
	d.Answer(Submit{From: d, Jobs: d.plan.Jobs, Master: d.plan.Master})
}

// sent continues once the jobs were recorded, or could not be.
func (d *Dialog) sent(msg Sent) {
	d.sending = false
	switch {
	case msg.Not:
	case msg.Err == nil:
		d.Close()
	case errors.Is(msg.Err, jobs.ErrUnclear):
		d.failed = "perhaps submitted: " + client.CleanLine(msg.Err.Error())
	default:
		d.failed = "nothing was sent: " + client.CleanLine(msg.Err.Error())
	}
	d.rows()
}
