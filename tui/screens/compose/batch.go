package compose

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/format"
)

// Shelf is where presets and wildcard files are kept. Its methods touch the disk.
type Shelf interface {
	// Wildcards opens the wildcard files; they are closed after use.
	Wildcards() (Wildcards, error)
	// Presets are all presets by name; those that can not be used, or that were not read when
	// ctx ended, have Err.
	Presets(ctx context.Context) ([]Preset, error)
	// Draft is a preset's draft for a modality, its references as they are sent.
	Draft(p Preset, m client.Modality) (client.Draft, error)
	// Save writes a preset and returns its path. Where there is one of its name and replace
	// is false, the error wraps [ErrPresetExists].
	Save(p expand.Preset, project, replace bool) (string, error)
	// Remove deletes a preset and returns its path.
	Remove(name string, project bool) (string, error)
	// Folder is where presets are.
	Folder(project bool) string
}

// Wildcards are wildcard files that were opened.
type Wildcards interface {
	fs.FS
	io.Closer
}

// Preset is a preset and where it is from.
type Preset struct {
	expand.Preset
	Path    string
	Project bool
	// Hides is the file of the person's own that the project's stands before, "" for none.
	Hides string
	// Err says why it can not be used.
	Err error
}

// ErrPresetExists is told by [Shelf.Save], which replaces only when asked.
var ErrPresetExists = errors.New("there is a preset of that name")

// promptMode says what the prompt is: nobody said so, text, or a template.
type promptMode string

const (
	undecided   promptMode = ""
	asText      promptMode = "text"
	everyPrompt            = promptMode(expand.Every)
	somePrompts            = promptMode(expand.Random)
)

func (p promptMode) template() bool { return p == everyPrompt || p == somePrompts }

// batch is what makes many jobs of the form.
type batch struct {
	mode promptMode
	vars map[string]string // of the template

	count    int             // that the dialog offers
	seeds    expand.SeedMode // that were chosen in it
	seedsSet bool
	master   uint64  // what the next batch is drawn with
	last     *uint64 // what the last one was drawn with, nil for nothing

	file   batchFile
	dialog *batchDialog // nil when it is not open
	gen    uint64       // of the newest plan or file that any dialog asked for
	reads  template
	run    batchRun
	ready  func() tea.Cmd // what goes on once references are resolved
	// blocked is what only the form knows to be wrong with it: texts that are no JSON, files
	// that are not there.
	blocked []string
}

// template is what is known of the prompt as a template.
type template struct {
	got         templateMsg
	have        bool
	busy, stale bool
}

// templateMsg is a prompt that was read as a template.
type templateMsg struct {
	prompt string
	vars   map[string]string
	plain  bool // it is none
	count  *big.Int
	err    error
}

// drawn is a number to draw a batch with.
func (m *Model) drawn() uint64 {
	if m.deps.Seed != nil {
		return m.deps.Seed()
	}
	return uint64(rand.Uint32()) //nolint:gosec // a number to repeat a batch with, no secret
}

// mayBeTemplate spares plain prompts the reading.
func mayBeTemplate(prompt string) bool {
	return strings.Contains(prompt, "{") || strings.Contains(prompt, "__")
}

// lookAtTemplate counts what the prompt makes, when it may be a template and is another
// than the last one. At most one look is on its way.
func (m *Model) lookAtTemplate() tea.Cmd {
	t := &m.batch.reads
	prompt := m.form.Text(client.FieldPrompt)
	switch {
	case !mayBeTemplate(prompt):
		t.have = false
		return nil
	case t.busy:
		t.stale = true
		return nil
	case t.have && t.got.prompt == prompt && maps.Equal(t.got.vars, m.batch.vars):
		return nil
	}
	t.busy, t.stale = true, false
	shelf, vars := m.deps.Shelf, maps.Clone(m.batch.vars)
	return func() tea.Msg { return readTemplate(shelf, prompt, vars) }
}

func readTemplate(shelf Shelf, prompt string, vars map[string]string) templateMsg {
	out := templateMsg{prompt: prompt, vars: vars}
	t, err := expand.Parse(prompt)
	if err != nil {
		out.err = err
		return out
	}
	if out.plain = t.Plain(); out.plain {
		return out
	}
	files, done, err := openWildcards(shelf)
	if err != nil {
		out.err = err
		return out
	}
	defer done()
	x, err := t.Bind(vars, expand.NewLibrary(files))
	if err != nil {
		out.err = err
		return out
	}
	out.count = x.Count()
	return out
}

