package build

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare/suite"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
)

// Bounds from which a run is asked about: each of its trials is billed.
const (
	askFrom  = 5
	typeFrom = 100 // and from which its number has to be typed
)

// Actions that keys, clicks and texts mean beside their own keys.
const (
	actRun      = "compare.run"
	actToggle   = "compare.toggle"
	actOwn      = "compare.own"
	actAll      = "compare.all"
	actMore     = "compare.repeat"
	actFewer    = "compare.fewer"
	actPrompt   = "compare.prompt"
	actAdd      = "compare.add-prompt"
	actAxis     = "compare.axis"
	actFormats  = "compare.formats"
	actOption   = "compare.option"
	actSave     = "compare.save"
	actOpen     = "compare.open-suite"
	actYAML     = "compare.yaml"
	actTogether = "compare.together"
	actDraft    = "compare.draft"
	actEdit     = "compare.edit"
	actRuns     = "compare.runs"
	actResults  = "compare.results"
	actNextPane = "compare.next-pane"
)

// Commands is the table of what can be done on the page.
func Commands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actRun, Title: "Run", Keys: []string{"ctrl+s"}, Word: "run", Off: offRun, Do: askRun},
		{ID: actToggle, Title: "Model in or out", Keys: []string{" "}, Word: "in or out", Off: offToggle, Do: screen.Act(toggle)},
		{ID: actOwn, Title: "Model with settings of its own, where it cannot take the draft as it is", Keys: []string{"w"}, Word: "own settings", Off: offOwn, Do: screen.Act(withOwn)},
		{ID: actAll, Title: "All models in or out", Keys: []string{"a"}, Word: "all", Off: ofDraft, Do: screen.Act(toggleAll)},
		{ID: actMore, Title: "One more repeat", Keys: []string{"n", "alt+n"}, Word: "repeats", Do: screen.Act(func(m *Model) { repeat(m, 1) })},
		{ID: actFewer, Title: "One repeat less", Keys: []string{"N"}, Do: screen.Act(func(m *Model) { repeat(m, -1) })},
		{ID: actPrompt, Title: "Change the prompt", Keys: []string{"/", "ctrl+g"}, Word: "prompt", Off: ofDraft, Do: screen.Act(func(m *Model) { m.focus = promptPane })},
		{ID: actAdd, Title: "Another prompt", Keys: []string{"alt+enter", "+"}, Word: "another prompt", Off: ofDraft, Do: screen.Act(func(m *Model) { m.prompts.add(); m.focus = promptPane })},
		{ID: "compare.drop-prompt", Title: "Take the prompt out", Keys: []string{"ctrl+x", "-"}, Off: ofDraft, Do: screen.Act(func(m *Model) { m.prompts.drop(); m.promptsChanged() })},
		{ID: actAxis, Title: "Let a field vary", Keys: []string{"x", "alt+x"}, Word: "vary a field", Do: askAxis},
		{ID: actFormats, Title: "Formats: each model's own, or all that reach it", Keys: []string{"f", "alt+f"}, Word: "formats", Off: ofDraft, Do: screen.Act(turnFormats)},
		{ID: actOption, Title: "Set an option: name, repeats, seed, warm-ups, concurrency, limit", Keys: []string{"o", "alt+o"}, Word: "option", Do: askOption},
		{ID: actSave, Title: "Save as a suite", Keys: []string{"S", "alt+s"}, Word: "save", Off: offSave, Do: askSave},
		{ID: actTogether, Title: "Compare all drafts that came from Compose together", Keys: []string{"B", "alt+b"}, Word: "all drafts", Off: offTogether, Do: together},
		{ID: actOpen, Title: "Open a suite", Keys: []string{"O", "ctrl+o"}, Word: "open", Do: askOpen},
		{ID: actYAML, Title: "Change the suite in your editor", Keys: []string{"E", "alt+e"}, Word: "edit", Off: offSave, Do: editSuite},
		{ID: actDraft, Title: "Leave the suite, back to the draft", Keys: []string{"esc"}, Word: "to the draft", Off: ofFile, Do: screen.Act(func(m *Model) { m.file, m.path, m.onDisk = nil, "", ""; m.changed() })},
		{ID: actEdit, Title: "Change the draft in Compose", Keys: []string{"c"}, Word: "to compose", Do: func(m *Model) tea.Cmd {
			d := m.plan.Base.Clone()
			d.Prompt = m.prompts.current()
			return screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: m.plan.Format})
		}},
		{ID: actRuns, Title: "List the runs", Keys: []string{"R", "alt+r"}, Word: "runs", Do: func(m *Model) tea.Cmd { return m.o.Runs() }},
		{ID: actResults, Title: "To the results", Keys: []string{"r", "alt+g"}, Word: "results", Do: func(m *Model) tea.Cmd { return m.o.Results() }},
		{ID: actNextPane, Title: "Next pane", Keys: []string{"tab"}, Word: "next pane", Do: screen.Act(func(m *Model) { m.turn(1) })},
		{ID: "compare.prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Do: screen.Act(func(m *Model) { m.turn(-1) })},
	}
}

