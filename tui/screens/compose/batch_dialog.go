package compose

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/table"
)

// scopeBatch is that of the keys and actions of the dialog.
const scopeBatch = "batch"

// batchKind is what the dialog was opened for.
type batchKind int

const (
	ofTemplate batchKind = iota // what the prompt makes
	ofCopies                    // the same again, with seeds of their own
	ofFile                      // a table, or lines of prompts
)

// batchDialog shows what a batch makes, and how, before it is sent. It is the same for
// templates, copies and files: they go together.
type batchDialog struct {
	kind  batchKind
	form  *form.Form
	asked bool // a submission opened it

	plan  planMsg
	gen   uint64 // of the newest plan that was asked for
	busy  bool   // a plan is on its way
	stale bool   // and is not the newest
	bad   []string
	list  table.Model
	looks bool // the file is being read
	// arrived says that it was just read: the focus goes on to what is to be done.
	arrived bool

	sending bool
	failed  string // why nothing was sent
}

// fresh reports whether the plan that shows is that of what the dialog says.
func (d *batchDialog) fresh() bool {
	return !d.busy && !d.looks && len(d.bad) == 0 && d.plan.gen == d.gen
}

// Rows of the dialog beside those of columns and variables.
const (
	rowMode    = "mode"
	rowCount   = "count"
	rowSeeds   = "seeds"
	rowMaster  = "master"
	rowLimit   = "limit"
	rowFile    = "file"
	rowShape   = "shape"
	rowSend    = "send"
	rowColumn  = "column." // + its index
	rowVar     = "var."    // + the name of a variable
	buttonSend = "send"
	buttonBack = "back"

	shapeTable = "table"
	shapeLines = "lines"

	// passOver stands for a column that is passed over, unplaced for one nobody placed.
	passOver = "-"
	unplaced = "?"
)

// zoneBatch begins the zones of the dialog's form, zoneJob those of its list.
const (
	zoneBatch = "compose-batch/"
	zoneJob   = "compose-job/"
)

// openBatch opens the dialog, once the references of the form are resolved.
func (m *Model) openBatch(kind batchKind, asked bool) tea.Cmd {
	if m.sending {
		return screen.Toast(screen.Warn, "the last submission is still being written down")
	}
	open := func() tea.Cmd { return m.showBatch(kind, asked) }
	if list := m.localFields(""); len(list) > 0 {
		m.batch.ready = open
		return resolve(list, goOn)
	}
	return open()
}

func (m *Model) showBatch(kind batchKind, asked bool) tea.Cmd {
	m.refresh()
	b := &m.batch
	b.master = m.drawn()
	d := &batchDialog{kind: kind, form: form.New(zoneBatch, m.st), asked: asked}
	d.list = table.New(nil)
	d.list.Prefix = zoneJob
	b.dialog, m.onlyPane = d, false
	n := m.copies()
	if kind == ofCopies && n == 1 {
		n = max(b.count, 4)
		if b.count > 1 {
			n = b.count
		}
	}
	mode := b.mode
	if mode == undecided && kind == ofTemplate {
		mode = everyPrompt
	}
	if mode == undecided {
		mode = asText
		if m.asksFirst() { // of what might be a template, it is told
			mode = everyPrompt
		}
	}
	for id, text := range map[string]string{
		rowMode: string(mode), rowCount: strconv.Itoa(n), rowSeeds: seedName(m.seedsNow()), rowMaster: strconv.FormatUint(b.master, 10),
		rowLimit: strconv.Itoa(expand.Cap), rowFile: b.file.typed, rowShape: shapeOf(b.file.lines),
	} {
		d.form.SetText(id, text)
	}
	for name, v := range b.vars {
		d.form.SetText(rowVar+name, v)
	}
	m.batchRows()
	switch kind {
	case ofFile:
		d.form.Focus(rowFile)
	case ofCopies:
		d.form.Focus(rowCount)
	default:
		d.form.Focus(rowSend)
	}
	m.layoutBatch()
	m.frame.fresh = false
	if kind == ofFile && b.file.typed != "" {
		return m.readFile()
	}
	return m.replan()
}

// seedsNow is the seed mode that holds: the one that was chosen, else counting up from the
// form's seed where it has a whole number.
func (m *Model) seedsNow() expand.SeedMode {
	if m.batch.seedsSet {
		return m.batch.seeds
	}
	if s, ok := m.draft.Values.Text(expand.FieldSeed); ok && wholeNumber(s) {
		return expand.SeedCount
	}
	return expand.SeedsAsTheyAre
}

