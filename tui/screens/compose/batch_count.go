package compose

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/tui/screen"
)

// readFile reads the file that the dialog names.
func (m *Model) readFile() tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	typed := strings.TrimSpace(d.form.Text(rowFile))
	if typed == "" {
		b.file = batchFile{}
		m.dropPlan()
		return m.replan()
	}
	d.looks, d.failed = true, ""
	b.gen++
	d.gen = b.gen
	d.left = spot{d.form.Focused(), d.form.Text(d.form.Focused())}
	return readBatch(typed, d.gen)
}

// dropPlan lets go of what the former file made, so that nothing of it shows for another one.
func (m *Model) dropPlan() {
	m.batch.dialog.plan = planMsg{}
	m.batchRows()
	m.listJobs()
}

// fileCame takes over a file that was read, unless another one is asked for already.
func (m *Model) fileCame(msg fileMsg) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	if d == nil || msg.gen != d.gen {
		return nil
	}
	at := d.form.Focused()
	still := d.left == spot{at, d.form.Text(at)}
	d.looks, d.arrived = false, msg.file.have
	again := msg.file.typed == b.file.typed && b.file.have
	if again { // what was said of it holds
		msg.file.columns, msg.file.lines = b.file.columns, b.file.lines
	}
	b.file = msg.file
	if !again || !b.file.have {
		m.dropPlan()
	}
	if strings.TrimSpace(d.form.Text(rowFile)) == msg.file.typed { // else another one is being typed
		d.form.SetText(rowFile, msg.file.typed)
	}
	d.form.SetText(rowShape, shapeOf(msg.file.lines))
	m.batchRows()
	if !b.file.have && still { // nobody went on meanwhile: another path can be typed
		d.form.Focus(rowFile)
	}
	return m.replan()
}

// replan counts the batch anew. At most one plan is on its way: what changes meanwhile is
// counted when it has come back.
func (m *Model) replan() tea.Cmd {
	d := m.batch.dialog
	m.batch.gen++
	d.gen = m.batch.gen
	in, bad := m.planInput()
	d.bad = bad
	if len(bad) > 0 {
		m.noJobs()
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
	return plan(in)
}

// noJobs lets go of the jobs that were counted, where the dialog says nothing that could be
// counted anew. The rows stay.
func (m *Model) noJobs() {
	d := m.batch.dialog
	d.plan = planMsg{peek: d.plan.peek, targets: d.plan.targets, vars: d.plan.vars}
	m.batchRows()
	m.listJobs()
}

// recount follows when the form was changed behind the dialog, as by the palette.
func (m *Model) recount() tea.Cmd {
	if d := m.batch.dialog; d == nil || d.sending {
		return nil
	}
	return m.replan()
}

func (m *Model) planCame(msg planMsg) tea.Cmd {
	d := m.batch.dialog
	if d == nil || msg.gen <= d.since {
		return nil
	}
	d.busy = false
	if d.stale {
		return m.replan()
	}
	if msg.gen != d.gen {
		return nil
	}
	d.plan = msg
	for i, c := range msg.peek.Columns {
		to := c.Target
		if to == "" {
			to = unplaced
		}
		d.form.SetText(rowColumn+strconv.Itoa(i), to)
	}
	m.batchRows()
	d.goUnplaced()
	m.listJobs()
	return nil
}

// goUnplaced moves to what is missing, when the dialog was just opened or a file read: the
// first column that nobody placed, else the first variable without a value.
func (d *batchDialog) goUnplaced() {
	if !d.arrived {
		return
	}
	d.arrived = false
	for i, c := range d.plan.peek.Columns {
		if c.Target == "" {
			d.form.Focus(rowColumn + strconv.Itoa(i))
			return
		}
	}
	for _, v := range d.plan.vars {
		if !v.HasDefault && d.form.Text(varRow(v.Name)) == "" {
			d.form.Focus(varRow(v.Name))
			return
		}
	}
}

// planInput is what the dialog says, or what of it can not be meant.
func (m *Model) planInput() (planInput, []string) {
	b, d := &m.batch, m.batch.dialog
	in := planInput{gen: d.gen, deps: &m.deps, base: m.draft, format: m.effective().format, seeds: seedMode(d.form.Text(rowSeeds)),
		vars: maps.Clone(b.vars), limit: expand.Cap, blocked: b.blocked}
	if mode := promptMode(d.form.Text(rowMode)); mode.template() {
		in.mode = expand.Mode(mode)
	}
	var bad []string
	number := func(id, what string, most int) int {
		n, err := strconv.Atoi(strings.TrimSpace(d.form.Text(id)))
		if err != nil || n < 1 || n > most {
			bad = append(bad, fmt.Sprintf("%s %q: 1 to %d are allowed", what, shortened(d.form.Text(id)), most))
		}
		return n
	}
	in.count = number(rowCount, "copies", expand.HardCap)
	in.limit = number(rowLimit, "limit", expand.HardCap)
	var err error
	if in.master, err = strconv.ParseUint(strings.TrimSpace(d.form.Text(rowMaster)), 10, 64); err != nil {
		bad = append(bad, fmt.Sprintf("drawn with %q: a whole number from 0 on", shortened(d.form.Text(rowMaster))))
	}
	b.master = in.master
	if d.kind == ofFile {
		switch {
		case m.unread() != "":
			bad = append(bad, m.unread())
		case b.file.err != "":
			bad = append(bad, b.file.err+"; "+m.otherFile())
		case !b.file.have:
			bad = append(bad, "name a table (.csv, .tsv) or a file with a prompt a line (.txt); a file that is dragged here is taken")
		}
		file := b.file
		in.file, in.columns = &file, maps.Clone(b.file.columns)
	}
	return in, bad
}

// sendBatch journals what the dialog shows, or says what is in its way.
func (m *Model) sendBatch() tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	if d.kind == ofFile && strings.TrimSpace(d.form.Text(rowFile)) != b.file.typed {
		return m.readFile()
	}
	if off := m.notNow(); off != nil {
		return off
	}
	switch {
	case len(d.bad) > 0:
		return m.refuse("not submitted: " + client.CleanLine(d.bad[0]))
	case !d.fresh():
		return screen.Toast(screen.Info, "not submitted yet: the jobs are still being counted")
	case d.plan.over != nil:
		return m.refuse("not submitted: " + client.CleanLine(d.plan.over.Error()))
	case len(d.plan.findings) > 0:
		return m.refuse("not submitted: " + d.plan.findings[0])
	case !d.plan.sendable():
		return screen.Toast(screen.Info, "there is nothing to submit")
	}
	if mode := promptMode(d.form.Text(rowMode)); m.saysMode() && b.mode != mode {
		b.mode = mode
		m.settleMode()
	}
	b.count, _ = strconv.Atoi(strings.TrimSpace(d.form.Text(rowCount)))
	d.sending, d.number, d.failed = true, m.beginSending(), ""
	m.refusal = refusal{}
	return tea.Batch(ofSending(d.number, sendAll(m.deps.Jobs, d.plan.jobs, d.plan.master)), m.save.Arm())
}

// saysMode reports whether it matters what the prompt is taken for.
func (m *Model) saysMode() bool {
	d := m.batch.dialog
	return d.kind != ofCopies || m.batch.mode.template() || mayBeTemplate(m.draft.Prompt)
}