func ofDraft(m *Model) string {
	if m.file != nil {
		return "a suite is open: change it in your editor with " + m.commands.Key(actYAML) + ", or leave it with " + m.commands.Key(actDraft)
	}
	return ""
}

func ofFile(m *Model) string {
	if m.file == nil {
		return "no suite is open"
	}
	return ""
}

func offToggle(m *Model) string {
	c, ok := m.candidate()
	switch {
	case m.file != nil:
		return ofDraft(m)
	case !ok:
		return "there is no model to choose"
	case m.plan.Chosen[c.Model.ID]:
		return ""
	case c.Block != "":
		return client.CleanLine(c.Model.ID) + " cannot take this: " + c.Block
	case len(c.Changes) > 0:
		return client.CleanLine(c.Model.ID) + " cannot take this as it is (" + strings.Join(c.Changes, ", ") + "); " + m.commands.Key(actOwn) + " takes it with settings of its own"
	}
	return ""
}

func offOwn(m *Model) string {
	c, ok := m.candidate()
	switch {
	case m.file != nil:
		return ofDraft(m)
	case !ok:
		return "there is no model to choose"
	case c.Block != "":
		return client.CleanLine(c.Model.ID) + " cannot take this: " + c.Block
	case len(c.Changes) == 0:
		return client.CleanLine(c.Model.ID) + " takes the draft as it is"
	}
	return ""
}

func offSave(m *Model) string {
	if why := m.incomplete(); why != "" {
		return why
	}
	return ""
}

func toggle(m *Model) {
	if c, ok := m.candidate(); ok {
		m.plan.Toggle(c.Model.ID)
		m.changed()
	}
}

func withOwn(m *Model) {
	if c, ok := m.candidate(); ok {
		m.plan.WithOwn(c.Model.ID)
		m.changed()
	}
}

func toggleAll(m *Model) {
	m.plan.ToggleAll()
	m.changed()
}

// repeat changes the number of repeats; after the most comes once.
func repeat(m *Model, by int) {
	s := m.options()
	s.Repeats = (s.Repeats-1+by+suite.MaxRepeats)%suite.MaxRepeats + 1
	m.changed()
}

// turnFormats goes from each model's own format to all that reach it, to the one chosen in Compose, to
// those that a model which is not in the catalog can be tried with.
func turnFormats(m *Model) {
	all := [][]string{{suite.FormatsAuto}, {suite.FormatsAll}}
	add := func(f string) {
		if f != "" && !slices.ContainsFunc(all, func(x []string) bool { return x[0] == f }) {
			all = append(all, []string{f})
		}
	}
	add(m.plan.Format)
	for _, c := range m.plan.In() {
		if c.Tried { // the catalog knows no format of it
			add(c.Format)
		}
	}
	at := slices.IndexFunc(all, func(f []string) bool { return slices.Equal(f, m.set.Formats) })
	m.set.Formats = all[(at+1)%len(all)]
	m.changed()
}

// turn cycles through the panes.
func (m *Model) turn(n pane) {
	if m.file == nil {
		m.focus = (m.focus + n + panes) % panes
	}
}

// The subjects of dialogs.
type (
	running   struct{}
	counting  struct{}
	varying   struct{}
	optioning struct{}
	saving    struct{ text, onDisk, path string }
	opening   struct{}
)