func wholeNumber(s string) bool {
	s = strings.TrimPrefix(strings.TrimSpace(s), "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// batchKey is a key while the dialog is open.
func (m *Model) batchKey(k tea.KeyMsg) tea.Cmd {
	m.frame.fresh = false
	d := m.batch.dialog
	if d.sending {
		return nil
	}
	if k.Paste {
		if d.kind == ofFile && (!d.form.Capturing() || d.form.Focused() == rowFile) {
			return m.pasteFile(k.Runes)
		}
		k.Runes = []rune(strings.Join(strings.Fields(string(k.Runes)), " "))
		return m.batchEvent(d.form.Key(k))
	}
	name := k.String()
	if id, ok := m.deps.Keys.Lookup(scopeBatch, name); ok {
		return m.batchDo(strings.TrimPrefix(id, scopeBatch+"."))
	}
	switch name {
	case "pgup", "pgdown":
		d.list.HandleKey(name)
		return nil
	case "alt+up":
		d.list.HandleKey("up")
		return nil
	case "alt+down":
		d.list.HandleKey("down")
		return nil
	}
	return m.batchEvent(d.form.Key(k))
}

// pasteFile takes a path that was dragged or pasted.
func (m *Model) pasteFile(runes []rune) tea.Cmd {
	d := m.batch.dialog
	path, _, _ := strings.Cut(strings.TrimSpace(string(runes)), "\n")
	d.form.SetText(rowFile, strings.TrimSpace(path))
	d.form.Focus(rowFile)
	return m.readFile()
}

// batchEvent goes on after a key or a click on the dialog's form.
func (m *Model) batchEvent(ev form.Event) tea.Cmd {
	d := m.batch.dialog
	m.frame.fresh = false
	var cmds []tea.Cmd
	switch ev.Kind {
	case form.Changed:
		cmds = append(cmds, m.batchChanged(ev.ID))
	case form.Opened:
		m.pickColumn(ev.ID)
	case form.Pressed:
		if ev.Value == buttonBack {
			return m.batchDo("close")
		}
		return m.batchDo("submit")
	}
	if ev.Left == rowFile && d.form.Text(rowFile) != m.batch.file.typed {
		cmds = append(cmds, m.readFile())
	}
	m.batchRows()
	return tea.Batch(cmds...)
}

// batchChanged takes over what a row of the dialog says now.
func (m *Model) batchChanged(id string) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	value := d.form.Text(id)
	d.failed = ""
	switch {
	case id == rowFile:
		return nil // it is read when the row is left
	case id == rowMode:
		b.mode = promptMode(value)
		m.settleMode()
	case id == rowSeeds:
		b.seeds, b.seedsSet = seedMode(value), true
	case id == rowShape:
		b.file.lines = value == shapeLines
	case strings.HasPrefix(id, rowVar):
		b.vars = maps.Clone(b.vars)
		if b.vars == nil {
			b.vars = map[string]string{}
		}
		if b.vars[strings.TrimPrefix(id, rowVar)] = value; value == "" {
			delete(b.vars, strings.TrimPrefix(id, rowVar))
		}
		m.settleMode()
	case strings.HasPrefix(id, rowColumn):
		m.place(id, value)
	}
	return tea.Batch(m.replan(), m.armSave(), m.lookAtTemplate())
}

// settleMode follows when it was said what the prompt is: that is part of the draft.
func (m *Model) settleMode() {
	m.save.revision++
	m.refresh()
}

// place has a column hold something else.
func (m *Model) place(id, to string) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, rowColumn))
	p := &m.batch.dialog.plan.peek
	if err != nil || i < 0 || i >= len(p.Columns) {
		return
	}
	f := &m.batch.file
	if f.columns = maps.Clone(f.columns); f.columns == nil {
		f.columns = map[string]string{}
	}
	name := p.Columns[i].Name
	if to == unplaced {
		delete(f.columns, name)
		return
	}
	f.columns[name] = to
}

// pickColumn lets what a column holds be found by a few letters.
func (m *Model) pickColumn(id string) {
	if !strings.HasPrefix(id, rowColumn) {
		return
	}
	var all []picker.Item
	for _, o := range m.columnOptions(id) {
		title := o.Label
		if title == "" {
			title = o.Value
		}
		it := picker.Item{ID: o.Value, Title: title}
		if f, ok := m.deps.Catalog.Field(m.modality, o.Value); ok {
			it.Detail = f.Label
		}
		all = append(all, it)
	}
	m.picking = id
	m.picker = picker.New("This column holds", "a field …", all)
	m.picker.Select(m.batch.dialog.form.Text(id))
}