// openWildcards opens the wildcard files, nil where there is no shelf.
func openWildcards(shelf Shelf) (fs.FS, func(), error) {
	if shelf == nil {
		return nil, func() {}, nil
	}
	w, err := shelf.Wildcards()
	if err != nil {
		return nil, nil, err
	}
	return w, func() { _ = w.Close() }, nil
}

func (m *Model) templateCame(msg templateMsg) tea.Cmd {
	t := &m.batch.reads
	t.busy, t.have, t.got = false, true, msg
	m.refresh()
	if t.stale {
		return m.lookAtTemplate()
	}
	return nil
}

// templateFinding says under Checks what the prompt is taken for.
func (m *Model) templateFinding() []problem {
	t, b := &m.batch.reads, &m.batch
	if !t.have || t.got.plain || !mayBeTemplate(m.draft.Prompt) {
		return nil
	}
	key := m.deps.Keys.Keys("compose.template")
	p := problem{remark: true, Problem: catalog.Problem{Field: client.FieldPrompt, Severity: catalog.Info}}
	mistake := ""
	if t.got.err != nil {
		mistake = client.CleanLine(t.got.err.Error())
		p.Severity = catalog.Warn
	}
	switch {
	case b.mode == asText && mistake != "":
		p.Severity = catalog.Info
		p.Message = "the prompt is sent as it is, braces and all"
	case b.mode == asText:
		p.Message = "the prompt is sent as it is, braces and all; as a template it would make " + prompts(t.got.count)
	case b.mode == undecided && mistake != "":
		p.Message = "the prompt reads like a template with a mistake, submitting asks: " + mistake
	case b.mode == undecided:
		p.Message = "template: " + prompts(t.got.count) + "; submitting shows them, and asks whether it is one"
	case mistake != "":
		p.Severity = catalog.Block
		p.Message = "template: " + mistake
	case b.mode == somePrompts:
		p.Message = "template: prompts drawn at random of " + prompts(t.got.count)
	default:
		p.Message = "template: " + prompts(t.got.count)
		if n := m.copies(); n > 1 {
			p.Message += ", " + format.Plural(n, "job") + " of each"
		}
	}
	if key != "" {
		p.Message += "; " + key + " shows and changes it"
	}
	return []problem{p}
}

// templateCorner says the same in the prompt's border, in a few cells.
func (m *Model) templateCorner() string {
	t := &m.batch.reads
	if !t.have || t.got.plain || m.batch.mode == asText {
		return ""
	}
	if t.got.err != nil {
		return "template? ─ "
	}
	return prompts(t.got.count) + " ─ "
}

func prompts(n *big.Int) string { return numbered(n, "prompt") }

// numbered is a number that may be astronomical, with its noun.
func numbered(n *big.Int, noun string) string {
	if n == nil {
		return "no " + noun
	}
	if n.IsInt64() && n.Int64() == 1 {
		return "1 " + noun
	}
	return expand.Number(n) + " " + noun + "s"
}

// asksFirst reports whether a submission shows what it makes before it is sent: the prompt
// is a template, or might be one and nobody said so. A prompt without any of that goes out
// as it is.
func (m *Model) asksFirst() bool {
	prompt, mode := m.form.Text(client.FieldPrompt), m.batch.mode
	escapes := mode.template() && strings.Contains(prompt, `\`)
	if mode == asText || !mayBeTemplate(prompt) && !escapes {
		return false
	}
	t, err := expand.Parse(prompt)
	if err != nil || !t.Plain() {
		return true
	}
	if !mode.template() {
		return false
	}
	x, err := t.Bind(nil, nil) // a template that has escapes only
	if err != nil {
		return true
	}
	one, err := x.At(new(big.Int))
	return err != nil || one != prompt
}

// tookMode takes over what is said of a draft's prompt. What a job has sent was no
// template: its braces were meant.
func (m *Model) tookMode(from screen.ComposeDraft) {
	m.batch.mode, m.batch.vars = promptMode(from.Expand), maps.Clone(from.Vars)
	if from.Job != "" && mayBeTemplate(from.Draft.Prompt) {
		m.batch.mode = asText
	}
	if !slices.Contains([]promptMode{undecided, asText, everyPrompt, somePrompts}, m.batch.mode) {
		m.batch.mode = undecided
	}
}
