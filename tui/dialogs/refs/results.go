package refs

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/paging"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
)

// ScopeResults is the scope of the result dialog's keys and actions, TitleResults its heading in
// the help.
const (
	ScopeResults = "results"
	TitleResults = "In the list of results"
)

// Actions that texts and the bottom line name.
const (
	actPick  = ScopeResults + ".take"
	actShow  = ScopeResults + ".show"
	actLeave = ScopeResults + ".close"
)

// ResultCommands is the table of what can be done in the dialog over results.
func ResultCommands() []screen.Command[*Results] {
	found := func(d *Results) string {
		if d.pages.List.Len() == 0 {
			return "nothing is found"
		}
		return ""
	}
	return []screen.Command[*Results]{
		{ID: actPick, Title: "Take the result as a reference", Keys: []string{"enter"}, Word: "take", Off: found,
			Do: func(d *Results) tea.Cmd { return d.follow(finder.Picked) }},
		{ID: actShow, Title: "Show the result's job in Queue", Keys: []string{"alt+q"}, Word: "in Queue", Off: found, Do: (*Results).show},
		{ID: actLeave, Title: "Leave the results", Keys: []string{"esc"}, Word: "back",
			Do: func(d *Results) tea.Cmd { return d.follow(finder.Cancelled) }},
	}
}

// Found is the answer of the dialog over results, with which it closes: the job whose result was
// chosen.
type Found struct{ JobID string }

// ResultOptions are what the dialog over results works with.
type ResultOptions struct {
	Keys     keys.Map
	History  paging.History
	Now      func() time.Time // nil shows no ages
	Previews *preview.Loader  // nil shows none
}

// Results is the dialog over the results of earlier jobs.
type Results struct {
	screen.Base
	o        ResultOptions
	commands screen.Commands[*Results]
	pages    paging.Pager
	shown    map[string]piece
	beside   beside
}

// piece is the file of a job's result to preview, with its poster.
type piece struct{ path, poster string }

// foundMsg brings the results of a query to the dialog that searched for them.
type foundMsg struct {
	of *Results
	paging.Page
	jobs []jobs.Job
}

// NewResults is the dialog over results; it begins with the newest ones.
func NewResults(o ResultOptions) *Results {
	list := finder.New("Results", "words of a prompt …")
	list.Keys = strings.Join([]string{"enter takes it as a reference", o.Keys.Keys(actShow) + " in Queue", "esc back"}, " · ")
	return &Results{o: o, commands: screen.Bind(o.Keys, ResultCommands()), pages: paging.Pager{List: list}, shown: map[string]piece{},
		beside: beside{loader: o.Previews}}
}

// Init implements screen.Dialog.
func (d *Results) Init() tea.Cmd { return d.look() }

// Scope implements screen.Dialog.
func (d *Results) Scope() string { return ScopeResults }

// Update implements screen.Dialog.
func (d *Results) Update(msg tea.Msg) tea.Cmd {
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
	case screen.TickMsg: // also after another size, in which a preview may have room
		return d.see()
	case preview.ReadyMsg:
		d.beside.Take(msg)
	case foundMsg:
		if msg.of == d {
			return d.found(msg)
		}
	}
	return nil
}

// look fetches the next page for the typed query.
func (d *Results) look() tea.Cmd {
	if _, ok := d.pages.Begin(); !ok {
		return nil
	}
	h, query, before := d.o.History, d.pages.Query, d.pages.Before
	return func() tea.Msg { return find(d, h, query, before) }
}

// find reads the history from a position until there are enough jobs with a result usable as a
// reference.
func find(of *Results, h paging.History, query, before string) foundMsg {
	var found []jobs.Job
	page := paging.Read(h, jobs.Query{States: []jobs.State{jobs.Completed}}, query, before, func(j *jobs.Job, words []string) bool {
		if _, err := chain.Take(j, chain.Reference); err != nil || !paging.HasAll(j.Draft.Prompt+" "+j.Draft.Model+" "+j.ID+" "+j.Title, words) {
			return false
		}
		j.Draft.Values, j.Draft.Extra = nil, nil // which may be large
		found = append(found, *j)
		return true
	})
	return foundMsg{of, page, found}
}

// found takes over the results found, if the query is still the same.
func (d *Results) found(msg foundMsg) tea.Cmd {
	switch {
	case !d.pages.Came(msg.Page):
		return d.look()
	case msg.Err != nil:
		return d.pages.Failed(msg.Err)
	}
	for i := range msg.jobs {
		j := &msg.jobs[i]
		path, poster := j.Showpiece()
		d.shown[j.ID] = piece{path, poster}
		text := client.Clean(j.Draft.Prompt)
		if strings.TrimSpace(text) == "" {
			text = "(no prompt) " + client.CleanLine(j.Title)
		}
		d.pages.List.Add(finder.Item{ID: j.ID, Text: text, Detail: d.detail(j)})
	}
	if d.pages.Wanting("no job has a picture, a video or a sound yet", "no result has these words") {
		return d.look()
	}
	if d.pages.List.Len() == 0 {
		return nil
	}
	return d.see()
}

func (d *Results) detail(j *jobs.Job) string {
	kind := string(j.Draft.Modality)
	if !slices.ContainsFunc(j.Files, func(f jobs.File) bool { return f.Here() }) {
		kind = "not saved  " + kind
	}
	parts := []string{kind, client.CleanLine(j.Draft.Model)}
	if d.o.Now != nil && !j.CreatedAt.IsZero() {
		parts = append(parts, human.Age(d.o.Now().Sub(j.CreatedAt)))
	}
	return strings.Join(parts, "  ")
}

// see requests the preview of the result under the cursor.
func (d *Results) see() tea.Cmd {
	it, _ := d.pages.List.Current()
	s := d.shown[it.ID]
	return d.beside.see(&d.Base, s.path, s.poster)
}

func (d *Results) show() tea.Cmd {
	if it, ok := d.pages.List.Current(); ok {
		return screen.Open(screen.Queue, screen.ShowJob{JobID: it.ID})
	}
	return nil
}

func (d *Results) follow(ev finder.Event) tea.Cmd {
	switch ev {
	case finder.Changed, finder.Wanting:
		return tea.Batch(d.look(), d.see())
	case finder.Cancelled:
		d.Close()
		return nil
	case finder.Picked:
		if it, ok := d.pages.List.Current(); ok {
			d.Close()
			d.Answer(Found{it.ID})
		}
		return nil
	}
	return d.see()
}

// Closed implements screen.Dialog.
func (d *Results) Closed() { d.beside.forget() }

// View implements screen.Dialog.
func (d *Results) View() string {
	w, h, _ := d.beside.sizes(&d.Base)
	return d.beside.draw(&d.Base, d.pages.List.View(d.Styles, w, h))
}

// Actions implements screen.Dialog.
func (d *Results) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Results) ShortHelp() []key.Binding { return d.commands.Line(actPick, actShow, actLeave) }