// pickedColumn takes what was picked for a column; false when none was picked for.
func (m *Model) pickedColumn(id, value string) (tea.Cmd, bool) {
	d := m.batch.dialog
	if d == nil || !strings.HasPrefix(id, rowColumn) {
		return nil, false
	}
	d.form.SetText(id, value)
	cmd := m.batchChanged(id)
	m.batchRows()
	return cmd, true
}

// batchDo does an action of the dialog by its name.
func (m *Model) batchDo(verb string) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	if d == nil || d.sending {
		return nil
	}
	m.frame.fresh = false
	switch verb {
	case "submit":
		return m.sendBatch()
	case "draw":
		b.master = m.drawn()
		d.form.SetText(rowMaster, strconv.FormatUint(b.master, 10))
		return m.replan()
	case "read":
		if d.kind != ofFile {
			return nil
		}
		return m.readFile()
	case "mode":
		modes := promptModes()
		i := slices.IndexFunc(modes, func(o form.Option) bool { return o.Value == d.form.Text(rowMode) })
		d.form.SetText(rowMode, modes[(i+1)%len(modes)].Value)
		cmd := m.batchChanged(rowMode)
		m.batchRows()
		return cmd
	case "close":
		b.dialog = nil
		m.refresh()
	}
	return nil
}

// readFile reads the file that the dialog names.
func (m *Model) readFile() tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	typed := strings.TrimSpace(d.form.Text(rowFile))
	if typed == "" {
		b.file = batchFile{}
		return m.replan()
	}
	d.looks, d.failed = true, ""
	d.gen++
	return readBatch(typed, d.gen)
}

// fileCame takes over a file that was read, unless another one is asked for already.
func (m *Model) fileCame(msg fileMsg) tea.Cmd {
	b, d := &m.batch, m.batch.dialog
	if d == nil || msg.gen != d.gen {
		return nil
	}
	d.looks, d.arrived = false, msg.file.have
	if msg.file.typed == b.file.typed && b.file.have { // read again: what was said of it holds
		msg.file.columns, msg.file.lines = b.file.columns, b.file.lines
	}
	b.file = msg.file
	d.form.SetText(rowFile, msg.file.typed)
	d.form.SetText(rowShape, shapeOf(msg.file.lines))
	m.batchRows()
	return m.replan()
}

// replan counts the batch anew. At most one plan is on its way: what changes meanwhile is
// counted when it has come back.
func (m *Model) replan() tea.Cmd {
	d := m.batch.dialog
	d.gen++
	in, bad := m.planInput()
	d.bad = bad
	m.frame.fresh = false
	switch {
	case len(bad) > 0 || d.looks:
		return nil
	case d.busy:
		d.stale = true
		return nil
	}
	d.busy, d.stale = true, false
	return plan(in)
}

func (m *Model) planCame(msg planMsg) tea.Cmd {
	d := m.batch.dialog
	if d == nil {
		return nil
	}
	d.busy = false
	m.frame.fresh = false
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

// goUnplaced moves to the first column of a file that was just read that nobody placed.
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
		case b.file.err != "":
			bad = append(bad, b.file.err)
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
	switch {
	case len(d.bad) > 0:
		return screen.Toast(screen.Bad, "not submitted: "+client.CleanLine(d.bad[0]))
	case !d.fresh():
		return screen.Toast(screen.Info, "not submitted yet: the jobs are still being counted")
	case d.plan.over != nil:
		return screen.Toast(screen.Bad, "not submitted: "+client.CleanLine(d.plan.over.Error()))
	case len(d.plan.findings) > 0:
		return screen.Toast(screen.Bad, "not submitted: "+d.plan.findings[0])
	case !d.plan.sendable():
		return screen.Toast(screen.Info, "there is nothing to submit")
	}
	if mode := promptMode(d.form.Text(rowMode)); m.saysMode() && b.mode != mode {
		b.mode = mode
		m.settleMode()
	}
	b.count, _ = strconv.Atoi(strings.TrimSpace(d.form.Text(rowCount)))
	d.sending, m.sending, d.failed = true, true, ""
	m.refusal = refusal{}
	return tea.Batch(sendAll(m.deps.Jobs, d.plan.jobs, d.plan.master), m.armSave())
}

// saysMode reports whether it matters what the prompt is taken for.
func (m *Model) saysMode() bool {
	d := m.batch.dialog
	return d.kind != ofCopies || m.batch.mode.template() || mayBeTemplate(m.draft.Prompt)
}