// askRun asks before a run of more than a few trials; of many, their number has to be typed.
func askRun(m *Model) tea.Cmd {
	n, quantity := len(m.run.Order), m.quantity(m.Suite().Repeats)
	if files := m.cast.Outside; len(files) > 0 {
		const most = 5
		text := "The suite sends files from outside its folder: " + strings.Join(files[:min(len(files), most)], ", ")
		if more := len(files) - most; more > 0 {
			text = fmt.Sprintf("The suite sends %d files from outside its folder: %s and %d more", len(files), strings.Join(files[:most], ", "), more)
		}
		quantity += "\n" + client.CleanLine(text)
	} else if n < askFrom {
		return m.start()
	}
	billed := "Each of them is billed."
	if m.o.Free {
		billed = ""
	}
	if n < typeFrom {
		return m.o.Open(ask.Decide(fmt.Sprintf("Create %s?", human.Plural(n, "job")), strings.TrimSpace(quantity+"\n"+billed), "Not now", "Create", running{}))
	}
	text := fmt.Sprint(n)
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: fmt.Sprintf("Create %s jobs?", human.Count(n)), Hint: strings.TrimSpace(billed + " Type their number to begin."), Button: "Create"},
		Prompt: "jobs: ", Placeholder: text, Subject: quantity, About: counting{},
		Check: func(typed string) string {
			if strings.TrimSpace(typed) != text {
				return "type " + text + ", or leave it"
			}
			return ""
		},
	}))
}

func askAxis(m *Model) tea.Cmd {
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Let a field vary", Hint: "4,8 or 1,2,..,9; || parts values with commas; no values end it.", Button: "Take"},
		Prompt: "field = values: ", Placeholder: "duration = 4,8", Subject: axesText(m.options().Axes), About: varying{},
		Check: func(text string) string {
			if _, _, err := axisOf(m, text); err != nil {
				return err.Error()
			}
			return ""
		},
	}))
}

func askOption(m *Model) tea.Cmd {
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Set an option of the run", Hint: optionKeys, Button: "Set"},
		Prompt: "key = value: ", Placeholder: "seed = same", Subject: optionsText(m.options()), About: optioning{},
		Check: func(text string) string {
			try := *m.options()
			if err := setOption(&try, text); err != nil {
				return err.Error()
			}
			return ""
		},
	}))
}

func askSave(m *Model) tea.Cmd {
	s := m.Suite()
	own, hint := m.path, "darkroom compare run takes the same file."
	if m.file == nil {
		own = ""
	}
	if own != "" && s.Text() != m.onDisk {
		hint = "This replaces the suite's file; its comments are lost."
	}
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Save as a suite", Hint: hint, Button: "Save"},
		Prompt: "file: ", Placeholder: "suite.yaml", Subject: client.CleanLine(s.Name), Text: cmp.Or(own, fileName(s.Name)), About: saving{s.Text(), m.onDisk, own},
		Check: checkYAML,
	}))
}

func askOpen(m *Model) tea.Cmd {
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Open a suite", Hint: "A YAML file, as it is saved here or written by hand.", Button: "Open"},
		Prompt: "file: ", Placeholder: "suite.yaml", Text: m.path, About: opening{}, Check: checkYAML,
	}))
}

func checkYAML(path string) string {
	if !hasYAML(strings.TrimSpace(path)) {
		return "the file of a suite ends in .yaml or .yml"
	}
	return ""
}

func fileName(name string) string {
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '-'
	}, name)
	if name = strings.Trim(name, "-"); name == "" {
		name = "suite"
	}
	return name + ".yaml"
}

func editSuite(m *Model) tea.Cmd {
	text := m.Suite().Text()
	return func() tea.Msg { return screen.EditMsg{Text: text, Suffix: ".yaml", Tag: editTag} }
}

// Answer takes the answer of a dialog; false for one that is not the page's.
func (m *Model) Answer(a any) (tea.Cmd, bool) {
	defer m.layout()
	switch a := a.(type) {
	case ask.Agreed:
		if _, ok := a.About.(running); ok {
			return startAsked(m), true
		}
	case ask.Typed:
		text := strings.TrimSpace(a.Text)
		switch on := a.About.(type) {
		case counting:
			return startAsked(m), true
		case varying:
			return refused(m.SetAxis(text)), true
		case optioning:
			err := setOption(m.options(), text)
			m.changed()
			return refused(err), true
		case saving:
			return saveFile(text, on), true
		case opening:
			return openFile(text), true
		}
	}
	return nil, false
}

func refused(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return screen.Toast(screen.Bad, client.CleanLine(err.Error()))
}

// startAsked begins what was agreed to, unless the plan changed meanwhile.
func startAsked(m *Model) tea.Cmd {
	if off := offRun(m); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	return m.start()
}

// Do carries out an action by its id; false for one that is not the page's.
func (m *Model) Do(id string) (tea.Cmd, bool) {
	if !slices.ContainsFunc(m.commands.Actions(m), func(a screen.Action) bool { return a.ID == id }) {
		return nil, false
	}
	cmd := m.commands.Do(m, id)
	m.layout()
	return cmd, true
}

// Actions are those of the page, for the palette.
func (m *Model) Actions() []screen.Action { return m.commands.Actions(m) }
